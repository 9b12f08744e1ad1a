import { circlesBody, comparablesBody } from '#queries/analytics/comparables.ts';
import { compareBody } from '#queries/analytics/compare.ts';
import { dealsBody } from '#queries/analytics/deals.ts';
import { marketPositionBody } from '#queries/analytics/market-position.ts';
import { nearbyBody } from '#queries/analytics/nearby.ts';
import { rentalYieldBody } from '#queries/analytics/rental-yield.ts';
import { MAX_INTERVALS_BY_VALUE, trendsBody, trendValuesBody } from '#queries/analytics/trends.ts';
import { exportByIdsBody, exportCountBody, exportPageBody } from '#queries/exports/listings.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { byIdsBody, countBody, plausible, searchBody } from '#queries/listings/search.ts';
import { SORT_NAMES, type SortName } from '#queries/listings/sorts.ts';
import { COHORT_FILTERS, type CohortFilters, cohortOf, cohortRows } from '#queries/market/cohort.ts';
import {
  AREA,
  distributionBody,
  neighborhoodsBody,
  priceMeasure,
  summaryBody,
  supplyBody,
  vacancyBody,
} from '#queries/market/statistics.ts';
import { hourOf } from '#queries/market/window.ts';
import { developersBody, projectsBody } from '#queries/off-plan/projects.ts';
import { unitSummaryBody, unitsBody } from '#queries/off-plan/units.ts';
import { cellsBody } from '#queries/transactions/cells.ts';
import { transactionsBody } from '#queries/transactions/search.ts';
import { test } from '#test/test.ts';

/**
 * Properties of request bodies that change the cost of a response and not its content, or that the data of the reference
 * implementations do not have. The content is compared by the tests named `oracle`.
 */
const NOW = Date.parse('2026-06-01T12:34:00Z');
const rent = { city: 'riyadh', listing_type: 'rent' } as const;
const around: FilterValues = { ...rent, near: [24.7742, 46.6385], radius_m: 1_500 };
const filtered: FilterValues = {
  ...rent,
  property_type: ['apartment', 'villa'],
  neighborhood_id_exclude: [1003],
  price_max: 90_000,
  verified: false,
  days_on_market_max: 30,
  q: 'مسبح | "private pool"',
};
const facts = { id: 4711, ...rent, property_type: 'apartment', age: null, bedrooms: 3, area: 120 };
const home = { ...facts, lat: 24.7, lng: 46.7 };
const months = { filters: rent, basis: 'on_market', firstMonth: 24_314, lastMonth: 24_318 } as const;
const pit = { id: 'a-point-in-time', keep_alive: '3m' };
const year = { city: 'riyadh', quarterFrom: 8_096, quarterTo: 8_099, byNeighborhood: false };

/** Statistics, which are the same within an hour. */
const STATISTICS: Readonly<Record<string, (now: number) => Record<string, unknown>>> = {
  summary: (now) => summaryBody(rent, hourOf(now)),
  'price distribution': (now) => distributionBody(priceMeasure('rent'), rent, hourOf(now)),
  'area distribution': (now) => distributionBody(AREA, rent, hourOf(now)),
  supply: (now) => supplyBody(rent, hourOf(now)),
  vacancy: (now) => vacancyBody(rent, hourOf(now)),
  neighborhoods: (now) => neighborhoodsBody(rent, hourOf(now)),
  'rental yield': (now) => rentalYieldBody({ city: 'riyadh' }, hourOf(now)),
  compare: (now) => compareBody({ ...rent, neighborhood_id: [1001, 1002] }, hourOf(now)),
  'market position': (now) => marketPositionBody({ id: 4711, price: 45_000, neighborhood: 1001, filters: rent }, now),
  'comparables circles': (now) => circlesBody(home, now),
};

/** Rows of analytics, which are the same within an hour. */
const HOURLY_ROWS: typeof STATISTICS = {
  comparables: (now) => comparablesBody(home, { radius: 1_000, sameBedrooms: true }, 10, now),
  nearby: (now) => nearbyBody(home, now),
  'nearby in a neighborhood': (now) => nearbyBody({ ...facts, neighborhood_id: 1001 }, now),
  deals: (now) => dealsBody({ filters: rent, now, size: 11 }),
};

const search = (sort: SortName, after?: readonly [number, number]) =>
  searchBody({ filters: sort === 'distance' ? around : rent, sort, size: 11, after }, { now: NOW });

/** A page after a row with the first sort value 20 and the id 7, by name. */
const PAGES: Readonly<Record<string, Record<string, unknown>>> = {
  ...Object.fromEntries(SORT_NAMES.map((sort) => [sort, search(sort, [20, 7])])),
  units: unitsBody({ filters: rent, sort: 'price_asc', size: 11, after: [20, 7] }),
  deals: dealsBody({ filters: rent, now: NOW, size: 11, after: [20, 7] }),
  transactions: transactionsBody({ filters: { city: 'riyadh' }, size: 11, after: [20, 7] }),
};

for (const [name, body] of Object.entries({ ...STATISTICS, ...HOURLY_ROWS }))
  test(`${name}: the body stays the same within an hour and changes in the next`, (t) => {
    const text = (time: string): string => JSON.stringify(body(Date.parse(time)));
    t.is(text('2026-06-01T12:00:00Z'), text('2026-06-01T12:59:00Z'));
    t.not(text('2026-06-01T12:59:00Z'), text('2026-06-01T13:00:00Z'));
  });

test('identical searches compile to identical bodies, regardless of the order of filters', (t) => {
  const turned = Object.fromEntries(Object.entries(filtered).reverse()) as FilterValues;
  const text = (filters: FilterValues): string =>
    JSON.stringify(searchBody({ filters, sort: 'newest', size: 26 }, { now: NOW }));
  t.is(text(turned), text(filtered));
});

test('statistics request no rows, and rows request no total', (t) => {
  const statistics = {
    ...Object.fromEntries(Object.entries(STATISTICS).map(([name, body]) => [name, body(NOW)])),
    trends: trendsBody(months),
    'trend values': trendValuesBody(months),
    'unit summary': unitSummaryBody(7),
    'computed cells': cellsBody({ ...year, neighborhood_id: [1001, 1002] }, 5),
    count: countBody(filtered, { now: NOW }),
    'export count': exportCountBody([], pit),
  };
  for (const [name, { size }] of Object.entries(statistics)) t.is(size, 0, name);
  const rows = {
    ...PAGES,
    ...Object.fromEntries(Object.entries(HOURLY_ROWS).map(([name, body]) => [name, body(NOW)])),
    'by ids': byIdsBody([3, 1, 2]),
    projects: projectsBody({ filters: {}, sort: 'newest', size: 11 }),
    developers: developersBody({ filters: {}, size: 11 }),
    'stored cells': cellsBody(year, 5),
    export: exportPageBody({ filter: [], pit, size: 500, after: null }),
    'export by ids': exportByIdsBody([3, 1, 2], pit),
  };
  for (const [name, { track_total_hits }] of Object.entries(rows)) t.is(track_total_hits, false, name);
});

test('a page after a row reads only rows from its first sort value on', (t) => {
  for (const [name, { query, sort }] of Object.entries(PAGES)) {
    const { filter } = (query as { bool: { filter: { range?: Record<string, object> }[] } }).bool;
    const keys = (sort as Record<string, unknown>[]).map((key) => Object.entries(key)[0] as [string, unknown]);
    const [field, direction] = keys.at(-2) as [string, unknown];
    // OpenSearch has no range of distances.
    if (name === 'distance') continue;
    const bounds = filter.flatMap(({ range }) => range?.[field] ?? []);
    t.deepEqual(bounds.at(-1), direction === 'asc' ? { gte: 20 } : { lte: 20 }, name);
  }
});

test('pages in the order of the index begin with its sort keys', (t) => {
  const keys = ({ sort }: Record<string, unknown>) => (sort as object[]).map((key) => Object.keys(key)[0]);
  t.deepEqual(keys(search('newest')), ['filter.city', 'filter.listing_type', 'filter.first_seen_at', 'filter.id']);
  t.deepEqual(keys(PAGES.deals ?? {}), ['filter.city', 'filter.listing_type', 'stats.deal_gap_pct', 'filter.id']);
  t.deepEqual(keys(PAGES.transactions ?? {}), ['filter.city', 'filter.month', 'filter.order']);
  t.deepEqual(exportPageBody({ filter: [], pit, size: 500, after: null }).sort, ['_shard_doc']);
});

test('bodies read only the fields that they need', (t) => {
  t.is(nearbyBody(home, NOW)._source, false);
  t.deepEqual(cellsBody(year, 5)._source, ['display.cells']);
  t.is(trendValuesBody(months).terminate_after, MAX_INTERVALS_BY_VALUE + 1);
});

test('trends of one property type apply its plausibility, others the pooled one', (t) => {
  const flagOf = (property_type: FilterValues['property_type']): unknown => {
    const filters = property_type ? { ...rent, property_type } : rent;
    const { query } = trendsBody({ ...months, filters }) as { query: { bool: { filter: { term?: object }[] } } };
    return query.bool.filter.flatMap(({ term = {} }) => Object.keys(term)).find((field) => field.includes('plausible'));
  };
  t.is(flagOf(['villa']), 'on_market.plausible_typed');
  t.is(flagOf(['villa', 'duplex']), 'on_market.plausible_pooled');
  t.is(flagOf(undefined), 'on_market.plausible_pooled');
});

test('the band of a neighborhood has its newest listings', (t) => {
  t.deepEqual(nearbyBody({ ...facts, neighborhood_id: 1001 }, NOW).sort, [{ 'filter.id': 'desc' }]);
});

test('comparables with the number of bedrooms of the listing come first, also if it states none', (t) => {
  for (const [bedrooms, same] of [
    [3, { term: { 'filter.beds': 3 } }],
    [null, { bool: { must_not: [{ exists: { field: 'filter.beds' } }] } }],
  ] as const) {
    const body = comparablesBody({ ...home, bedrooms }, { radius: 1_000, sameBedrooms: false }, 10, NOW);
    const { functions } = (body.query as { function_score: { functions: { filter?: unknown; weight?: number }[] } })
      .function_score;
    const last = functions.at(-1);
    t.deepEqual(last?.filter, same);
    // The scores of distance and area are at most 1 each.
    t.true((last?.weight ?? 0) > functions.length - 1);
    t.true(JSON.stringify(circlesBody({ ...home, bedrooms }, NOW)).includes(JSON.stringify(same)));
  }
});

test('cohort filters are rows of the filter table', (t) => {
  t.deepEqual(
    cohortRows().map(({ name }) => name),
    [...COHORT_FILTERS],
  );
  const villas: CohortFilters = { city: 'riyadh', listing_type: 'sale', property_type: ['villa'], beds_min: 4 };
  t.deepEqual(cohortOf({ ...villas, sort: 'newest', q: 'pool', limit: 5 } as CohortFilters), villas);
});

test('a property type that is given twice has the bounds of one type', (t) => {
  const flag = (...property_type: NonNullable<FilterValues['property_type']>) => plausible({ ...rent, property_type });
  t.deepEqual(flag('villa', 'villa'), flag('villa'));
  t.notDeepEqual(flag('villa', 'apartment'), flag('villa'));
});
