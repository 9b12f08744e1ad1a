import { setImmediate as nextTurn } from 'node:timers/promises';
import { hashKey } from '#accounts/keys.ts';
import { type Admitted, charge } from '#metering/charge.ts';
import { unitsOf } from '#metering/prices.ts';
import { postgresFailure } from '#postgres/failures.ts';
import type { Services } from '#src/services.ts';
import { createClientAddress } from './client-address.ts';
import type { HttpContext } from './context.ts';
import type { DecodedRequest } from './decode-request.ts';
import type { KeyedEndpoint } from './endpoint.ts';
import type { Prefetch } from './prefetch.ts';
import { RecentCallers } from './recent-callers.ts';
import { refusalError } from './refusal.ts';

/** Authenticates, authorizes and charges a call. @throws ApiError when it is refused */
export type ChargeCall = (
  context: HttpContext,
  endpoint: KeyedEndpoint,
  key: string,
  request: DecodedRequest,
  prefetch: Prefetch,
) => Promise<Admitted>;

/**
 * Creates the charging step. The verdict of validation goes into the charge, so that one round trip to Postgres decides
 * all: a caller without access learns nothing about its request, and an invalid request is not charged.
 */
export function createChargeCall(services: Services): ChargeCall {
  const clientAddress = createClientAddress(services.config.trustedProxies);
  const recent = new RecentCallers();

  return async (context, endpoint, key, { call, faults }, prefetch) => {
    const { operationId } = endpoint;
    const valid = faults.length === 0;
    const keyHash = hashKey(key, services.config.keyPepper);
    const ip = clientAddress(context.req);
    context.state.ip = ip;
    if (valid && endpoint.prefetch && recent.has(keyHash, operationId)) {
      prefetch.start();
      // The search takes longer than the charge, so it is sent first, and the charge in the next turn of the event
      // loop. Sent in one turn, Postgres may take the processor from this process before the search is sent.
      await nextTurn();
    }
    const charged = await charge(services.chargePool, {
      keyHash,
      audience: endpoint.audience,
      scope: endpoint.scope,
      units: valid ? unitsOf(endpoint.price, call.query) : 0,
      valid,
      limit: endpoint.paged ? Number(call.query.limit ?? 0) : 0,
      offset: call.cursor?.offset ?? 0,
      ip,
      now: services.clock.chargeTime(),
    }).catch((error: unknown) => {
      throw postgresFailure(error);
    });
    if (charged.outcome !== 'invalid_api_key') context.state.caller = charged;
    if (charged.outcome !== null) {
      recent.refuse(keyHash, operationId);
      throw refusalError(charged, faults, endpoint);
    }
    if (endpoint.prefetch) recent.admit(keyHash, operationId);
    return charged;
  };
}
