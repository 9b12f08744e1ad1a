import { createHash } from 'node:crypto';
import type { Encryption } from '#crypto/encryption.ts';
import { canonicalJson } from '#domain/canonical-json.ts';
import * as sql from '#postgres/rows.ts';
import type { Transaction } from '#postgres/transaction.ts';
import type { EndpointResponse } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';

/** Maximum length of an `Idempotency-Key` in characters. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** Number of hours for which a key and its response are stored. */
const MEMORY_HOURS = 24;

export interface IdempotentRequest {
  organizationId: number;
  /** Value of the `Idempotency-Key` header. */
  key: string;
  method: string;
  path: string;
  /** Decoded JSON. Bodies that differ only in the order of properties count as equal. */
  body: unknown;
  /** Time of the request in epoch milliseconds. */
  now: number;
  /** Maximum time in milliseconds that a repeated call waits for the first call to finish. */
  waitLimit: number;
}

/**
 * Runs `effect` once per key. The key's row is inserted first: a concurrent repeated call waits in Postgres until this
 * transaction ends. It then returns the stored response or, if this transaction failed, runs the effect. The effect and
 * its stored response are written in one transaction, so that a crash leaves both or neither.
 * @throws ApiError idempotency_key_reuse; the Postgres lock timeout error if the first call takes too long
 */
export async function runOnce(
  db: Transaction,
  encryption: Encryption,
  request: IdempotentRequest,
  effect: () => Promise<EndpointResponse>,
): Promise<EndpointResponse> {
  // Only digests are stored, because the header could contain a secret.
  const key = createHash('sha256').update(request.key).digest();
  const hash = hashOf(request, canonicalJson(request.body));
  const now = new Date(request.now);
  const oldest = new Date(request.now - MEMORY_HOURS * 3_600_000);
  await db.query(`set local lock_timeout = '${request.waitLimit}'`);
  const first = await db.query(
    `insert into idempotency_records as r (organization_id, key_hash, request_hash, status, body, created_at)
     values ($1, $2, $3, 0, '', $4)
     on conflict (organization_id, key_hash) do update
       set request_hash = excluded.request_hash, status = 0, body = '', created_at = excluded.created_at
       where r.created_at <= $5`,
    [request.organizationId, key, hash, now, oldest],
  );
  if (first.rowCount === 1) {
    const answer = await effect();
    const body = encryption.encrypt(JSON.stringify(answer.body));
    await db.query(
      'update idempotency_records set status = $3, body = $4 where organization_id = $1 and key_hash = $2',
      [request.organizationId, key, answer.status ?? 200, body],
    );
    return answer;
  }
  const stored = await sql.queryRow(
    db,
    { request_hash: sql.bytes, status: sql.integer, body: sql.bytes },
    'select request_hash, status, body from idempotency_records where organization_id = $1 and key_hash = $2',
    [request.organizationId, key],
  );
  if (!stored) throw new ApiError('conflict', { retryAfterS: 1 });
  // Earlier releases hashed the body with its properties in the order in which they were sent.
  const hashes = [hash, hashOf(request, JSON.stringify(request.body))];
  if (!hashes.some((each) => each.equals(stored.request_hash)))
    throw new ApiError('idempotency_key_reuse', { param: 'Idempotency-Key' });
  const body: unknown = JSON.parse(encryption.decrypt(stored.body));
  return { status: stored.status, headers: { 'Idempotent-Replay': 'true' }, body };
}

const hashOf = ({ method, path }: IdempotentRequest, body: string): Buffer =>
  createHash('sha256').update(`${method} ${path}\n${body}`).digest();
