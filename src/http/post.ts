import pg from 'pg';
import { createEncryption, type Encryption } from '../accounts/encryption.ts';
import type { Services } from '../services.ts';
import { inTransaction } from '../stores/transaction.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { type Replayable, runOnce } from './idempotency.ts';

/** What Postgres says when a lock was not to be had in time, or two wait for each other. */
const LOCKED = new Set(['55P03', '40P01']);

/** Handles POSTs: the effect, its audit and the stored answer are one transaction. */
export function createPostHandler(services: Services) {
  const encryption: Encryption = createEncryption(services.config.keyPepper, 'idempotency', services.random);
  return (endpoint: Endpoint, call: Call, path: string, idempotencyKey: string | null): Promise<Replayable> =>
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
      if (!(error instanceof pg.DatabaseError) || !LOCKED.has(error.code ?? '')) throw error;
      throw new ApiError('conflict', {
        message: 'Another request that this one has to wait for is still running. Send it again in a moment.',
        headers: { 'Retry-After': '1' },
      });
    });
}
