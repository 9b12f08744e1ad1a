import { parseQuarter } from '../official/quarters.ts';
import { type CoverageFlag, coverageFlag, isExcludedQuarter, lastUncut, OFFICIAL_RULES } from '../official/rules.ts';
import type { Interval } from '../statistics/bootstrap.ts';
import { difference, rounded } from '../statistics/figures.ts';
import { weightedQuantile } from '../statistics/quantiles.ts';
import { randomFrom } from '../statistics/random.ts';
import { type Cell, type IndexPoint, indexOf, type PriceIndex } from './matched-index.ts';
import {
  CITY_RULES,
  INDEX_SOURCES,
  KINDS,
  type Kind,
  lastPeriodBefore,
  type NoSeriesReason,
  periodLabel,
  perYear,
  type ReleaseContent,
  SERIES_KINDS,
  type Series,
  type SeriesKind,
  type WithheldReason,
} from './series.ts';

export interface MarketCell extends Cell {
  /** Slug of a covered city, otherwise null. National series include all cities. */
  city: string | null;
  /** Number of deals, including those that do not affect the price. */
  deals: number;
  /** If the source publishes a row for each month of a quarter. */
  rows?: number;
}

export interface ReleaseInput {
  cells: readonly MarketCell[];
  /** The last completely published period; null to derive it from the deals. */
  through: number | null;
}

/** Share of the previous period's deals below which a last period counts as partially published. */
const SHRUNK = 0.5;
/** The same share for a period with a single row per stratum, which counts as one published month of three. */
const SINGLE_ROWS = 0.6;

/**
 * Computes all series from periods that had ended when the month began. Equal input gives an identical release.
 * @param month numbered as by `monthOf`
 */
export function buildRelease(month: number, materials: Readonly<Partial<Record<Kind, ReleaseInput>>>): ReleaseContent {
  const content: ReleaseContent = { series: [], cities_without_series: [] };
  for (const kind of KINDS) {
    const material = materials[kind];
    if (material === undefined) continue;
    const market = marketOf(kind, month, material);
    if (market === null) continue;
    const national = seriesOf(market, null);
    if (national) content.series.push(national.series);
    const cities = new Set(market.cells.flatMap(({ city }) => (city === null ? [] : [city])));
    for (const city of [...cities].sort()) {
      const series = cityScope(market, city);
      if (typeof series === 'string') content.cities_without_series.push({ kind, city, reason: series });
      else content.series.push(series);
    }
  }
  return content;
}

type Market = NonNullable<ReturnType<typeof marketOf>>;

function marketOf(kind: Kind, month: number, { cells, through }: ReleaseInput) {
  const { first, frequency } = SERIES_KINDS[kind] as SeriesKind;
  const end = lastPeriodBefore(frequency, month);
  const kept = cells.filter(
    ({ city, period }) => period <= end && (first === null || period >= first) && !isExcluded(kind, city, period),
  );
  const deals = dealsByPeriod(kept);
  if (deals.size === 0) return null;
  const start = first ?? Math.min(...deals.keys());
  const periods = Array.from({ length: end - start + 1 }, (_, at) => start + at);
  const closed = new Map<number, WithheldReason>();
  for (const period of periods) {
    if (isExcluded(kind, null, period)) closed.set(period, 'excluded');
    else if (!deals.has(period)) closed.set(period, 'not_published');
    else if (through !== null && period > through) closed.set(period, 'incomplete');
  }
  const open = periods.filter((period) => !closed.has(period));
  const [before, last] = open.slice(-2);
  if (last !== undefined && before === last - 1) {
    const isSingle = kept.every(({ period, rows }) => period !== last || rows === 1);
    const least = (isSingle ? SINGLE_ROWS : SHRUNK) * (deals.get(before) ?? 0);
    if ((deals.get(last) ?? 0) < least) closed.set(last, 'incomplete');
  }
  return { kind, cells: kept.filter(({ period }) => !closed.has(period)), periods, closed };
}

/** The rules exclude some quarters of the ministry's deals, and the deals of some cities after a given day. */
function isExcluded(kind: Kind, city: string | null, period: number): boolean {
  if (SERIES_KINDS[kind].source_key !== 'justice_transactions') return false;
  return isExcludedQuarter(period) || (city !== null && period > lastUncut(city));
}

function cityScope(market: Market, city: string): Series | NoSeriesReason {
  const found = seriesOf(market, city);
  if (!SERIES_KINDS[market.kind].city_rules) return found?.series ?? 'too_few_neighborhoods';
  const deals = dealsByPeriod(market.cells.filter((cell) => cell.city === city));
  const asked = market.periods.filter((period) => !market.closed.has(period) && !isExcluded(market.kind, city, period));
  if (asked.some((period) => (deals.get(period) ?? 0) < CITY_RULES.minDeals)) return 'too_few_deals';
  if (found === null || asked.some((period) => !found.index.points.some((point) => point.period === period)))
    return 'too_few_neighborhoods';
  return isStable(found.index) ? found.series : 'not_stable';
}

/**
 * Returns whether changes are precise enough on average, and the index agrees with a direct link from its first to its
 * last period.
 */
function isStable({ points, drift }: PriceIndex): boolean {
  // Half-widths in logarithms, in which intervals are symmetric.
  const margins = points
    .slice(1)
    .map(({ linkInterval }) =>
      linkInterval === null ? Number.POSITIVE_INFINITY : Math.log(linkInterval.high / linkInterval.low) / 2,
    );
  const mean = margins.reduce((sum, margin) => sum + margin, 0) / Math.max(margins.length, 1);
  return (
    mean <= Math.log(1 + CITY_RULES.maxMargin) &&
    (drift === null ? points.length <= 2 : Math.abs(Math.log(drift)) <= Math.log(1 + CITY_RULES.maxDrift))
  );
}

function dealsByPeriod(cells: readonly MarketCell[]): Map<number, number> {
  const deals = new Map<number, number>();
  for (const cell of cells) deals.set(cell.period, (deals.get(cell.period) ?? 0) + cell.deals);
  return deals;
}

function seriesOf(market: Market, city: string | null): { series: Series; index: PriceIndex } | null {
  const { kind, cells, periods } = market;
  const row: SeriesKind = SERIES_KINDS[kind];
  const { version } = row;
  const mine = city === null ? cells : cells.filter((cell) => cell.city === city);
  const index = indexOf(mine, version.rules, { random: randomFrom(`property index ${kind} ${city ?? 'national'}`) });
  const base = index.points[0];
  if (base === undefined) return null;
  const deals = dealsByPeriod(mine);
  const label = (period: number): string => periodLabel(row.frequency, period);
  const points = new Map(index.points.map((point) => [point.period, point]));
  return {
    index,
    series: {
      kind,
      series_version: version.number,
      method: version.method,
      method_note: version.note,
      property: row.property,
      scope: city === null ? 'national' : 'city',
      city,
      frequency: row.frequency,
      price_source: row.price_source,
      source_key: row.source_key,
      source: INDEX_SOURCES[row.source_key],
      base_period: label(base.period),
      chain_drift_pct: index.drift === null ? null : rounded((index.drift - 1) * 100),
      points: index.points.map((point) => ({
        period: label(point.period),
        [row.index_name]: rounded(point.index),
        ...(row.has_median ? { median_price_per_sqm: medianPrice(mine, version.rules.minCell, point.period) } : {}),
        interval: row.sampled ? bounds(point.interval, (value) => value) : null,
        ...changes(point, points, row),
        sample_size: deals.get(point.period) ?? 0,
        matched_sample_size: point.count,
        matched_neighborhoods: point.clusters,
        coverage_flag: flagOf(row, city, point.period),
      })),
      withheld_periods: periods.flatMap((period) =>
        points.has(period)
          ? []
          : [{ period: label(period), reason: reasonOf(market, city, period, deals.has(period)) }],
      ),
    },
  };
}

function changes(point: IndexPoint, points: ReadonlyMap<number, IndexPoint>, { sampled, frequency }: SeriesKind) {
  const change = (before: IndexPoint | undefined): number | null => difference(point.index, before?.index ?? null);
  const next = point.from === point.period - 1;
  return {
    change_pct: next ? change(points.get(point.period - 1)) : null,
    change_interval_pct: next && sampled ? bounds(point.linkInterval, (value) => (value - 1) * 100) : null,
    change_year_pct: change(points.get(point.period - perYear(frequency))),
  };
}

function bounds(interval: Interval | null, unit: (value: number) => number): Interval | null {
  if (interval === null) return null;
  return { low: rounded(unit(interval.low)) as number, high: rounded(unit(interval.high)) as number };
}

function medianPrice(cells: readonly MarketCell[], minCell: number, period: number): number | null {
  const priced = cells
    .filter((cell) => cell.period === period && cell.count >= minCell)
    .sort((a, b) => a.price - b.price);
  if (priced.length === 0) return null;
  const [prices, counts] = [priced.map(({ price }) => price), priced.map(({ count }) => count)];
  return rounded(weightedQuantile(prices, counts, 0.5));
}

function reasonOf({ kind, closed }: Market, city: string | null, period: number, hasDeals: boolean) {
  if (isExcluded(kind, city, period)) return 'excluded';
  return closed.get(period) ?? (hasDeals ? 'too_few_neighborhoods' : 'not_published');
}

/** Only the ministry's deals have known gaps. */
function flagOf({ source_key }: SeriesKind, city: string | null, quarter: number): CoverageFlag {
  if (source_key !== 'justice_transactions') return 'full';
  if (city !== null) return coverageFlag(city, quarter, true);
  const partly = OFFICIAL_RULES.notary_only.some(({ from_quarter }) => quarter >= parseQuarter(from_quarter));
  return partly ? 'notary_only' : 'full';
}
