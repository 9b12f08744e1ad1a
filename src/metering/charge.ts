import type { KeyKind } from '#accounts/keys.ts';
import type { Scope } from '#accounts/scopes.ts';
import type { Queryable } from '#postgres/transaction.ts';

export interface ChargeRequest {
  keyHash: Buffer;
  /** Kind of keys that the endpoint accepts. */
  audience: 'data' | 'admin';
  /** Null if the endpoint accepts any key of the audience, for example for reference data. */
  scope: Scope | null;
  units: number;
  /** Whether the request passed validation. Invalid requests are authenticated, but never charged. */
  valid: boolean;
  /** Page size and offset of the request, which may exceed the limits of the plan; 0 for endpoints without pages. */
  limit: number;
  offset: number;
  ip: string | null;
  /** Time of the charge, set by tests; null for the clock of the database. */
  now: Date | null;
}

/** Key, its organization, and the limits of its plan. */
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
  /** Days of price history in responses; null for all. */
  price_history_days: number | null;
  /** Whether responses include `source.url` and `source.listing_id`. */
  source_links: boolean;
  /** Units per minute and per month; null for unlimited. */
  rate_limit: number | null;
  quota_limit: number | null;
}

export interface Admitted extends Caller {
  outcome: null;
  /** Identifies the charge for a refund. */
  id: ChargeId;
  /** Charged units. */
  units: number;
  /** UTC month of the charge, as `yyyymm`. */
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
  /** Error code of the API, or `invalid_request` or `page_size_exceeded`, which are converted to error codes later. */
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

/** Identifies a charge by its session, which is a connection of a pool, and its number in the session. */
export interface ChargeId {
  session: string;
  charge: number;
}

/** Units of a charge and the counters that they were taken from. */
export type TakenUnits = Pick<Admitted, 'kind' | 'organization_id' | 'key_id' | 'project_id' | 'month' | 'units'>;

/**
 * Statement that charges one call. Its values are `chargeValues`, the session, and the number of the charge in the session.
 */
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

/** Result of the SQL function, without an id. `quota_left` is negative if the quota is exceeded. */
export type ChargeAnswer = AdmittedAnswer | Refused;
export type AdmittedAnswer = Omit<Admitted, 'id'> & { quota_left: number | null };

/**
 * Authenticates, authorizes and charges a call in one round trip. Counts are exact across any number of API nodes.
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

/** Background work to charge, which continues after its call. */
export interface BackgroundCharge extends Pick<ChargeRequest, 'scope' | 'units' | 'now'> {
  /** Hash of the key; null if the key was deleted. */
  keyHash: Buffer | null;
}

/**
 * Charges background work of a key once its size is known. Checks the current state of the key. The units count toward the
 * monthly quota and caps, but not toward the rate limit per minute. Must run in the transaction that records the charge.
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

/** Refunds units in the month of their charge. Not idempotent: must run in the transaction that records the refund. */
export async function refund(db: Queryable, taken: TakenUnits): Promise<void> {
  await db.query({
    name: 'refund',
    text: 'select refund($1, $2, $3, $4, $5, $6)',
    values: [taken.kind, taken.organization_id, taken.key_id, taken.project_id, taken.month, taken.units],
  });
}

/** Refunds the charge of a failed call in the month of the charge. Idempotent. */
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

/** Settles a charge that timed out: refunds it if it was made, otherwise prevents it. Idempotent. */
export async function settleCharge(db: Queryable, { session, charge: number }: ChargeId): Promise<void> {
  await db.query({ name: 'settle-charge', text: 'select settle_charge($1, $2)', values: [session, number] });
}
