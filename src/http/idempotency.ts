import { createHash } from 'node:crypto';
import { canonicalJson } from '#domain/canonical-json.ts';
import { firstKey } from '#src/accounts/key-store.ts';
import type { Services } from '#src/services.ts';
import { createEncryption, firstOf } from '#stores/crypto/encryption.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import type { EndpointResponse, KeyedEndpoint, PostCall } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';

/** In characters. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** For a key and its response. */
const MEMORY_HOURS = 24;

export interface Post {
  endpoint: Extract<KeyedEndpoint, { method: 'POST' }>;
  call: Omit<PostCall, 'db'>;
  path: string;
  idempotencyKey: string | null;
}

/** A repeated call returns the stored response of the first, which the same key or one of its rotations sent. */
export function createIdempotency({ config, random, clock }: Services) {
  const { keyPepper, oldKeyPepper } = config;
  const encryptionOf = (pepper: string) => createEncryption(pepper, 'idempotency', random);
  const encryption = firstOf([encryptionOf(keyPepper), ...(oldKeyPepper === null ? [] : [encryptionOf(oldKeyPepper)])]);

  const oldest = (): Date => new Date(clock.now() - MEMORY_HOURS * 3_600_000);

  /** Whether the call is a repetition. Work that precedes its effect is not needed then. */
  const isRepeated = async (db: Queryable, idempotencyKey: string, { call }: Post): Promise<boolean> => {
    const { organization_id: organization, key_id: keyId } = call.caller;
    const own = sha256(`${await firstKey(db, organization, keyId)} ${idempotencyKey}`);
    const query = 'select 1 from idempotency_records where organization_id = $1 and key_hash = $2 and created_at > $3';
    return (await db.query(query, [organization, own, oldest()])).rowCount === 1;
  };

  const runOnce = async (
    db: Transaction,
    idempotencyKey: string,
    { endpoint, call, path }: Post,
    effect: () => Promise<EndpointResponse>,
  ): Promise<EndpointResponse> => {
    const { organization_id: organization, key_id: keyId } = call.caller;
    const first = await firstKey(db, organization, keyId);
    // The header could contain a secret. Earlier releases find the response under its plain hash.
    const [own, plain] = [sha256(`${first} ${idempotencyKey}`), sha256(idempotencyKey)];
    const hash = sha256(`${endpoint.method} ${path}\n${canonicalJson(call.body ?? null)}`);
    const inserted = await sql.queryRows(
      db,
      { key_hash: sql.bytes },
      `insert into idempotency_records as r (organization_id, key_hash, first_key, request_hash, status, body, created_at)
       select $1, key_hash, $3, $4, 0, '', $5 from unnest($2::bytea[]) as key_hash
       on conflict (organization_id, key_hash) do update
         set first_key = excluded.first_key, request_hash = excluded.request_hash, status = 0, body = '',
             created_at = excluded.created_at
         where r.created_at <= $6
       returning key_hash`,
      [organization, [own, plain], first, hash, new Date(clock.now()), oldest()],
    );
    const stored = await sql.queryRows(
      db,
      {
        key_hash: sql.bytes,
        first_key: sql.nullable(sql.integer),
        request_hash: sql.bytes,
        status: sql.integer,
        body: sql.bytes,
      },
      `select key_hash, first_key, request_hash, status, body from idempotency_records
        where organization_id = $1 and key_hash = any ($2)`,
      [organization, [own, plain]],
    );
    if (inserted.some(({ key_hash }) => own.equals(key_hash))) {
      if (stored.some(({ first_key }) => first_key === null)) throw storedByEarlierRelease();
      const answer = await effect();
      await db.query(
        'update idempotency_records set status = $3, body = $4 where organization_id = $1 and key_hash = any ($2)',
        [
          organization,
          inserted.map(({ key_hash }) => key_hash),
          answer.status ?? 200,
          encryption.encrypt(JSON.stringify(answer.body)),
        ],
      );
      return answer;
    }
    const record = stored.find(({ key_hash }) => own.equals(key_hash));
    if (!record) throw new ApiError('conflict', { retryAfterS: 1 });
    if (!hash.equals(record.request_hash)) throw new ApiError('idempotency_key_reuse', { param: 'Idempotency-Key' });
    const body: unknown = JSON.parse(encryption.decrypt(record.body));
    return { status: record.status, headers: { 'Idempotent-Replay': 'true' }, body };
  };

  return { isRepeated, runOnce };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** It states no key: who may read the response is unknown, and a second effect may be unwanted. */
const storedByEarlierRelease = (): ApiError =>
  new ApiError('conflict', {
    param: 'Idempotency-Key',
    message:
      'This `Idempotency-Key` was used before an update of the service. Check whether that call had an effect; to call again, send another `Idempotency-Key`.',
  });
