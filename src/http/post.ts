import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { requirePermission } from '#accounts/roles.ts';
import { createEncryption, firstOf } from '#crypto/encryption.ts';
import { inTransaction } from '#postgres/transaction.ts';
import type { Services } from '#src/services.ts';
import type { EndpointResponse, PostCall, PostEndpoint } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';
import { runOnce } from './idempotency.ts';

/** Time in milliseconds that a repeated call waits for the first call before it receives 409 `conflict`. */
const WAIT_LIMIT = 1_500;

/** Postgres error codes for a lock timeout and a deadlock. */
const LOCKED = new Set(['55P03', '40P01']);

/** A POST call before its transaction begins. */
type Untransacted = Omit<PostCall, 'db'>;

/** Creates the handler of POST requests: effect, audit event and stored response are written in one transaction. */
export function createPostHandler(services: Services) {
  const waitLimit = services.config.timeoutFactor * WAIT_LIMIT;
  const { keyPepper, oldKeyPepper } = services.config;
  const encryptionOf = (pepper: string) => createEncryption(pepper, 'idempotency', services.random);
  const encryption = firstOf([encryptionOf(keyPepper), ...(oldKeyPepper === null ? [] : [encryptionOf(oldKeyPepper)])]);
  /** Running calls by organization and idempotency key. Repeated calls wait here without a database connection. */
  const running = new Map<string, Promise<EndpointResponse>>();

  const inOneTransaction = async (
    endpoint: PostEndpoint,
    call: Untransacted,
    path: string,
    idempotencyKey: string | null,
  ) => {
    const prepared = Promise.resolve().then(() => endpoint.prepare?.(call));
    await Promise.allSettled([prepared]);
    return inTransaction(services.pool, async (db) => {
      const effect = async () => {
        if (endpoint.permission) await requirePermission(db, call.caller.key_id, endpoint.permission);
        return endpoint.handle({ ...call, db }, prepared);
      };
      if (idempotencyKey === null) return effect();
      const request = {
        organizationId: call.caller.organization_id,
        key: idempotencyKey,
        method: endpoint.method,
        path,
        body: call.body ?? null,
        now: services.clock.now(),
        waitLimit,
      };
      return runOnce(db, encryption, request, effect);
    }).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError && LOCKED.has(error.code ?? '')) throw stillRunning();
      throw error;
    });
  };

  return async (
    endpoint: PostEndpoint,
    call: Untransacted,
    path: string,
    idempotencyKey: string | null,
  ): Promise<EndpointResponse> => {
    if (idempotencyKey === null) return inOneTransaction(endpoint, call, path, null);
    const name = `${call.caller.organization_id} ${idempotencyKey}`;
    const first = running.get(name);
    if (first) {
      const ended = Promise.allSettled([first]);
      if (!(await Promise.race([ended, sleep(waitLimit, null, { ref: false })]))) throw stillRunning();
      return inOneTransaction(endpoint, call, path, idempotencyKey);
    }
    const run = inOneTransaction(endpoint, call, path, idempotencyKey).finally(() => running.delete(name));
    running.set(name, run);
    return run;
  };
}

const stillRunning = (): ApiError =>
  new ApiError('conflict', {
    message: 'A conflicting request is still running. Retry after the number of seconds in the Retry-After header.',
    retryAfterS: 1,
  });
