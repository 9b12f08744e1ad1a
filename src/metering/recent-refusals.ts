import { LRUCache } from 'lru-cache';
import type { Caller, RefusedCaller } from './charge-statement.ts';

/** Maximum time in milliseconds for which a refusal is repeated. A changed cap applies within it. */
const REPEAT_MS = 1_000;
const MAX_COUNTERS = 20_000;

interface Entry {
  refused: RefusedCaller;
  /** In epoch milliseconds. */
  at: number;
}

/**
 * Calls of at least as many units are refused again without a query, calls of 0 units never. After
 * `rate_limited`, only calls of the same units: more units are available later than stated.
 */
export class RecentRefusals {
  readonly #entries = new LRUCache<string, Map<number, Entry>>({ max: MAX_COUNTERS });

  /** @param sender key and address */
  add(refused: RefusedCaller, units: number, sender: string, now: number): void {
    const counter = counterOf(refused, sender);
    if (counter === null || units === 0) return;
    const entries = this.#entries.get(counter) ?? new Map<number, Entry>();
    this.#entries.set(counter, entries.set(units, { refused, at: now }));
  }

  /** A charge delays the next calls, so that earlier refusals state a time that is too short. */
  forget(admitted: Caller): void {
    this.#entries.delete(limitsOf(admitted));
  }

  /**
   * Returns the refusal with the remaining time, or null if Postgres must decide.
   * @param caller null if the key is unknown
   */
  find(caller: Caller | null, units: number, sender: string, now: number): RefusedCaller | null {
    if (units === 0) return null;
    for (const counter of [sender, ...(caller ? [limitsOf(caller), projectOf(caller)] : [])]) {
      for (const [refusedUnits, { refused, at }] of this.#entries.get(counter) ?? []) {
        const { outcome, rate_limit, quota_limit, retry_after: seconds } = refused;
        if (outcome === 'rate_limited' ? units !== refusedUnits : units < refusedUnits) continue;
        const age = now - at;
        // Seconds are rounded up: in the last one, a call may have waited long enough. The clock may have been set back.
        if (age < 0 || age >= Math.min(REPEAT_MS, seconds === null ? REPEAT_MS : (seconds - 1) * 1_000)) continue;
        const remaining = seconds === null ? null : Math.ceil(seconds - age / 1_000);
        // It may have been a call with another key of the organization.
        return { ...refused, ...caller, outcome, rate_limit, quota_limit, retry_after: remaining };
      }
    }
    return null;
  }
}

const STATES = ['revoked_api_key', 'expired_api_key', 'client_suspended', 'client_expired', 'ip_not_allowed'];
const LIMITS = ['rate_limited', 'monthly_quota_exceeded', 'spend_cap_reached'];

/** The key or organization causes it, not the request. */
export const isStateRefusal = ({ outcome }: RefusedCaller): boolean => STATES.includes(outcome);

const limitsOf = ({ kind, key_id, organization_id }: Caller): string =>
  kind === 'test' ? `key ${key_id}` : `organization ${organization_id}`;
const projectOf = ({ project_id }: Caller): string => `project ${project_id}`;

/** Null if the refusal depends on the request. */
function counterOf(refused: RefusedCaller, sender: string): string | null {
  if (LIMITS.includes(refused.outcome)) return limitsOf(refused);
  if (refused.outcome === 'project_cap_exceeded') return projectOf(refused);
  return isStateRefusal(refused) ? sender : null;
}
