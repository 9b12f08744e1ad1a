import { toAmount } from '#domain/money.ts';
import { monthLabel, monthStart, unitMonth } from '#domain/months.ts';
import { KEY_KINDS } from '#src/accounts/keys.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

/** Months with a statement, including the current one. `usage_days` has all days of these. */
export const STATEMENT_MONTHS = 13;
/** Value-added tax in Saudi Arabia. Prices of units are without it. */
export const VAT_PCT = 15;

const TERMS = {
  plan: sql.text,
  units_per_month: sql.nullable(sql.integer),
  overage_sar_per_1000: sql.number,
  units: sql.integer,
  live_units: sql.integer,
  test_units: sql.integer,
};

/**
 * The bill of a month: units of live keys as `charge` counted them, over the quota of the plan at the end of the month,
 * or of the current plan. Amounts in SAR.
 * @param month as `monthOf`
 */
export async function readStatement(db: Queryable, organizationId: number, month: number) {
  const found = await sql.queryOne(
    db,
    TERMS,
    // An organization that is younger than the month has its first plan.
    `select h.plan, h.units_per_month, h.overage_sar_per_1000::float8, coalesce(c.units, 0) as units,
            coalesce(u.live_units, 0)::bigint as live_units, coalesce(u.test_units, 0)::bigint as test_units
       from (select * from plan_history
              cross join lateral (select since < $3::date::timestamp at time zone 'UTC' as applies) a
              where organization_id = $1 order by a.applies desc, case when a.applies then since end desc, since limit 1) h
       left join unit_counters c on c.subject = 'organization' and c.subject_id = $1 and c.month = $4
       cross join (select sum(u.units) filter (where k.kind is distinct from 'test') as live_units,
                          sum(u.units) filter (where k.kind = 'test') as test_units
                     from usage_days u left join api_keys k on k.id = u.key_id
                    where u.organization_id = $1 and u.day >= $2::date and u.day < $3::date) u`,
    [organizationId, ...daysOf(month), unitMonth(new Date(monthStart(month)))],
  );
  const quota = found.units_per_month;
  const over = quota === null ? 0 : Math.max(0, found.units - quota);
  const net = toAmount((over * found.overage_sar_per_1000) / 1_000);
  const vat = toAmount((net * VAT_PCT) / 100);
  return {
    month: monthLabel(month),
    plan: found.plan,
    units_per_month: quota,
    units: found.units,
    test_units: found.test_units,
    unrecorded_units: Math.max(0, found.units - found.live_units),
    overage_units: over,
    sar_per_1000_units: found.overage_sar_per_1000,
    net_sar: net,
    vat_pct: VAT_PCT,
    vat_sar: vat,
    total_sar: toAmount(net + vat),
  };
}

const LINE = {
  day: sql.text,
  key_id: sql.nullable(sql.text),
  key_name: sql.nullable(sql.text),
  kind: sql.oneOf(KEY_KINDS),
  operation: sql.text,
  requests: sql.integer,
  units: sql.integer,
};
const POSITIONED_LINE = { ...LINE, day_number: sql.integer, key_number: sql.integer };

/** Position of a line in its statement. */
export interface LinePosition {
  /** Days since 1970. */
  day: number;
  key: number;
  operation: string;
}

/** Returns charged calls by day, key and operation, the first day first. */
export const readStatementLines = (
  db: Queryable,
  organizationId: number,
  month: number,
  size: number,
  after: LinePosition | null,
) =>
  sql.queryRows(
    db,
    POSITIONED_LINE,
    `select u.day::text as day, k.public_id as key_id, k.name as key_name, coalesce(k.kind, 'live') as kind, u.endpoint as operation,
            sum(u.requests)::bigint as requests, sum(u.units)::bigint as units,
            u.day - date '1970-01-01' as day_number, u.key_id as key_number
       from usage_days u left join api_keys k on k.id = u.key_id
      where u.organization_id = $1 and u.day >= $2::date and u.day < $3::date and u.units > 0
        and ($4::int is null or (u.day, u.key_id, u.endpoint) > (date '1970-01-01' + $4, $5::bigint, $6::text))
      group by u.day, u.key_id, u.endpoint, k.id order by u.day, u.key_id, u.endpoint limit $7`,
    [organizationId, ...daysOf(month), after?.day ?? null, after?.key ?? null, after?.operation ?? null, size],
  );

/** First day of the month and of the next. */
const daysOf = (month: number): string[] => [month, month + 1].map((each) => `${monthLabel(each)}-01`);
