import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { monthLabel, monthOf, monthStart } from '#domain/months.ts';
import { medianOf, quartilesOf } from '#domain/statistics/quantiles.ts';
import { TREND_BASES, type Trends, trendsBody, trendsOfValues, trendValuesBody } from '#queries/analytics/trends.ts';
import { columnsClause } from '#queries/market/collected.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { errorPct, getData, type Query, quantile } from '#test/market.ts';
import { test } from '#test/test.ts';
import { startPipeline, testSource } from '../../ingest/run/pipeline.ts';
import { feedOf, invent, type Life, SLIP, TIMES } from './history-market.ts';

/** Compares the trends of the API after runs over simulated months with a replay of the feeds. */
const NOW = Date.parse('2026-07-20T12:34:00Z');
const LIVES = invent(110, 5);

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let app: TestApp;
let key: string;
test.before(async () => {
  pipeline = await startPipeline('history');
  app = await startTestApp({
    env: { INDEX_PREFIX: pipeline.prefix, HISTORY_START: '2026-03-09' },
    indexes: ['history'],
    overrides: { clock: { now: () => NOW, chargeTime: () => null } },
  });
  await app.addCity({ slug: 'riyadh' }, neighborhoodsOf('riyadh'));
  key = (await createOrganization(app.services)).key;
  const source = testSource('lives');
  for (const [time, at] of TIMES.entries()) {
    source.feed = feedOf(LIVES, time);
    await pipeline.run([source], at);
  }
});
test.after(async () => {
  await app.close();
  await pipeline.close();
});

const trends = (query: Query = {}) =>
  getData(app, key, '/v1/market/trends', { city: 'riyadh', listing_type: 'rent', ...query });

/** Returns the price of an ad in a month when it was last listed in the month; undefined if it was not listed. */
function onMarket(life: Life, month: number): number | null | undefined {
  let found: number | null | undefined;
  for (const [time, day] of life.days.entries()) {
    const until = Date.parse(TIMES[time + 1] ?? '2100-01-01T00:00:00Z');
    const overlaps = Date.parse(TIMES[time] as string) < monthStart(month + 1) && until > monthStart(month);
    if (day && overlaps) found = day.price;
  }
  return found;
}

function asNew(life: Life, month: number): number | null | undefined {
  const first = life.days.findIndex((day) => day !== null);
  if (first === -1 || monthOf(Date.parse(TIMES[first] as string)) !== month) return undefined;
  return life.days.find((day) => day && day.price !== null)?.price ?? null;
}

interface Point {
  month: string;
  coverage: string;
  sample_size: number | null;
  median_price_sar: number | null;
  p25_price_sar: number | null;
  p75_price_sar: number | null;
  median_price_per_sqm_sar: number | null;
  change_pct: number | null;
}

type Counted = (life: Life, month: number) => number | null | undefined;

/** Compares the points of a series with the ads. @returns the number of listings in all points */
function comparePoints(t: import('ava').ExecutionContext, points: Point[], lives: Life[], counted: Counted): number {
  let listings = 0;
  const first = monthOf(NOW) - points.length + 1;
  for (const [index, point] of points.entries()) {
    const month = first + index;
    t.is(point.month, monthLabel(month));
    if (point.coverage === 'no_history') {
      t.is(point.sample_size, null);
      continue;
    }
    const rows = lives.flatMap((life) => {
      const price = counted(life, month);
      return price === undefined || price === null || price < SLIP ? [] : [{ price, area: life.area }];
    });
    listings += rows.length;
    t.is(point.sample_size, rows.length, point.month);
    const prices = rows.map(({ price }) => price);
    const close = (found: number | null, exact: number | null) =>
      t.true(errorPct(found, exact) < 0.002, `${point.month}: ${found} is not ${exact}`);
    close(point.p25_price_sar, quantile(prices, 0.25));
    close(point.median_price_sar, quantile(prices, 0.5));
    close(point.p75_price_sar, quantile(prices, 0.75));
    close(
      point.median_price_per_sqm_sar,
      quantile(
        rows.map(({ price, area }) => price / area),
        0.5,
      ),
    );
  }
  return listings;
}

const BASES: readonly (readonly [string, Counted])[] = [
  ['on_market', onMarket],
  ['new_listings', asNew],
];

for (const [basis, counted] of BASES) {
  test(`trends on the basis ${basis} match a replay of the feeds in every month, for any filter`, async (t) => {
    const cases: readonly (readonly [Query, (life: Life) => boolean])[] = [
      [{}, () => true],
      [{ property_type: 'apartment', area_min: 110 }, ({ area }) => area >= 110],
      [{ property_type: 'villa' }, () => false],
      [{ listing_category: 'commercial' }, () => false],
      [{ beds: '1,3', area_max: 120 }, ({ bedrooms, area }) => bedrooms % 2 === 1 && bedrooms < 4 && area <= 120],
      [{ max_age: 5 }, ({ age }) => age !== null && age <= 5],
    ];
    for (const [query, belongs] of cases) {
      const { series, cohort } = await trends({ basis, months: 8, ...query });
      t.is(series.length, 1);
      t.is(cohort.city, 'riyadh');
      const lives = LIVES.filter((life) => life.listingType === 'rent' && belongs(life));
      const listings = comparePoints(t, series[0].points, lives, counted);
      if (lives.length > 0) t.true(listings > 20);
    }
    // Sales are few, so their fences are those of the whole country. Typing errors are still outside the fences.
    const { series, price_basis } = await trends({ basis, listing_type: 'sale' });
    t.is(price_basis, 'total_price');
    const sales = LIVES.filter(({ listingType }) => listingType === 'sale');
    t.true(series[0].points.at(-1).sample_size <= sales.length);
  });

  test(`trends on the basis ${basis} have a series per neighborhood, in the requested order`, async (t) => {
    const { rows } = await pipeline.pool.query<{ key: string; neighborhood: number | null }>(
      'select source_listing_id as key, neighborhood_id as neighborhood from listings',
    );
    const placed = new Map(rows.map(({ key, neighborhood }) => [key, neighborhood]));
    const counts = new Map<number, number>();
    for (const id of placed.values()) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1);
    const ids = [...counts].sort((a, b) => b[1] - a[1]).map(([id]) => id);
    const empty = neighborhoodsOf('riyadh').find(({ id }) => !counts.has(id))?.id as number;
    const asked = [...ids.slice(0, 4), empty].reverse();
    const { series } = await trends({ basis, neighborhood_id: asked.join() });
    t.deepEqual(
      series.map((each: { neighborhood_id: number }) => each.neighborhood_id),
      asked,
    );
    for (const { neighborhood_id: id, points } of series) {
      const lives = LIVES.filter((life) => life.listingType === 'rent' && placed.get(life.id) === id);
      comparePoints(t, points, lives, counted);
    }
  });
}

test('trends computed from values match trends computed from histograms', async (t) => {
  const { search } = app.services;
  const lastMonth = monthOf(NOW);
  const rent = { city: 'riyadh', listing_type: 'rent' };
  const neighborhood_id = neighborhoodsOf('riyadh').map(({ id }) => id);
  for (const basis of TREND_BASES)
    for (const filters of [rent, { ...rent, neighborhood_id }]) {
      const input = { filters, basis, firstMonth: lastMonth - 3, lastMonth };
      const read = async (changes = {}) =>
        trendsOfValues(await search.search('history', { ...trendValuesBody(input), ...changes }), input);
      const values = await read();
      const whole = (await search.search<{ aggregations: Trends }>('history', trendsBody(input))).aggregations;
      const listOf = ({ months, series }: Trends) =>
        (series?.buckets ?? [{ key: '', months }]).flatMap(({ key, months }) =>
          [...(months?.buckets ?? [])].sort((a, b) => a.key - b.key).map((month) => ({ ...month, series: key })),
        );
      const [found, expected] = [listOf(values ?? {}), listOf(whole)];
      t.true(expected.length > 0);
      const exactly = ({ series, key, doc_count, prices: { min, max } }: (typeof found)[number]) =>
        [series, key, doc_count, min, max].join();
      t.deepEqual(found.map(exactly), expected.map(exactly));
      const figures = ({ price, price_per_sqm, doc_count }: (typeof found)[number]) => {
        const { p25 = 0, median = 0, p75 = 0 } = quartilesOf(price, doc_count) ?? {};
        return [p25, median, p75, medianOf(price_per_sqm) ?? 0];
      };
      for (const [at, row] of expected.entries())
        for (const [index, figure] of figures(row).entries())
          t.true(errorPct(figures(found[at] as (typeof found)[number])[index] ?? 0, figure) < 0.2);
      t.is(await read({ terminate_after: 2 }), null, 'too many');
      const { aggs: _, ...none } = trendValuesBody(input);
      const field = `${basis}.unknown`;
      const clause = columnsClause([{ field, type: 'Longs' }]);
      const before =
        filters === rent
          ? { values: clause }
          : { series: { terms: { field: 'filter.neighborhood_id' }, aggs: { values: clause } } };
      t.is(
        trendsOfValues(await search.search('history', { ...none, aggs: before }), input),
        null,
        'of an earlier release',
      );
    }
});

test('trends state coverage and start of the history, and their changes compare complete months only', async (t) => {
  const { series, history, window } = await trends({ months: 8 });
  t.deepEqual(history, { start_date: '2026-03-09', first_complete_month: '2026-04' });
  t.deepEqual(window, { months: 8, from: '2025-12', to: '2026-07' });
  const { points, change_pct, change_from, change_to } = series[0] as {
    points: Point[];
    change_pct: number;
    change_from: string;
    change_to: string;
  };
  t.deepEqual(
    points.map(({ coverage }) => coverage),
    [...Array(3).fill('no_history'), 'history_start', 'complete', 'complete', 'complete', 'in_progress'],
  );
  for (const { coverage, ...figures } of points.slice(0, 3)) {
    t.is(coverage, 'no_history');
    t.true(Object.entries(figures).every(([name, value]) => name === 'month' || value === null));
  }
  const change = (to: number, from: number) =>
    Math.round(((points[to]?.median_price_sar as number) / (points[from]?.median_price_sar as number) - 1) * 10_000) /
    100;
  t.deepEqual(
    points.map((point) => point.change_pct),
    [null, null, null, null, null, change(5, 4), change(6, 5), null],
  );
  t.deepEqual([change_pct, change_from, change_to], [change(6, 4), '2026-04', '2026-06']);
  t.is((await trends({ months: 1 })).series[0].points.length, 1);
  t.is((await trends()).series[0].points.length, 12);
  t.is((await trends({ months: 36 })).series[0].points.length, 36);
  const many = neighborhoodsOf('riyadh').slice(0, 6);
  for (const query of ['months=37', 'months=0', 'basis=sold', `neighborhood_id=${many.map(({ id }) => id)}`]) {
    const path = `/v1/market/trends?city=riyadh&listing_type=rent&${query}`;
    const { error } = (await app.request(path, { key })).body;
    t.like(error, { code: 'invalid_value', param: query.split('=')[0] });
  }
});
