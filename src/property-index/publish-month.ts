import type pg from 'pg';
import { historyFrom } from '#domain/coverage.ts';
import { monthLabel, monthOf } from '#domain/months.ts';
import { parseQuarter } from '#domain/official/quarters.ts';
import { completeQuarters, type LoadedQuarter, OFFICIAL_RULES } from '#domain/official/rules.ts';
import { buildRelease, type MarketCell, type ReleaseInput } from '#domain/property-index/release.ts';
import type { Kind } from '#domain/property-index/series.ts';
import type { Job } from '#stores/postgres/job.ts';
import { readLoadedQuarters } from '#stores/postgres/official.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type Transaction, transact } from '#stores/postgres/transaction.ts';
import { allReleases, type Database, publish, type ReleaseRow, saveDraft } from './releases.ts';

const CELL = {
  city: sql.nullable(sql.text),
  cluster: sql.text,
  stratum: sql.text,
  period: sql.integer,
  deals: sql.integer,
  count: sql.integer,
  price: sql.nullable(sql.number),
  spread: sql.nullable(sql.number),
};
const INDICATOR = { ...CELL, rows: sql.integer };

/** Sums are numeric, because the last digit of a float sum depends on the order of rows. */
const MEAN = (amount: string, count: string): string =>
  `(sum(${amount}::numeric * ${count}) / nullif(sum(${count}) filter (where ${amount} is not null), 0))::float8`;

/** Places without a match in the gazetteer have the publisher's names. */
const PLACE = `concat_ws('/', coalesce(t.city, t.region_ar || ':' || t.town_ar),
  coalesce(t.neighborhood_id::text, t.neighborhood_ar))`;

/**
 * In a covered city, deals without a neighborhood are counted but not compared, because they are too mixed. In a
 * smaller town they may be the only deals.
 */
const NAMED = '(t.city is null or t.neighborhood_id is not null or t.neighborhood_ar is not null)';

/**
 * @param stratum divides a neighborhood. The publisher states the class of plots in all years, that of homes only in
 *   some.
 */
const indicators = (stratum: string, where: string): string => `
  select t.city, ${PLACE} as cluster, concat_ws('/', ${PLACE}, ${stratum}) as stratum,
         t.quarter as period, sum(t.deed_count)::int as deals,
         coalesce(sum(t.deed_count) filter (where t.mean_price_per_sqm_sar is not null and ${NAMED}), 0)::int as count,
         ${MEAN('t.mean_price_per_sqm_sar', 't.deed_count')} as price,
         max(t.max_price_per_sqm_sar) / nullif(min(t.min_price_per_sqm_sar), 0) as spread, count(*)::int as rows
    from sales_indicators t join official_loads l on l.id = t.load_id and l.state = 'current'
   where ${where}
   group by 1, 2, 3, 4, ${NAMED}`;
const LAND = indicators(
  't.land_use_class',
  `t.property_type = 'land' and t.land_use_class in ('residential', 'commercial')`,
);
const HOMES = indicators('t.property_type', `t.property_type in ('apartment', 'floor')`);

const RENTS = `
  select t.city, ${PLACE} as cluster, ${PLACE} as stratum, t.quarter as period,
         sum(t.contract_count)::int as deals,
         coalesce(sum(t.contract_count) filter (where t.mean_rent_sar is not null), 0)::int as count,
         ${MEAN('t.mean_rent_sar', 't.contract_count')} as price, null::float8 as spread
    from registered_rents t join official_loads l on l.id = t.load_id and l.state = 'current'
   where t.property_type = 'apartment'
   group by 1, 2, 3, 4`;

/**
 * The data of `GET /transactions`, so that anyone can reproduce the results. Quarters are those of registration; the
 * file of an excluded quarter is not served.
 */
const DEALS = `
  select d.city, concat_ws('/', d.city, d.place) as cluster, concat_ws('/', d.city, d.place) as stratum, d.period,
         count(*)::int as deals, count(d.place)::int as count, percentile_cont(0.5) within group (order by d.price) as price,
         percentile_cont(0.9) within group (order by d.price) / nullif(percentile_cont(0.1) within group (order by d.price), 0) as spread
    from (select t.city, coalesce(t.neighborhood_id::text, t.ministry_city_ar || ':' || t.ministry_district_ar) as place,
                 (extract(year from t.day) * 4 + extract(quarter from t.day) - 1)::int as period,
                 round((t.price_sar / t.area_sqm)::numeric, 2)::float8 as price
            from transactions t join official_loads l on l.id = t.load_id and l.state = 'current'
           where t.city is not null and t.land_use_class = 'residential' and not t.quarter = any ($1::int[])) d
   group by d.city, d.place, d.period`;

/** Month-end asking rents of the apartments that were listed in each month. */
const ASKING = `
  select l.city, l.neighborhood_id::text as cluster,
         concat_ws('/', l.neighborhood_id, coalesce(least(l.bedrooms, 5)::text, '-')) as stratum,
         m.month as period, count(*)::int as deals, count(*)::int as count,
         percentile_cont(0.5) within group (order by h.price) as price, null::float8 as spread
    from listing_months h join listings l on l.id = h.listing_id
   cross join lateral generate_series(greatest(h.first_month, $1::int), least(h.last_month, $2::int)) as m (month)
   where h.listing_type = 'rent' and l.property_type = 'apartment' and l.neighborhood_id is not null
     and h.price > 0 and h.plausible & 1 = 1
   group by 1, 2, 3, 4`;

/** @param historyStart first day of the listing history */
async function readMaterials(
  db: Database,
  month: number,
  historyStart: string,
): Promise<Partial<Record<Kind, ReleaseInput>>> {
  const cells = async (statement: string, values: unknown[] = [], columns = CELL): Promise<MarketCell[]> => {
    const rows = await sql.queryRows(db, columns, statement, values);
    return rows.map(({ price, ...row }) => ({ ...row, price: price ?? 0 }));
  };
  const loaded = await readLoadedQuarters(db);
  const excluded = OFFICIAL_RULES.excluded_quarters.map(({ quarter }) => parseQuarter(quarter));
  return {
    rent_registered: { cells: await cells(RENTS), through: null },
    land_registered: { cells: await cells(LAND, [], INDICATOR), through: null },
    home_registered: { cells: await cells(HOMES, [], INDICATOR), through: null },
    residential_land_registered: publishedWhole(await cells(DEALS, [excluded]), loaded),
    rent_asking: {
      cells: await cells(ASKING, [historyFrom(historyStart).firstComplete, month - 1]),
      through: null,
    },
  };
}

/**
 * Removes the deals between a city's last complete quarter and `through`: the last complete quarter of the nationwide
 * files, otherwise that of the most up-to-date city.
 */
export function publishedWhole(cells: readonly MarketCell[], published: readonly LoadedQuarter[]): ReleaseInput {
  // Without land-use classes, residential deals cannot be identified.
  const loaded = published.filter(({ names_classes }) => names_classes);
  const scopes = [...new Set(loaded.map(({ scope }) => scope))];
  const ends = new Map(
    // Without a complete quarter, the end is negative infinity.
    [...scopes, ...cells.map(({ city }) => city ?? '')].map((scope) => [
      scope,
      Math.max(...completeQuarters(scope, loaded)),
    ]),
  );
  const through = Math.max(...(scopes.includes('') ? [''] : scopes).map((scope) => ends.get(scope) as number));
  if (!Number.isFinite(through)) return { cells, through: null };
  // Deals after it are included, because the release then withholds their quarters as incomplete.
  return {
    cells: cells.filter(({ city, period }) => period > through || period <= (ends.get(city ?? '') ?? 0)),
    through,
  };
}

/** Day of the month, because publishers are a few days late. */
const DUE_DAY = 5;

export async function draftRelease(
  db: Transaction,
  { month, historyStart, note }: { month: number; historyStart: string; note: string | null },
): Promise<ReleaseRow & { series: number }> {
  const content = buildRelease(month, await readMaterials(db, month, historyStart));
  return { ...(await saveDraft(db, month, content, note)), series: content.series.length };
}

/** Publishes once, unless there is no data or an operator has built a draft. */
export const publishPropertyIndex = (historyStart: string): Job => ({
  name: 'publish-property-index',
  schedule: '47 4 * * *',
  run: async (db, now) => {
    if (now.getUTCDate() < DUE_DAY) return { published: 0 };
    return publishMonth(db, now, historyStart);
  },
});

export function publishMonth(
  client: pg.ClientBase,
  now: Date,
  historyStart: string,
): Promise<{ published: number; series?: number; drafts?: number }> {
  const month = monthOf(now);
  return transact(
    client,
    async (db) => {
      const existing = (await allReleases(db)).filter((release) => release.month === monthLabel(month));
      if (existing.length > 0)
        return { published: 0, drafts: existing.some(({ published_at }) => published_at !== null) ? 0 : 1 };
      const content = buildRelease(month, await readMaterials(db, month, historyStart));
      const series = content.series.length;
      if (series === 0) return { published: 0, series };
      await saveDraft(db, month, content, null);
      await publish(db, monthLabel(month), now);
      return { published: 1, series };
    },
    'begin isolation level repeatable read',
  );
}
