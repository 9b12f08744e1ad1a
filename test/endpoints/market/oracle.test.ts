import { randomInt } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { Listing } from '#domain/listings/listing.ts';
import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import { medianOf, type PercentilesResult, quartilesOf } from '#domain/statistics/quantiles.ts';
import { compareBody } from '#queries/analytics/compare.ts';
import { rentalYieldBody } from '#queries/analytics/rental-yield.ts';
import {
  aggregateValues,
  type ColumnsResult,
  columnsClause,
  type ValuesAnswer,
  valuesBody,
} from '#queries/market/collected.ts';
import { neighborhoodsBody } from '#queries/market/statistics.ts';
import { hourOf } from '#queries/market/window.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings } from '#test/factories.ts';
import { errorPct, getData, marketCity, mean, pull, type Query, quantile } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/**
 * Compares every statistic with a reference implementation over listings read through search. Set MARKET_SEED to repeat a
 * run.
 */
const SEED = Number(process.env.MARKET_SEED ?? randomInt(2 ** 31));
const NOW = Date.parse('2026-06-01T12:34:37Z');
const HOUR = Date.parse('2026-06-01T12:00:00Z');
const DAY = 86_400_000;

const pulled = new Map<string, Listing[]>();

let app: TestApp;
let key: string;
let city: string;
let neighborhoods: number[];
const now = Math.floor(NOW / 1000);

let cohorts: Query[];
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  city = (
    await app.addCity(
      {},
      Array.from({ length: 12 }, () => ({})),
    )
  ).slug;
  neighborhoods = (app.services.places.neighborhoods(city) ?? []).map(({ id }) => id);
  await indexListings(app.services, marketCity({ city, neighborhoods, now, count: 3_000, random: seeded(SEED) }));
  cohorts = [
    { city, listing_type: 'rent' },
    { city, listing_type: 'sale', property_type: 'apartment' },
    { city, listing_type: 'rent', property_type: 'villa,floor', beds_min: 3 },
    { city, listing_type: 'rent', neighborhood_id: String(neighborhoods[1]), area_max: 200 },
    {
      city,
      listing_type: 'sale',
      listing_category: 'commercial',
      neighborhood_id: `${neighborhoods[0]},${neighborhoods[5]}`,
    },
    { city, listing_type: 'rent', beds: 5, neighborhood_id: String(neighborhoods[11]) },
  ];
  for (const query of cohorts) pulled.set(JSON.stringify(query), await pull(app, key, query));
});
test.after(() => app.close());

/** Returns the cohort's listings that are included in statistics. */
function sampleOf(query: Query): Listing[] {
  const all = pulled.get(JSON.stringify(query));
  if (!all) throw new Error('not pulled');
  return all.filter(({ updated_at }) => Date.parse(updated_at) >= HOUR - 30 * DAY);
}

const prices = (listings: readonly Listing[]): number[] => listings.map(({ price }) => price.yearly_sar as number);
const areas = (listings: readonly Listing[]): number[] => listings.flatMap(({ area_sqm }) => area_sqm ?? []);
const perSqm = (listings: readonly Listing[]): number[] =>
  listings.flatMap(({ price, area_sqm }) => (area_sqm ? (price.yearly_sar as number) / area_sqm : []));
const countBy = <K>(values: readonly K[]): Map<K, number> => {
  const counts = new Map<K, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Largest error in percent by statistic, logged at the end. */
const worst = new Map<string, number>();
function near(t: ExecutionContext, found: number | null, exact: number | null, name: string, mostPct = 0.2): void {
  const error = errorPct(found, exact);
  worst.set(name, Math.max(worst.get(name) ?? 0, error));
  // Amounts are rounded to two decimals.
  const rounded = found !== null && exact !== null && Math.abs(found - exact) <= 0.00501;
  t.true(error <= mostPct || rounded, `${name}: ${found}, exactly ${exact} (MARKET_SEED=${SEED})`);
}

test('the market summary matches the result of the reference implementation', async (t) => {
  for (const query of cohorts) {
    const sample = sampleOf(query);
    const data = await getData(app, key, '/v1/market/summary', query);
    t.is(data.sample_size, sample.length);
    t.is(data.small_sample, sample.length < 10);
    near(t, data.median_price_sar, quantile(prices(sample), 0.5), 'median price');
    near(t, data.p25_price_sar, quantile(prices(sample), 0.25), 'p25 price');
    near(t, data.p75_price_sar, quantile(prices(sample), 0.75), 'p75 price');
    near(t, data.mean_price_sar, mean(prices(sample)), 'mean price', 0);
    near(t, data.median_price_per_sqm_sar, quantile(perSqm(sample), 0.5), 'median price per m2');
    near(t, data.median_area_sqm, quantile(areas(sample), 0.5), 'median area');
    const types = countBy(sample.map(({ property_type }) => property_type));
    t.is(data.property_types.length, types.size);
    for (const row of data.property_types) {
      t.is(row.sample_size, types.get(row.property_type));
      near(t, row.share_pct, (row.sample_size / sample.length) * 100, 'share', 0);
    }
    const byNeighborhood = countBy(sample.flatMap(({ location }) => location.neighborhood_id ?? []));
    const top = [...byNeighborhood.values()].sort((a, b) => b - a).slice(0, 10);
    t.deepEqual(
      data.top_neighborhoods.map((row: { sample_size: number }) => row.sample_size),
      top,
    );
    for (const row of data.top_neighborhoods) t.is(row.sample_size, byNeighborhood.get(row.neighborhood_id));
    const sources = countBy(sample.map(({ source }) => source.name));
    t.deepEqual(
      Object.fromEntries(data.sources.map((row: { name: string; sample_size: number }) => [row.name, row.sample_size])),
      Object.fromEntries(sources),
    );
    const updated = sample.map(({ updated_at }) => Date.parse(updated_at));
    t.is(data.freshness.last_updated_at, new Date(Math.max(...updated)).toISOString().replace('.000', ''));
    const week = updated.filter((time) => time >= HOUR - 7 * DAY).length;
    near(t, data.freshness.updated_last_7_days_pct, (week / sample.length) * 100, 'fresh', 0);
  }
});

for (const [path, values, unit] of [
  ['/v1/market/price-distribution', prices, 'price_sar'],
  ['/v1/market/area-distribution', areas, 'area_sqm'],
] as const) {
  test(`${path} matches the result of the reference implementation`, async (t) => {
    for (const query of cohorts) {
      const measured = values(sampleOf(query));
      const data = await getData(app, key, path, query);
      t.is(data.sample_size, sampleOf(query).length);
      near(t, data[`mean_${unit}`], mean(measured), `mean ${unit}`, 0);
      near(t, data[`median_${unit}`], quantile(measured, 0.5), `median ${unit}`);
      near(t, data[`p25_${unit}`], quantile(measured, 0.25), `p25 ${unit}`);
      near(t, data[`p75_${unit}`], quantile(measured, 0.75), `p75 ${unit}`);
      t.is(data[`min_${unit}`], Math.min(...measured));
      t.is(data[`max_${unit}`], Math.max(...measured));
      for (const share of [5, 10, 90, 95])
        near(t, data[`p${share}_${unit}`], quantile(measured, share / 100), `p${share} ${unit}`);
      let sum = 0;
      for (const { from, to, count, share_pct } of data.bins) {
        const own = measured.filter((value) => (from === null || value >= from) && (to === null || value < to)).length;
        t.is(count, own, `${from} to ${to}`);
        near(t, share_pct, (own / measured.length) * 100, 'share', 0);
        sum += count;
      }
      t.is(sum, measured.length);
      t.true(data.bins.length <= 27, `${data.bins.length} bins`);
    }
  });
}

test('supply figures match the result of the reference implementation', async (t) => {
  for (const query of cohorts) {
    const first = sampleOf(query).map(({ first_seen_at }) => Date.parse(first_seen_at));
    const between = (from: number, to: number): number =>
      first.filter((time) => time >= HOUR - from * DAY && time < HOUR - to * DAY).length;
    const { periods } = await getData(app, key, '/v1/market/supply', query);
    t.deepEqual(
      periods.map((period: { days: number }) => period.days),
      [7, 30],
    );
    for (const period of periods) {
      const { days } = period;
      const [now, before] = [between(days, 0), between(2 * days, days)];
      t.is(period.new_listings, now);
      t.is(period.previous_new_listings, before);
      near(t, period.change_pct, before === 0 ? null : (now / before - 1) * 100, 'change', 0);
    }
  }
});

test('vacancy figures match the result of the reference implementation', async (t) => {
  for (const query of cohorts) {
    const days = sampleOf(query).map(({ first_seen_at }) =>
      Math.max(0, Math.floor((HOUR - Date.parse(first_seen_at)) / DAY)),
    );
    const data = await getData(app, key, '/v1/market/vacancy', query);
    near(t, data.median_days_on_market, quantile(days, 0.5), 'days', 0);
    near(t, data.p25_days_on_market, quantile(days, 0.25), 'days', 0);
    near(t, data.p75_days_on_market, quantile(days, 0.75), 'days', 0);
    near(t, data.mean_days_on_market, mean(days), 'days', 0);
    for (const { days_or_more, count } of data.lasting) t.is(count, days.filter((each) => each >= days_or_more).length);
    t.regex(data.method, /proxy for vacancy/);
  }
});

test('the neighborhood statistics match the result of the reference implementation', async (t) => {
  for (const query of cohorts) {
    const sample = sampleOf(query);
    const { neighborhoods: rows } = await getData(app, key, '/v1/market/neighborhoods', query);
    const own = countBy(sample.flatMap(({ location }) => location.neighborhood_id ?? []));
    t.deepEqual(
      Object.fromEntries(
        rows.map((row: { neighborhood_id: number; sample_size: number }) => [row.neighborhood_id, row.sample_size]),
      ),
      Object.fromEntries(own),
    );
    let before = Number.POSITIVE_INFINITY;
    for (const row of rows) {
      const listings = sample.filter(({ location }) => location.neighborhood_id === row.neighborhood_id);
      near(t, row.median_price_sar, quantile(prices(listings), 0.5), 'neighborhood median', 0);
      near(t, row.p25_price_sar, quantile(prices(listings), 0.25), 'neighborhood p25', 0);
      near(t, row.p75_price_sar, quantile(prices(listings), 0.75), 'neighborhood p75', 0);
      near(t, row.median_price_per_sqm_sar, quantile(perSqm(listings), 0.5), 'neighborhood per m2', 0);
      t.true(row.median_price_sar <= before);
      t.is(row.small_sample, listings.length < 10);
      before = row.median_price_sar;
    }
  }
});

test('statistics computed from values match those computed from histograms and digests', async (t) => {
  const { search } = app.services;
  const hour = hourOf(NOW);
  const rent = { city, listing_type: 'rent' };
  for (const body of [
    neighborhoodsBody(rent, hour),
    rentalYieldBody({ city }, hour),
    compareBody({ ...rent, neighborhood_id: neighborhoods.slice(0, 4) }, hour),
  ]) {
    const values = valuesBody(body);
    if (values === null) throw new Error('it has no statistics of buckets');
    const whole = await search.search<ValuesAnswer>('listings', body);
    const found = aggregateValues(body, await search.search<ValuesAnswer>('listings', values));
    t.deepEqual(found?.hits, whole.hits);
    alike(t, found?.aggregations, whole.aggregations, '');
    // Skips values if the engine stopped before it had read all listings.
    t.is(aggregateValues(body, await search.search<ValuesAnswer>('listings', { ...values, terminate_after: 5 })), null);
    const { value } = (
      await search.search<{ aggregations: { none: ColumnsResult } }>('listings', {
        ...body,
        aggs: { none: columnsClause([{ field: 'stats.unknown', type: 'Longs' }]) },
      })
    ).aggregations.none;
    t.deepEqual(value, [[]], 'a field that the index does not have');
  }
});

/**
 * Compares aggregations: equal buckets in the same order, and nearly equal figures.
 * @param size number of listings in the enclosing bucket
 */
function alike(t: ExecutionContext, found: unknown, expected: unknown, path: string, size = 0): void {
  if (isPercentiles(expected)) {
    const [ours, theirs] = [found as PercentilesResult, expected];
    near(t, medianOf(ours), medianOf(theirs), 'median either way', 1);
    // Only prices have quartiles, and all listings have a price.
    if (theirs.values.length === MEDIAN_PERCENTS.length) return;
    for (const part of ['p25', 'p75'] as const)
      near(t, quartilesOf(ours, size)?.[part] ?? null, quartilesOf(theirs, size)?.[part] ?? null, part, 1);
  } else if (typeof expected === 'object' && expected !== null) {
    const { doc_count = size } = expected as { doc_count?: number };
    for (const [name, part] of Object.entries(expected))
      alike(t, (found as Record<string, unknown>)?.[name], part, `${path}.${name}`, doc_count);
  } else if (typeof expected === 'number') near(t, found as number, expected, path, 1e-6);
  else t.is(found ?? null, expected as null, path);
}

const isPercentiles = (value: unknown): value is PercentilesResult =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, 'values');

test('every market response states its cohort, its time window, and the source and basis of its prices', async (t) => {
  for (const name of ['summary', 'price-distribution', 'area-distribution', 'supply', 'vacancy', 'neighborhoods']) {
    const query = { city, listing_type: 'sale', property_type: 'villa,floor', bbox: '46,24,47,25', beds_min: 2 };
    const data = await getData(app, key, `/v1/market/${name}`, query);
    t.deepEqual(data.cohort, { ...query, property_type: ['villa', 'floor'], bbox: [46, 24, 47, 25] });
    t.deepEqual(data.window, {
      updated_within_days: 30,
      from: '2026-05-02T12:00:00Z',
      to: '2026-06-01T12:34:00Z',
    });
    t.is(data.price_source, 'asking');
    t.is(data.price_basis, 'total_price');
  }
});

test.after((t) => t.log([...worst].map(([name, error]) => `${name} ${error.toFixed(3)}%`).join(', ')));
