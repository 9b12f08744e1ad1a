import { LRUCache } from 'lru-cache';
import type { Caller, RefusedCaller } from './charge.ts';

/** Maximum time in milliseconds for which a refusal is repeated. */
const REPEAT_MS = 5_000;
const MAX_COUNTERS = 20_000;

/** A refusal may depend on the key and the address of a call besides the account. */
interface Origin {
  /** Hash of the key. */
  name: string;
  ip: string | null;
}

interface Entry {
  refused: RefusedCaller;
  units: number;
  /** In epoch milliseconds. */
  at: number;
}

/**
 * The latest refusals of this process by the counter or the state that caused them. Calls of at least as many units are
 * refused again without a load and without a query, calls of 0 units never.
 */
export class RecentRefusals {
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_COUNTERS });

  /**
   * Refusals of calls that would have cost no units are not recorded.
   * @param now epoch milliseconds
   */
  add(refused: RefusedCaller, units: number, origin: Origin, now: number): void {
    const counter = counterOf(refused, origin);
    if (counter !== null && units > 0) this.#entries.set(counter, { refused, units, at: now });
  }

  /**
   * Returns the refusal to repeat, with the remaining time until a retry, or null if Postgres must decide.
   * @param caller null if the key is unknown
   */
  find(caller: Caller | null, units: number, origin: Origin, now: number): RefusedCaller | null {
    if (units === 0) return null;
    for (const counter of countersOf(caller, origin)) {
      const entry = this.#entries.get(counter);
      if (!entry || units < entry.units) continue;
      const { refused, at } = entry;
      const { outcome, rate_limit, quota_limit, retry_after: seconds } = refused;
      const age = now - at;
      // The clock may have been set back.
      if (age < 0 || age >= Math.min(REPEAT_MS, seconds === null ? REPEAT_MS : seconds * 1_000)) continue;
      const remaining = seconds === null ? null : Math.ceil(seconds - age / 1_000);
      // The refused call may have been one with another key of the organization.
      return { ...refused, ...caller, outcome, rate_limit, quota_limit, retry_after: remaining };
    }
    return null;
  }
}

/** Whether the state of the key or organization caused the refusal. */
export const isStateRefusal = ({ outcome }: RefusedCaller): boolean =>
  ['revoked_api_key', 'expired_api_key', 'client_suspended', 'client_expired', 'ip_not_allowed'].includes(outcome);

const stateOf = ({ name, ip }: Origin): string => `state ${name} ${ip}`;
const limitsOf = ({ kind, key_id, organization_id }: Caller): string =>
  kind === 'test' ? `key ${key_id}` : `organization ${organization_id}`;
const projectOf = ({ project_id }: Caller): string => `project ${project_id}`;

/** Null if the refusal depends on the request. */
function counterOf(refused: RefusedCaller, origin: Origin): string | null {
  switch (refused.outcome) {
    case 'rate_limited':
    case 'monthly_quota_exceeded':
    case 'spend_cap_reached':
      return limitsOf(refused);
    case 'project_cap_exceeded':
      return projectOf(refused);
    default:
      return isStateRefusal(refused) ? stateOf(origin) : null;
  }
}

const countersOf = (caller: Caller | null, origin: Origin): string[] =>
  caller === null ? [stateOf(origin)] : [stateOf(origin), limitsOf(caller), projectOf(caller)];
