import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createEncryption, type Encryption } from '#crypto/encryption.ts';
import { ApiError } from '#domain/errors.ts';
import { inTransaction } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { PostCall, PostEndpoint } from './endpoint.ts';
import { type Replayable, runOnce, WAIT_LIMIT } from './idempotency.ts';

/** What Postgres says when a lock was not to be had in time, or two wait for each other. */
const LOCKED = new Set(['55P03', '40P01']);

/** A POST before its transaction begins. */
type Untransacted = Omit<PostCall, 'db'>;

/** Handles POSTs: the effect, its audit and the stored answer are one transaction. */
export function createPostHandler(services: Services) {
  const encryption: Encryption = createEncryption(services.config.keyPepper, 'idempotency', services.random);
  /** Calls under way here. Their copies wait for them without a connection of their own, of which there are few. */
  const running = new Map<string, Promise<Replayable>>();

  const inOneTransaction = (endpoint: PostEndpoint, call: Untransacted, path: string, idempotencyKey: string | null) =>
    inTransaction(services.pool, async (db) => {
      const effect = () => endpoint.handle({ ...call, db });
      if (idempotencyKey === null) return { answer: await effect(), replayed: false };
      const request = {
        organizationId: call.caller.organization_id,
        key: idempotencyKey,
        method: endpoint.method,
        path,
        body: JSON.stringify(call.body ?? null),
        now: services.clock.now(),
      };
      return runOnce(db, encryption, request, effect);
    }).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && LOCKED.has(error.code ?? '')) throw stillRunning();
      throw error;
    });

  return async (
    endpoint: PostEndpoint,
    call: Untransacted,
    path: string,
    idempotencyKey: string | null,
  ): Promise<Replayable> => {
    if (idempotencyKey === null) return inOneTransaction(endpoint, call, path, null);
    const name = `${call.caller.organization_id} ${idempotencyKey}`;
    const first = running.get(name);
    if (first) {
      const ended = first.then(
        () => true,
        () => true,
      );
      if (!(await Promise.race([ended, sleep(WAIT_LIMIT, false, { ref: false })]))) throw stillRunning();
      return inOneTransaction(endpoint, call, path, idempotencyKey);
    }
    const run = inOneTransaction(endpoint, call, path, idempotencyKey).finally(() => running.delete(name));
    running.set(name, run);
    return run;
  };
}

const stillRunning = (): ApiError =>
  new ApiError('conflict', {
    message: 'Another request that this one has to wait for is still running. Send it again in a moment.',
    headers: { 'Retry-After': '1' },
  });
