import type { KeyKind } from '#accounts/keys.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { Queryable } from '#postgres/transaction.ts';

/** A call to charge. */
export interface ChargeRequest {
  keyHash: Buffer;
  /** Which keys the endpoint accepts. */
  audience: 'data' | 'admin';
  /** Null if any data key may call (reference data). */
  scope: Scope | null;
  units: number;
  /** Whether the request passed validation; an invalid one is only authenticated, never charged. */
  valid: boolean;
  /** Page size and offset of the request, which the plan may not allow; 0 where there are no pages. */
  limit: number;
  offset: number;
  ip: string | null;
  /** Null: the clock of the database. Tests set it. */
  now: Date | null;
}

/** The key, its organization, and the limits of its plan. */
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

/** An accepted call. */
export interface Admitted extends Caller {
  outcome: null;
  /** Identifies the charge for a refund. */
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

/** A refused call: no key matches, or the caller lacks access or units. Nothing was charged. */
export type Refused = UnknownKey | RefusedCaller;

interface UnknownKey {
  outcome: 'invalid_api_key';
}

export interface RefusedCaller extends Caller {
  /**
   * An error code of the API, or one of two that become one later: `invalid_request`, `page_size_exceeded`.
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
  /** Seconds until a retry may succeed; null if waiting does not help. */
  retry_after: number | null;
}

/** Identifies a charge: its session, which is a connection of a pool, and its number in it. */
export interface ChargeId {
  session: string;
  charge: number;
}

/** The units of a charge and the counters they were taken from. */
export type TakenUnits = Pick<Admitted, 'kind' | 'organization_id' | 'key_id' | 'project_id' | 'month' | 'units'>;

/** The statement. Its values: `chargeValues`, the session, the number in it. */
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

/** The result of the SQL function. It has no id, and the remaining quota is negative if exceeded. */
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

/** Work to charge that continues after its call. */
export interface BackgroundCharge extends Pick<ChargeRequest, 'scope' | 'units' | 'now'> {
  /** As stored; null if the key was deleted. */
  keyHash: Buffer | null;
}

/**
 * Charges background work of a key once its size is known. Checks the current state of the key. The units count towards month
 * and caps, not towards the rate per minute. Run it in the transaction that records the charge.
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

/** Refunds units to their month. Not idempotent: run it in the transaction that records the refund. */
export async function refund(db: Queryable, taken: TakenUnits): Promise<void> {
  await db.query({
    name: 'refund',
    text: 'select refund($1, $2, $3, $4, $5, $6)',
    values: [taken.kind, taken.organization_id, taken.key_id, taken.project_id, taken.month, taken.units],
  });
}

/** Refunds the charge of a failed call to its month. Idempotent. */
export async function refundCharge(
  db: Queryable,
  { session, charge: number }: ChargeId,
  taken: TakenUnits,
): Promise<void> {
  const { kind, organization_id, key_id, project_id, month, units } = taken;
  await db.query({
    name: 'give-back',
    text: 'select give_back($1, $2, $3, $4, $5, $6, $7, $8)',
    values: [session, number, kind, organization_id, key_id, project_id, month, units],
  });
}

/**
 * Settles a charge that timed out: refunds it if it was made, and prevents it if not. Idempotent.
 */
export async function settleCharge(db: Queryable, { session, charge: number }: ChargeId): Promise<void> {
  await db.query({ name: 'settle-charge', text: 'select settle_charge($1, $2)', values: [session, number] });
}
