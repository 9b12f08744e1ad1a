import { rehashKey } from '#accounts/key-store.ts';
import { QueueError } from '#domain/fair-queue.ts';
import type { Admitted, Refused } from '#metering/charge.ts';
import { unitsOf } from '#metering/prices.ts';
import { postgresFailure } from '#postgres/failures.ts';
import type { Services } from '#src/services.ts';
import type { CallSlot } from './call-slot.ts';
import type { HttpContext } from './context.ts';
import type { DecodedRequest } from './decode-request.ts';
import type { KeyedEndpoint } from './endpoint.ts';
import { ApiError } from './errors/api-error.ts';
import { refusalError } from './errors/refusal.ts';
import type { KnownKey } from './limits/known-keys.ts';
import { type CallerLimits, countUnchargedCall, type Sender } from './limits/rate-limit.ts';
import type { Prefetch } from './prefetch.ts';

/**
 * Creates the charging step. The result of validation is part of the charge, so that one round trip to Postgres decides
 * everything: callers without access receive no validation errors, and invalid requests are not charged. For recognized
 * keys, calls that cost no units are rate limited before Postgres is queried.
 */
export function createChargeCall(services: Services, limits: CallerLimits) {
  const { keyPepper: pepper, oldKeyPepper: oldPepper } = services.config;
  /** Authenticates, authorizes and charges a call. @throws ApiError if the call is refused */
  return async (
    context: HttpContext,
    endpoint: KeyedEndpoint,
    { keyHash, name, key, known }: Sender,
    request: DecodedRequest,
    prefetch: Prefetch,
    slot: CallSlot,
  ): Promise<Admitted> => {
    const { call, faults } = request;
    const { ip = null } = context.state;
    const { operationId } = endpoint;
    const valid = faults.length === 0;
    const units = valid ? unitsOf(endpoint.price, call.query) : 0;
    if (known && units === 0) await countUnchargedCall(known);

    const charge = (): Promise<Admitted | Refused> =>
      services.charges
        .charge(
          {
            keyHash,
            audience: endpoint.audience,
            scope: endpoint.scope,
            units,
            valid,
            limit: endpoint.paged ? Number(call.query.limit ?? 0) : 0,
            offset: call.cursor?.offset ?? 0,
            ip,
            now: services.clock.chargeTime(),
          },
          slot.name,
        )
        .catch((error: unknown) => {
          throw error instanceof QueueError ? tooManyAtOnce() : error;
        });
    let charged = await claimPrefetch(known, endpoint, valid, { prefetch, slot }, charge);
    if (charged.outcome === 'invalid_api_key' && oldPepper !== null) {
      // The key may be stored under the old pepper. A stored key takes these round trips once, an unknown key always.
      await rehashKey(services.pool, { pepper, oldPepper }, key).catch((error: unknown) => {
        throw postgresFailure(error);
      });
      charged = await charge();
    }

    const now = performance.now();
    if (charged.outcome === 'invalid_api_key') {
      limits.knownKeys.delete(name);
      limits.unknownKeys.take(ip);
      throw refusalError(charged, request, endpoint);
    }
    context.state.caller = charged;
    const caller = known ?? limits.knownKeys.recognize(name, charged.organization_id, now);
    context.state.knownKey = caller;
    if (charged.outcome === null) {
      caller.admit(operationId, now);
      slot.setCharged();
      return charged;
    }
    caller.refuse(now, units > 0);
    throw refusalError(charged, request, endpoint);
  };
}

/** Charges a call. If prefetching is allowed for the key, the search runs concurrently. */
async function claimPrefetch(
  known: KnownKey | undefined,
  { operationId, prefetch: hasPrefetch }: KeyedEndpoint,
  valid: boolean,
  { prefetch, slot }: { prefetch: Prefetch; slot: CallSlot },
  charge: () => Promise<Admitted | Refused>,
): Promise<Admitted | Refused> {
  const stop = valid && hasPrefetch && slot.hasBegun ? known?.claimPrefetch(operationId, performance.now()) : null;
  if (!stop) return charge();
  try {
    // The search takes longer than the charge, so it is sent first. Charges are sent at the end of an event loop iteration.
    // If the charge were sent first, Postgres could preempt this process before the search is sent.
    slot.setCharged();
    prefetch.start();
    return await charge();
  } finally {
    stop();
  }
}

const tooManyAtOnce = (): ApiError =>
  new ApiError('rate_limited', {
    message:
      'Too many calls of your organization are queued. Retry after the number of seconds in the Retry-After header.',
    retryAfterS: 1,
  });
