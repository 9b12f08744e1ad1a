import type { ExecutionContext } from 'ava';
import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { monthLabel, monthOf, monthStart } from '#domain/months.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { aggregateInEngine, errorPct, getData, type Query, quantile } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { ad, startPipeline, testSource } from '../../../ingest/run/pipeline.ts';

/** Compares the trends of the API after runs over simulated months with a replay of the feeds. */
const NOW = Date.parse('2026-07-20T12:34:00Z');

/** Times at which the sources of the simulated market are read. Two of them are the first moment of a month. */
const TIMES = [
  '2026-03-09T03:00:00Z',
  '2026-03-25T03:00:00Z',
  '2026-04-01T00:00:00Z',
  '2026-04-20T03:00:00Z',
  '2026-05-02T03:00:00Z',
  '2026-05-20T03:00:00Z',
  '2026-07-01T00:00:00Z',
  '2026-07-15T03:00:00Z',
] as const;

/** Prices below this amount in SAR are typing errors in the simulated market, and are implausible. */
const SLIP = 2_000;

/**
 * Generates ads that appear, disappear, return, change their price, lose it, or have an absurd price for a while. `days`
 * is their content at each of `TIMES`; null if the source does not list them.
 */
function invent(count: number) {
  const random = seeded(5);
  const price = (): number => 40_000 + Math.floor(random() * 200) * 100;
  return Array.from({ length: count }, (_, index) => {
    let now: number | null = random() < 0.08 ? null : price();
    let listed = random() < 0.75;
    const days = TIMES.map((): { price: number | null } | null => {
      if (random() < 0.15) listed = !listed;
      const event = random();
      if (event < 0.2) now = price();
      else if (event < 0.24) now = null;
      else if (event < 0.28) now = 400 + Math.floor(random() * 1_000);
      else if (event < 0.45 && now !== null && now < SLIP) now = price();
      return listed ? { price: now } : null;
    });
    const listingType = random() < 0.85 ? 'rent' : 'sale';
    const bedrooms = 1 + Math.floor(random() * 4);
    return {
      id: `life${index}`,
      listingType,
      bedrooms,
      area: 90 + (index % 60),
      age_years: index % 7 === 0 ? null : index % 12,
      days,
    };
  });
}

/** Returns the feed at one of `TIMES`. Ads are more than a kilometer apart, so that none are merged. */
function feedOf(time: number): FeedRow[] {
  return LIVES.flatMap(({ id, days, listingType, ...facts }, index) => {
    const day = days[time];
    if (!day) return [];
    return ad(id, {
      ...facts,
      purpose: listingType,
      price: day.price,
      price_period: listingType === 'rent' ? 'yearly' : null,
      lat: 24.6 + Math.floor(index / 15) * 0.013,
      lng: 46.6 + (index % 15) * 0.013,
    });
  });
}

type Life = ReturnType<typeof invent>[number];
const LIVES = invent(110);

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
    source.feed = feedOf(time);
    await pipeline.run([source], at);
  }
});
test.after(async () => {
  await app.close();
  await pipeline.close();
});

const trends = (query: Query = {}) =>
  getData(app, key, '/v1/market/trends', { city: 'riyadh', listing_type: 'rent', ...query });

/** Returns the neighborhoods of the ads. */
async function readNeighborhoods(): Promise<Map<string, number | null>> {
  const { rows } = await pipeline.pool.query<{ key: string; neighborhood: number | null }>(
    'select source_listing_id as key, neighborhood_id as neighborhood from listings order by id',
  );
  return new Map(rows.map(({ key, neighborhood }) => [key, neighborhood]));
}

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
function comparePoints(t: ExecutionContext, points: Point[], lives: Life[], counted: Counted, mostPct: number): number {
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
    const rates = rows.map(({ price, area }) => price / area);
    for (const [found, values, share] of [
      [point.p25_price_sar, prices, 0.25],
      [point.median_price_sar, prices, 0.5],
      [point.p75_price_sar, prices, 0.75],
      [point.median_price_per_sqm_sar, rates, 0.5],
    ] as const)
      t.true(errorPct(found, quantile(values, share)) < mostPct, `${point.month}: ${found}`);
  }
  return listings;
}

const RENTS = LIVES.filter(({ listingType }) => listingType === 'rent');
const BASES: readonly (readonly [string, Counted])[] = [
  ['on_market', onMarket],
  ['new_listings', asNew],
];

/** Largest accepted errors in percent by where statistics are computed. The last one holds for all later tests. */
for (const [where, mostPct] of [
  ['from single values', 0.002],
  ['from histograms', 0.2],
] as const)
  test(`trends ${where} match a replay of the feeds in every month, for any filter and neighborhood`, async (t) => {
    if (where === 'from histograms') aggregateInEngine(app);
    const cases: readonly (readonly [Query, (life: Life) => boolean])[] = [
      [{}, () => true],
      [{ property_type: 'apartment', area_min: 110 }, ({ area }) => area >= 110],
      [{ listing_category: 'commercial' }, () => false],
      [{ beds: '1,3', area_max: 120 }, ({ bedrooms, area }) => bedrooms % 2 === 1 && bedrooms < 4 && area <= 120],
      [{ max_age: 5 }, ({ age_years }) => age_years !== null && age_years <= 5],
    ];
    const placed = await readNeighborhoods();
    const ids = [...new Set(placed.values())].filter((id) => id !== null);
    const empty = neighborhoodsOf('riyadh').find(({ id }) => !ids.includes(id))?.id;
    const asked = [empty, ...ids.slice(0, 4)].reverse();
    for (const [basis, counted] of BASES) {
      for (const [query, belongs] of cases) {
        const { series } = await trends({ basis, months: 8, ...query });
        t.is(series.length, 1);
        const lives = RENTS.filter(belongs);
        const listings = comparePoints(t, series[0].points, lives, counted, mostPct);
        if (lives.length > 0) t.true(listings > 20);
      }
      const { series } = await trends({ basis, neighborhood_id: asked.join() });
      t.deepEqual(
        series.map((each: { neighborhood_id: number }) => each.neighborhood_id),
        asked,
      );
      for (const { neighborhood_id: id, points } of series) {
        const lives = RENTS.filter((life) => placed.get(life.id) === id);
        comparePoints(t, points, lives, counted, mostPct);
      }
    }
  });

test('trends state coverage and start of the history, and their changes compare complete months only', async (t) => {
  const { series, history, window } = await trends({ months: 8 });
  t.deepEqual(history, { start_date: '2026-03-09', first_complete_month: '2026-04' });
  t.deepEqual(window, { months: 8, from: '2025-12', to: '2026-07' });
  const [{ points, ...changes }] = series;
  t.deepEqual(
    points.map(({ coverage }: Point) => coverage),
    [...Array(3).fill('no_history'), 'history_start', 'complete', 'complete', 'complete', 'in_progress'],
  );
  const change = (to: number, from: number) =>
    Math.round((points[to].median_price_sar / points[from].median_price_sar - 1) * 10_000) / 100;
  t.deepEqual(
    points.map((point: Point) => point.change_pct),
    [null, null, null, null, null, change(5, 4), change(6, 5), null],
  );
  t.like(changes, { change_pct: change(6, 4), change_from: '2026-04', change_to: '2026-06' });
  const neighborhood_id = neighborhoodsOf('riyadh').flatMap(({ id }, at) => (at < 6 ? id : []));
  const { body } = await app.request(
    `/v1/market/trends?city=riyadh&listing_type=rent&neighborhood_id=${neighborhood_id}`,
    { key },
  );
  t.like(body.error, { code: 'invalid_value', param: 'neighborhood_id' });
});
