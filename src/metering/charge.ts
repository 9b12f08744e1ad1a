import type { KeyKind } from '#accounts/keys.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { Queryable } from '#postgres/transaction.ts';

/** What `charge` needs to know of a call. */
export interface ChargeRequest {
  keyHash: Buffer;
  /** Which side of the API the endpoint is on. */
  audience: 'data' | 'admin';
  /** Null where any data key may call (reference data). */
  scope: Scope | null;
  units: number;
  /** Whether the request passed validation; an invalid one is only authenticated, never charged. */
  valid: boolean;
  /** Page size and offset of the request, which the plan may not allow; 0 where there are no pages. */
  limit: number;
  offset: number;
  ip: string | null;
  /** The clock, for tests; null: the database's own. */
  now: Date | null;
}

/** Who calls: the key, its organization, and what its plan allows. */
export interface Caller {
  organization_id: number;
  organization: string;
  key_id: number;
  key: string;
  kind: KeyKind;
  project_id: number | null;
  plan: string;
  scopes: Scope[];
  page_size: number;
  paging_depth: number;
  /** Days of price history shown; null: all. */
  price_history_days: number | null;
  /** Whether `source.url` and `source.listing_id` are shown. */
  source_links: boolean;
  /** Units a minute and a month. Null: unlimited. */
  rate_limit: number | null;
  quota_limit: number | null;
}

/** A call that may go on. */
export interface Admitted extends Caller {
  outcome: null;
  /** By which it is given back when the call fails. */
  id: ChargeId;
  /** Units taken. */
  units: number;
  /** UTC month charged, `yyyymm`. */
  month: number;
  rate_remaining: number | null;
  /** Seconds. */
  rate_reset: number | null;
  quota_remaining: number | null;
  quota_reset: number | null;
}

/** A call that may not go on: no key matches, or the caller is refused. Nothing was charged. */
export type Refused = UnknownKey | RefusedCaller;

interface UnknownKey {
  outcome: 'invalid_api_key';
}

export interface RefusedCaller extends Caller {
  /**
   * An error code of the service, or one of the two that still need wording: `invalid_request`, `page_size_exceeded`.
   */
  outcome:
    | 'revoked_api_key'
    | 'expired_api_key'
    | 'admin_key_required'
    | 'admin_key_not_allowed'
    | 'client_suspended'
    | 'client_expired'
    | 'ip_not_allowed'
    | 'scope_not_in_plan'
    | 'scope_not_in_key'
    | 'invalid_request'
    | 'page_size_exceeded'
    | 'result_window_exceeded'
    | 'rate_limited'
    | 'monthly_quota_exceeded'
    | 'spend_cap_reached'
    | 'project_cap_exceeded';
  /** Seconds until the call may be tried again; null where time does not help. */
  retry_after: number | null;
}

/** One charge: its number among those of its session, which is a connection of a pool. */
export interface ChargeId {
  session: string;
  charge: number;
}

/** Whose units a charge took, and of which month. */
export type TakenUnits = Pick<Admitted, 'kind' | 'organization_id' | 'key_id' | 'project_id' | 'month' | 'units'>;

/** The statement; its values are those of `chargeValues`, the session and the number in it. */
export const CHARGE = {
  name: 'charge',
  text: 'select charge($1, $2, $3, $4, $5, $6, $7, $8, $9, false, $10, $11)',
};

export const chargeValues = (request: ChargeRequest): unknown[] => [
  request.keyHash,
  request.audience,
  request.scope,
  request.units,
  request.valid,
  request.limit,
  request.offset,
  request.ip,
  request.now,
];

/** What `charge` answers: without the identity, and with what is left of the quota, which is below zero beyond it. */
export type ChargeAnswer = AdmittedAnswer | Refused;
export type AdmittedAnswer = Omit<Admitted, 'id'> & { quota_left: number | null };

/**
 * Authenticates, authorizes and charges a call in one round trip. Counts are exact over any number of API nodes.
 * @param timeLimit milliseconds
 */
export async function charge(
  db: Queryable,
  id: ChargeId,
  request: ChargeRequest,
  timeLimit: number,
): Promise<Admitted | Refused> {
  const statement = { ...CHARGE, values: [...chargeValues(request), id.session, id.charge], query_timeout: timeLimit };
  const { rows } = await db.query<{ charge: ChargeAnswer }>(statement);
  const [row] = rows;
  if (!row) throw new Error('charge returned no row');
  return identified(row.charge, id);
}

export const identified = (answer: ChargeAnswer, id: ChargeId): Admitted | Refused =>
  answer.outcome === null ? { ...answer, id } : answer;

/** What work that goes on after its call asks of `charge`. */
export interface BackgroundCharge extends Pick<ChargeRequest, 'scope' | 'units' | 'now'> {
  /** As it is stored; null where there is no such key any more. */
  keyHash: Buffer | null;
}

/**
 * Charges work that a key has asked for, when its size is known. The key is judged as it is now; the units count against
 * the month and the caps as those of a call, and not against the minute. In the transaction that records the charge.
 */
export async function chargeInBackground(
  db: Queryable,
  { keyHash, scope, units, now }: BackgroundCharge,
): Promise<Admitted | Refused> {
  const { rows } = await db.query<{ charge: Admitted | Refused }>({
    name: 'charge-in-background',
    text: `select charge($1, 'data', $2, $3, true, 0, 0, null, $4, true)`,
    values: [keyHash, scope, units, now],
  });
  const [row] = rows;
  if (!row) throw new Error('charge returned no row');
  return row.charge;
}

/** Gives units back to their month. In the transaction that records it: doing so again gives them back again. */
export async function refund(db: Queryable, taken: TakenUnits): Promise<void> {
  await db.query({
    name: 'refund',
    text: 'select refund($1, $2, $3, $4, $5, $6)',
    values: [taken.kind, taken.organization_id, taken.key_id, taken.project_id, taken.month, taken.units],
  });
}

/** Gives the units of a failed call back to its month; doing so again changes nothing. */
export async function giveBack(db: Queryable, { session, charge: number }: ChargeId, taken: TakenUnits): Promise<void> {
  const { kind, organization_id, key_id, project_id, month, units } = taken;
  await db.query({
    name: 'give-back',
    text: 'select give_back($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [session, number, kind, organization_id, key_id, project_id, month, units],
  });
}

/**
 * Settles a charge that nobody waits for any more: it is given back if it was made, and is never made if it was not.
 * Doing so again changes nothing.
 */
export async function settleCharge(db: Queryable, { session, charge: number }: ChargeId): Promise<void> {
  await db.query({ name: 'settle-charge', text: 'select settle_charge($1, $2)', values: [session, number] });
}
