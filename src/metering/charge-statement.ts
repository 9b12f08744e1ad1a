import { KEY_KINDS } from '#src/accounts/keys.ts';
import type { Scope } from '#src/accounts/scopes.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';

export interface ChargeRequest {
  keyHash: Buffer;
  audience: 'data' | 'admin';
  /** Null if the endpoint accepts any key of the audience. */
  scope: Scope | null;
  units: number;
  /** Invalid requests are authenticated but never charged. */
  valid: boolean;
  /** Page size and offset may exceed the plan's limits; 0 for endpoints without pages. */
  limit: number;
  offset: number;
  ip: string | null;
  /** Set by tests; null uses the database clock. */
  now: Date | null;
}

const CALLER = {
  organization_id: sql.integer,
  organization: sql.text,
  key_id: sql.integer,
  key: sql.text,
  kind: sql.oneOf(KEY_KINDS),
  project_id: sql.nullable(sql.integer),
  plan: sql.text,
  scopes: sql.listOf(sql.textAs<Scope>()),
  /** Networks from which the organization accepts calls; empty for all. */
  ip_allowlist: sql.listOf(sql.text),
  page_size: sql.integer,
  paging_depth: sql.integer,
  /** Days of price history in responses; null for the complete history. */
  price_history_days: sql.nullable(sql.integer),
  /** Whether responses include `source.url` and `source.listing_id`. */
  source_links: sql.boolean,
  /** Units per minute and per month; null if unlimited. */
  rate_limit: sql.nullable(sql.integer),
  quota_limit: sql.nullable(sql.integer),
  /** Time of the decision in epoch milliseconds. */
  clock: sql.number,
};

/** Limits of a month. */
export const UNIT_LIMITS = ['monthly_quota', 'spend_cap', 'project_cap'] as const;

const ADMITTED = {
  ...CALLER,
  outcome: sql.empty,
  units: sql.integer,
  /** UTC month of the charge, as `yyyymm`. */
  month: sql.integer,
  rate_remaining: sql.nullable(sql.integer),
  /** Seconds until more units are available. */
  rate_reset: sql.nullable(sql.integer),
  /** Units left of the quota or of the cap of the project, whichever has fewer. */
  quota_remaining: sql.nullable(sql.integer),
  quota_reset: sql.nullable(sql.integer),
  /** Units that quota, spend cap and project cap still allow. The function of an earlier release returns none. */
  units_until_refused: sql.optional(sql.nullable(sql.integer)),
  limited_by: sql.optional(sql.nullable(sql.oneOf(UNIT_LIMITS))),
};

const UNKNOWN_KEY = { outcome: sql.oneOf(['invalid_api_key']) };

const REFUSED_CALLER = {
  ...CALLER,
  /** Code of the API, or `invalid_request` or `page_size_exceeded`, which `refusalError` converts. */
  outcome: sql.oneOf([
    'revoked_api_key',
    'expired_api_key',
    'admin_key_required',
    'admin_key_not_allowed',
    'client_suspended',
    'client_expired',
    'ip_not_allowed',
    'scope_not_in_plan',
    'scope_not_in_key',
    'invalid_request',
    'page_size_exceeded',
    'result_window_exceeded',
    'rate_limited',
    'monthly_quota_exceeded',
    'spend_cap_reached',
    'project_cap_exceeded',
  ]),
  /** Null if retrying cannot succeed. */
  retry_after: sql.nullable(sql.integer),
};

export type Caller = sql.RowOf<typeof CALLER>;

const VIEW = ['organization', 'kind', 'paging_depth', 'price_history_days', 'source_links'] as const;
/** A response depends only on this part of its caller. */
export type Viewer = Pick<Caller, (typeof VIEW)[number]>;
export const isSameView = (one: Viewer, other: Viewer): boolean => VIEW.every((name) => one[name] === other[name]);

export type Admitted = sql.RowOf<typeof ADMITTED>;
export type RefusedCaller = sql.RowOf<typeof REFUSED_CALLER>;

export type Refusal = sql.RowOf<typeof UNKNOWN_KEY> | RefusedCaller;

/** Charged units with the counters to which they were added, for a refund. */
export const CHARGED_UNITS = {
  kind: ADMITTED.kind,
  organization_id: sql.integer,
  key_id: sql.integer,
  project_id: sql.nullable(sql.integer),
  month: sql.integer,
  units: sql.integer,
};
export type ChargedUnits = sql.RowOf<typeof CHARGED_UNITS>;

/** @param deadline by the clock of Postgres */
export const chargeStatement = (
  { keyHash, audience, scope, units, valid, limit, offset, ip, now }: ChargeRequest,
  deadline: Date | null,
) => ({
  name: 'charge',
  text: 'select charge($1, $2, $3, $4, $5, $6, $7, $8, $9, false, $10)',
  values: [keyHash, audience, scope, units, valid, limit, offset, ip, now, deadline],
});

/** Calls of 0 units, which have no deadline because they charge nothing. Returns rows in the order of the calls. */
export const lookupStatement = (calls: readonly ChargeRequest[]) => ({
  name: 'lookups',
  text: `
    select charge(hash, audience, scope, 0, valid, page, skipped, ip, at)
      from unnest($1::bytea[], $2::text[], $3::text[], $4::boolean[], $5::integer[], $6::integer[], $7::inet[], $8::timestamptz[])
           with ordinality as c (hash, audience, scope, valid, page, skipped, ip, at, place)
     order by place`,
  values: (['keyHash', 'audience', 'scope', 'valid', 'limit', 'offset', 'ip', 'now'] as const).map((name) =>
    calls.map((call) => call[name]),
  ),
});

export const CHARGE_ROW = { charge: sql.choice('outcome', [ADMITTED, UNKNOWN_KEY, REFUSED_CALLER]) };

/**
 * For background work, in the transaction that records the charge. The units do not count toward the rate limit.
 * @param charge `keyHash` is null if the key was deleted
 */
export async function chargeInBackground(
  db: Transaction,
  { keyHash, scope, units, now }: Pick<ChargeRequest, 'scope' | 'units' | 'now'> & { keyHash: Buffer | null },
): Promise<Admitted | Refusal> {
  const row = await sql.queryOne(db, CHARGE_ROW, {
    name: 'charge-in-background',
    text: `select charge($1, 'data', $2, $3, true, 0, 0, null, $4, true)`,
    values: [keyHash, scope, units, now],
  });
  return row.charge;
}

/** Not idempotent: the transaction must record the refund. */
export async function refund(db: Transaction, taken: ChargedUnits): Promise<void> {
  await db.query({
    name: 'refund',
    text: 'select refund($1, $2, $3, $4, $5, $6)',
    values: [taken.kind, taken.organization_id, taken.key_id, taken.project_id, taken.month, taken.units],
  });
}
