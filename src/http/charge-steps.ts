import { rehashKey } from '#src/accounts/key-store.ts';
import { isAdminKind } from '#src/accounts/keys.ts';
import type { Admitted, Caller, ChargeRequest, RefusedCaller } from '#src/metering/charge-statement.ts';
import type { CallerLimits } from '#src/metering/limits.ts';
import { isStateRefusal, RecentRefusals } from '#src/metering/recent-refusals.ts';
import type { Services } from '#src/services.ts';
import { postgresFailure } from '#stores/postgres/postgres-failures.ts';
import { networkCheck } from './client-address.ts';
import type { HttpContext } from './context.ts';
import { statementTimeouts } from './deadlines.ts';
import type { DecodedRequest } from './decode-request.ts';
import type { KeyedEndpoint } from './endpoint.ts';
import { refusalError } from './errors/refusal.ts';
import { enterUncharged, type Sender } from './limits/check-sender.ts';

export interface KeyedRequest {
  context: HttpContext;
  endpoint: KeyedEndpoint;
  sender: Sender;
  request: DecodedRequest;
}

/** Postgres also receives the result of validation: callers without access receive no validation errors. */
export function createChargeSteps(services: Services, limits: CallerLimits) {
  const { keyPepper: pepper, oldKeyPepper: oldPepper } = services.config;
  const refusals = new RecentRefusals();

  const recognize = ({ context, sender: { name } }: KeyedRequest, caller: Admitted | RefusedCaller): void => {
    context.state.caller = caller;
    context.state.keyName = name;
    const isTrusted = caller.outcome === null ? true : isStateRefusal(caller) ? false : null;
    limits.recognize(name, caller, isTrusted);
  };
  const senderOf = ({ context, sender }: KeyedRequest): string => `sender ${sender.name} ${context.state.ip}`;

  const refuse = (call: KeyedRequest, refused: RefusedCaller, cost: number) => {
    recognize(call, refused);
    // Calls of 0 units were counted before the charge, except those of keys that were unknown until now.
    if (cost > 0) limits.countUncharged(call.sender.name, true);
    return refusalError(refused, call.request, call.endpoint);
  };

  const ask = async (call: KeyedRequest, units: number, step: 'lookup' | 'charge', cost = units): Promise<Admitted> => {
    const { context, endpoint, sender, request } = call;
    const timeoutMs = statementTimeouts(services, request.call.deadline)[step];
    const asked = { ...requestOf(call, units), now: services.clock.chargeTime() };
    const queue = limits.account(sender.name)?.organization;
    let charged = await services.charges.charge(asked, timeoutMs, queue);
    if (charged.outcome === 'invalid_api_key' && oldPepper !== null && sender.secret !== null) {
      // A stored key takes these round trips once, an unknown key always.
      await rehashKey(services.pool, { pepper, oldPepper }, sender.secret).catch((error: unknown) => {
        throw postgresFailure(error);
      });
      charged = await services.charges.charge(asked, timeoutMs, queue);
    }
    if (charged.outcome === 'invalid_api_key') {
      limits.forget(sender.name);
      limits.unknownKeys.take(context.state.ip ?? null);
      throw refusalError(charged, request, endpoint);
    }
    if (charged.outcome !== null) {
      refusals.add(charged, cost, senderOf(call), services.clock.now());
      throw refuse(call, charged, cost);
    }
    recognize(call, charged);
    if (charged.units > 0) refusals.forget(charged);
    return charged;
  };

  return {
    /**
     * Returns an account that may load before it is charged. It is looked up unless it was admitted recently and allows
     * the request.
     * @throws ApiError if the call is refused, or a recent refusal is repeated
     */
    admit: async (call: KeyedRequest, units: number): Promise<Caller> => {
      const { name } = call.sender;
      const refused = refusals.find(limits.account(name), units, senderOf(call), services.clock.now());
      if (refused) throw refuse(call, refused, units);
      const caller = limits.admitted(name);
      if (caller && allows(caller, requestOf(call, units))) return caller;
      return ask(call, 0, 'lookup', units);
    },

    charge: async (call: KeyedRequest, units: number): Promise<Admitted> => {
      const { name } = call.sender;
      if (units === 0 && limits.account(name)) await enterUncharged(limits, name);
      return ask(call, units, 'charge');
    },

    /** @throws ApiError if the call is refused, which precedes the failure of its load */
    fail: async (call: KeyedRequest): Promise<void> => {
      limits.countUncharged(call.sender.name, true);
      if (!call.context.state.caller) await ask(call, 0, 'lookup');
    },
  };
}

const requestOf = (
  { context, endpoint, sender, request: { call, faults } }: KeyedRequest,
  units: number,
): ChargeRequest => ({
  keyHash: sender.keyHash,
  audience: endpoint.audience,
  scope: endpoint.scope,
  units,
  valid: faults.length === 0,
  limit: endpoint.sized || endpoint.paged ? Number(call.query.limit ?? 0) : 0,
  offset: call.cursor?.offset ?? 0,
  ip: context.state.ip ?? null,
  now: null,
});

const allows = (caller: Caller, { scope, limit, offset, ip }: ChargeRequest): boolean =>
  !isAdminKind(caller.kind) &&
  (scope === null || caller.scopes.includes(scope)) &&
  limit <= caller.page_size &&
  offset < caller.paging_depth &&
  (caller.ip_allowlist.length === 0 || networkCheck(caller.ip_allowlist)(ip));
