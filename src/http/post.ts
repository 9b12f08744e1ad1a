import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { canonicalJson } from '#domain/canonical-json.ts';
import { requirePermission } from '#src/accounts/roles.ts';
import type { Services } from '#src/services.ts';
import { createEncryption, firstOf } from '#stores/crypto/encryption.ts';
import * as sql from '#stores/postgres/rows.ts';
import { inTransaction, type Transaction } from '#stores/postgres/transaction.ts';
import type { EndpointResponse, PostCall, PostEndpoint } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';

/** In characters. */
export const MAX_IDEMPOTENCY_KEY = 255;
/** For a key and its response. */
const MEMORY_HOURS = 24;
/** Milliseconds that a repeated call waits for the first before 409 `conflict`. */
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
  /** Repeated calls wait here without a database connection. */
  const running = new Map<string, Promise<EndpointResponse>>();

  /**
   * The row of the key is inserted first: a repeated call at another node waits in Postgres for the end of this
   * transaction, and then returns the stored response or runs the effect.
   */
  const runOnce = async (
    db: Transaction,
    idempotencyKey: string,
    { endpoint, call, path }: Post,
    effect: () => Promise<EndpointResponse>,
  ): Promise<EndpointResponse> => {
    // The header could contain a secret.
    const row = [call.caller.organization_id, sha256(idempotencyKey)];
    const hash = sha256(`${endpoint.method} ${path}\n${canonicalJson(call.body ?? null)}`);
    const now = services.clock.now();
    await db.query(`set local lock_timeout = '${waitLimit}'`);
    const first = await db.query(
      `insert into idempotency_records as r (organization_id, key_hash, request_hash, status, body, created_at)
       values ($1, $2, $3, 0, '', $4)
       on conflict (organization_id, key_hash) do update
         set request_hash = excluded.request_hash, status = 0, body = '', created_at = excluded.created_at
         where r.created_at <= $5`,
      [...row, hash, new Date(now), new Date(now - MEMORY_HOURS * 3_600_000)],
    );
    if (first.rowCount === 1) {
      const answer = await effect();
      await db.query(
        'update idempotency_records set status = $3, body = $4 where organization_id = $1 and key_hash = $2',
        [...row, answer.status ?? 200, encryption.encrypt(JSON.stringify(answer.body))],
      );
      return answer;
    }
    const stored = await sql.queryRow(
      db,
      { request_hash: sql.bytes, status: sql.integer, body: sql.bytes },
      'select request_hash, status, body from idempotency_records where organization_id = $1 and key_hash = $2',
      row,
    );
    if (!stored) throw new ApiError('conflict', { retryAfterS: 1 });
    if (!hash.equals(stored.request_hash)) throw new ApiError('idempotency_key_reuse', { param: 'Idempotency-Key' });
    const body: unknown = JSON.parse(encryption.decrypt(stored.body));
    return { status: stored.status, headers: { 'Idempotent-Replay': 'true' }, body };
  };

  const inOneTransaction = async (post: Post): Promise<EndpointResponse> => {
    const { endpoint, call, idempotencyKey } = post;
    const prepared = Promise.resolve().then(() => endpoint.prepare?.(call));
    await Promise.allSettled([prepared]);
    return inTransaction(services.pool, async (db) => {
      const effect = async () => {
        if (endpoint.permission) await requirePermission(db, call.caller.key_id, endpoint.permission);
        return endpoint.handle({ ...call, db }, prepared);
      };
      return idempotencyKey === null ? effect() : runOnce(db, idempotencyKey, post, effect);
    }).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && LOCKED.has(error.code ?? '')) throw stillRunning();
      throw error;
    });
  };

  return async (post: Post): Promise<EndpointResponse> => {
    if (post.idempotencyKey === null) return inOneTransaction(post);
    const name = `${post.call.caller.organization_id} ${post.idempotencyKey}`;
    const first = running.get(name);
    if (first) {
      const ended = Promise.allSettled([first]);
      if (!(await Promise.race([ended, sleep(waitLimit, null, { ref: false })]))) throw stillRunning();
      return inOneTransaction(post);
    }
    const run = inOneTransaction(post).finally(() => running.delete(name));
    running.set(name, run);
    return run;
  };
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const stillRunning = (): ApiError =>
  new ApiError('conflict', {
    message: 'A conflicting request is still running. Retry after the number of seconds in the Retry-After header.',
    retryAfterS: 1,
  });
