import { monthOf } from '#domain/months.ts';
import { buildRelease, type MarketCell } from '#domain/property-index/release.ts';
import type { Kind, Series } from '#domain/property-index/series.ts';
import { test } from '#test/test.ts';

const quarter = (year: number, q: number): number => year * 4 + q - 1;
const START = quarter(2023, 2);
/** The release of August 2024 has five quarters, up to 2024-Q2. */
const MONTH = monthOf(Date.UTC(2024, 7));

interface Market {
  city?: string | null;
  neighborhoods?: number;
  deals?: number;
  from?: number;
  to?: number;
  /** Returns the price per m² of a neighborhood in SAR. `at` is the number of quarters since the first quarter. */
  price?(neighborhood: number, at: number): number;
}

function cells({ city = 'riyadh', neighborhoods = 20, deals = 40, from = START, to = START + 4, price }: Market = {}) {
  const found: MarketCell[] = [];
  for (let period = from; period <= to; period++)
    for (let neighborhood = 0; neighborhood < neighborhoods; neighborhood++) {
      const cluster = `${city}/${neighborhood}`;
      const level = price?.(neighborhood, period - START) ?? 3_000 + 100 * neighborhood;
      found.push({ city, cluster, stratum: cluster, period, deals, count: deals, price: level, spread: null });
    }
  return found;
}
const build = (kind: Kind, all: MarketCell[], through: number | null = null) =>
  buildRelease(MONTH, { [kind]: { cells: all, through } });
const of = (found: { series: Series[] }, city: string | null): Series | undefined =>
  found.series.find((series) => series.city === city);
const periods = (series: Series | undefined): string[] => series?.points.map(({ period }) => period) ?? [];

test('an index series has a point for each quarter from 2023-Q2 to the last complete quarter', (t) => {
  const rising = cells({
    from: START - 3,
    to: START + 8,
    price: (neighborhood, at) => (3_000 + neighborhood) * 1.02 ** at,
  });
  const found = build('home_registered', rising);
  const series = of(found, 'riyadh') as Series;
  t.like(series, {
    series_version: 1,
    method: 'chained_tornqvist',
    scope: 'city',
    base_period: '2023-Q2',
    chain_drift_pct: 0,
    withheld_periods: [],
  });
  t.deepEqual(periods(series), ['2023-Q2', '2023-Q3', '2023-Q4', '2024-Q1', '2024-Q2']);
  t.deepEqual(series.points.at(-1), {
    period: '2024-Q2',
    home_price_index: 108.24,
    median_price_per_sqm: 3257.58,
    interval: { low: 108.24, high: 108.24 },
    change_pct: 2,
    change_interval_pct: { low: 2, high: 2 },
    change_year_pct: 8.24,
    sample_size: 800,
    matched_sample_size: 800,
    matched_neighborhoods: 20,
    coverage_flag: 'full',
  });
  t.is(of(found, null)?.scope, 'national');
});

test('a city needs 500 deals in every quarter for a series, and every city counts in the national series', (t) => {
  const small = cells({ city: 'abha', deals: 25, neighborhoods: 19 });
  const nowhere = cells({ city: null, deals: 6, neighborhoods: 3 });
  const found = build('land_registered', [...cells(), ...small, ...nowhere]);
  t.deepEqual(found.cities_without_series, [{ kind: 'land_registered', city: 'abha', reason: 'too_few_deals' }]);
  t.is(of(found, 'abha'), undefined);
  t.is(of(found, null)?.points[0]?.sample_size, 800 + 475 + 18);
  t.is(of(found, null)?.points[1]?.matched_neighborhoods, 42);
  // Fewer than 500 deals in a single quarter are too few. Deals without a price count.
  const unpriced = small.map((cell) => ({ ...cell, deals: 30 }));
  t.truthy(of(build('land_registered', unpriced), 'abha'));
  const gap = unpriced.map((cell) => (cell.period === START + 2 ? { ...cell, deals: 25 } : cell));
  t.is(of(build('land_registered', gap), 'abha'), undefined);
});

test('a city with an unstable index or too few neighborhoods has no series', (t) => {
  // In each quarter, prices rise by 66% in half of the neighborhoods and return to 3,000 in the other half.
  const wild = cells({ price: (neighborhood, at) => 3_000 * (1 + ((neighborhood + at) % 2) * 0.66) });
  t.deepEqual(build('land_registered', wild).cities_without_series, [
    { kind: 'land_registered', city: 'riyadh', reason: 'not_stable' },
  ]);
  const few = cells({ neighborhoods: 9, deals: 100 });
  t.deepEqual(build('land_registered', few).cities_without_series, [
    { kind: 'land_registered', city: 'riyadh', reason: 'too_few_neighborhoods' },
  ]);
  t.is(of(build('rent_registered', few), 'riyadh')?.points.length, 5, 'rents are not held to it');
});

test('missing and incomplete quarters are withheld with a reason', (t) => {
  const gap = cells().filter(({ period }) => period !== START && period !== START + 2);
  const found = of(build('home_registered', gap), 'riyadh');
  t.deepEqual(found?.withheld_periods, [
    { period: '2023-Q2', reason: 'not_published' },
    { period: '2023-Q4', reason: 'not_published' },
  ]);
  t.is(found?.points[1]?.change_pct, null, 'no change over a quarter that is missing');
  t.is(found?.points[1]?.period, '2024-Q1');

  const half = cells().map((cell) => (cell.period === START + 4 ? { ...cell, deals: 19, count: 19 } : cell));
  t.deepEqual(of(build('land_registered', half), 'riyadh')?.withheld_periods, [
    { period: '2024-Q2', reason: 'incomplete' },
  ]);
  t.deepEqual(of(build('residential_land_registered', cells(), START + 3), 'riyadh')?.withheld_periods, [
    { period: '2024-Q2', reason: 'incomplete' },
  ]);
  // The last quarter has 46 instead of 80 deals per cell. If each stratum has a single source row, only one month of three
  // was published. If there are three rows, the quarter has fewer deals.
  const shrunk = (rows: number) =>
    cells({ deals: 80 }).map((cell) => ({ ...cell, rows, ...(cell.period === START + 4 && { deals: 46, count: 46 }) }));
  const withheld = (rows: number) => of(build('home_registered', shrunk(rows)), 'riyadh')?.withheld_periods;
  t.deepEqual(withheld(1), [{ period: '2024-Q2', reason: 'incomplete' }]);
  t.deepEqual(withheld(3), []);
});

test('the residential land series of Riyadh excludes quarters from 2026-Q2 on and is flagged as notary only from 2024-Q1 on', (t) => {
  const to = quarter(2026, 3);
  const all = [...cells({ to }), ...cells({ city: 'jeddah', to })];
  const found = buildRelease(monthOf(Date.UTC(2026, 10)), {
    residential_land_registered: { cells: all, through: null },
    land_registered: { cells: all, through: null },
  });
  const legacy = (city: string | null) =>
    found.series.find((series) => series.kind === 'residential_land_registered' && series.city === city) as Series;
  t.like(legacy('riyadh'), { series_version: 2, method: 'geks_tornqvist' });
  t.is(legacy('riyadh').points.at(-1)?.period, '2026-Q1');
  t.deepEqual(legacy('riyadh').withheld_periods, [
    { period: '2026-Q2', reason: 'excluded' },
    { period: '2026-Q3', reason: 'excluded' },
  ]);
  t.is(legacy('jeddah').points.at(-1)?.period, '2026-Q3');
  t.is(legacy(null).points.at(-1)?.sample_size, 800, 'nor counted in the national series');
  const flags = (series: Series) => [...new Set(series.points.map(({ coverage_flag }) => coverage_flag))];
  t.deepEqual(flags(legacy('riyadh')), ['full', 'notary_only']);
  t.deepEqual(flags(legacy('jeddah')), ['full']);
  const land = found.series.filter(({ kind }) => kind === 'land_registered');
  for (const series of land) t.deepEqual(flags(series), ['full']);
  t.is(land.find(({ city }) => city === 'riyadh')?.points.at(-1)?.period, '2026-Q3', 'Riyadh included');
});
