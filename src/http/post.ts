import { createEncryption, type Encryption } from '../accounts/encryption.ts';
import type { Services } from '../services.ts';
import { inTransaction } from '../stores/transaction.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { type Replayable, runOnce } from './idempotency.ts';

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
    });
}
