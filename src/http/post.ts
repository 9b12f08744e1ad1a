import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { canonicalJson } from '#domain/canonical-json.ts';
import { firstKey } from '#src/accounts/key-store.ts';
import { lockOrganization } from '#src/accounts/organization-store.ts';
import { requirePermission } from '#src/accounts/roles.ts';
import type { Services } from '#src/services.ts';
import { createEncryption, firstOf } from '#stores/crypto/encryption.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Queryable, type Transaction } from '#stores/postgres/transaction.ts';
import type { EndpointResponse, PostCall, PostEndpoint } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';

/** In characters. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** For a key and its response. */
const MEMORY_HOURS = 24;
/** Milliseconds that a call waits for others of its organization before 409 `conflict`. */
const WAIT_LIMIT = 1_500;

/** Lock timeout and deadlock. */
const LOCKED = new Set(['55P03', '40P01']);

interface Post {
  endpoint: PostEndpoint;
  call: Omit<PostCall, 'db'>;
  path: string;
  idempotencyKey: string | null;
}

export function createPostHandler(services: Services) {
  const waitLimit = services.config.timeoutFactor * WAIT_LIMIT;
  const { keyPepper, oldKeyPepper } = services.config;
  const encryptionOf = (pepper: string) => createEncryption(pepper, 'idempotency', services.random);
  const encryption = firstOf([encryptionOf(keyPepper), ...(oldKeyPepper === null ? [] : [encryptionOf(oldKeyPepper)])]);
  /** Calls of an organization run one after the other, and wait here without a database connection. */
  const lines = new Map<number, { end: Promise<unknown>; calls: number; movedAt: number }>();

  /** A repeated call returns the stored response of the first, which the same key or one of its rotations sent. */
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
    const now = services.clock.now();
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
      [organization, [own, plain], first, hash, new Date(now), new Date(now - MEMORY_HOURS * 3_600_000)],
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

  const inOneTransaction = (post: Post, prepared: Promise<unknown>): Promise<EndpointResponse> =>
    inTransaction(services.pool, async (db) => {
      const { endpoint, call, idempotencyKey } = post;
      await db.query(`set local lock_timeout = '${waitLimit}'`);
      await lockOrganization(db, call.caller.organization_id);
      await authorize(db, post);
      const effect = () => endpoint.handle({ ...call, db }, prepared);
      return idempotencyKey === null ? effect() : runOnce(db, idempotencyKey, post, effect);
    }).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && LOCKED.has(error.code ?? '')) throw stillRunning();
      throw error;
    });

  /** @throws ApiError `conflict` if a call before it takes longer than the limit */
  const inLine = async (
    { caller, deadline }: Post['call'],
    run: () => Promise<EndpointResponse>,
  ): Promise<EndpointResponse> => {
    const line = lines.get(caller.organization_id) ?? { end: Promise.resolve(), calls: 0, movedAt: 0 };
    lines.set(caller.organization_id, line);
    const turn = line.end.then(() => true);
    const { promise: left, resolve: leave } = Promise.withResolvers<void>();
    line.end = Promise.all([turn, left]);
    line.calls++;
    try {
      const timeLeft = (): number => Math.min(line.movedAt + waitLimit, deadline) - performance.now();
      while (!(await Promise.race([turn, sleep(Math.max(1, timeLeft()), false, { ref: false })])))
        if (timeLeft() <= 0) throw stillRunning();
      line.movedAt = performance.now();
      return await run();
    } finally {
      leave();
      if (--line.calls === 0) lines.delete(caller.organization_id);
    }
  };

  return async (post: Post): Promise<EndpointResponse> => {
    const { endpoint, call } = post;
    // Callers without permission delay nobody. Under the lock it is decided again, because it may have changed.
    await authorize(services.pool, post);
    const prepared = Promise.resolve().then(() => endpoint.prepare?.(call));
    await Promise.allSettled([prepared]);
    return inLine(call, () => inOneTransaction(post, prepared));
  };
}

/** @throws RequestError if the caller may not make the call, whatever is stored for it */
async function authorize(db: Queryable, { endpoint, call }: Post): Promise<void> {
  if (endpoint.permission) await requirePermission(db, call.caller.key_id, endpoint.permission);
  await endpoint.authorize?.({ ...call, db });
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const stillRunning = (): ApiError =>
  new ApiError('conflict', {
    message: 'A conflicting request is still running. Retry after the number of seconds in the Retry-After header.',
    retryAfterS: 1,
  });

/** It states no key: who may read the response is unknown, and a second effect may be unwanted. */
const storedByEarlierRelease = (): ApiError =>
  new ApiError('conflict', {
    param: 'Idempotency-Key',
    message:
      'This `Idempotency-Key` was used before an update of the service. Check whether that call had an effect; to call again, send another `Idempotency-Key`.',
  });
