import { drawClusters, effectiveClusters, type Interval, intervalOf, ROUNDS } from '../statistics/bootstrap.ts';
import { quantile } from '../statistics/quantiles.ts';

/** Deals of one stratum in one period: a single price, regardless of the number of deals. */
export interface Cell {
  /** What is compared over time, such as the apartments in one neighborhood. */
  stratum: string;
  /** Group of dependent strata, such as those of one neighborhood. */
  cluster: string;
  /** Period number. Consecutive periods differ by one. */
  period: number;
  count: number;
  price: number;
  /** Highest over lowest price of the deals; null if the source does not state them. */
  spread: number | null;
}

export interface IndexRules {
  /** Deals that a cell needs to be compared. */
  minCell: number;
  minClusters: number;
  /** Factor from the median price relative beyond which a stratum is excluded from a link. */
  maxRelative: number;
  /** `adjacent` links each period to the previous one, `all` every pair. */
  links: 'adjacent' | 'all';
  /** Largest spread of a compared cell. Cells with a larger one mix different goods. */
  maxSpread: number;
  /** Largest share of one stratum in a link's weight. With too few strata for this maximum, all have equal shares. */
  maxShare: number;
  /** Share of the value in both periods (geometric mean) that the strata of a link must cover. */
  minWorth: number;
}

export type PriceIndex = ReturnType<typeof indexOf>;
export type IndexPoint = PriceIndex['points'][number];

/** With fewer, a bootstrap is meaningless. */
const MIN_CLUSTERS_FOR_INTERVAL = 5;

/**
 * Computes a matched-model index (Handbook on Residential Property Price Indices, chapters 4 and 5). A link compares
 * the strata that two periods share, by a Törnqvist index. The index is the least-squares fit to the logarithms of all
 * links: with links between adjacent periods the chained index, between all periods the transitive GEKS-Törnqvist index
 * (Ivancic, Diewert and Fox, "Scanner data, time aggregation and the construction of price indexes", 2011), which has
 * no chain drift.
 * @param random random source for the bootstrap over clusters
 * @returns the points of periods with a link, and `drift`: the ratio between the index in the last period and a direct
 * link from the first; null without that link or with fewer than three points
 */
export function indexOf(
  cells: readonly Cell[],
  rules: IndexRules,
  { random, rounds = ROUNDS }: { random: () => number; rounds?: number },
) {
  const comparable = comparablePeriods(cells, rules);
  const first = comparable.findIndex(({ cells: found }) => clustersIn(found).length >= rules.minClusters);
  const base = comparable[first];
  if (base === undefined) return { points: [], drift: null };
  const links = LINKS[rules.links](comparable.slice(first), rules);
  const linked = new Set([base.period, ...links.flatMap(({ from, to }) => [from, to])]);
  const periods = [...linked].sort((a, b) => a - b);
  const solve = leastSquares(periods, links);
  const logs = solve((at) => (links[at] as Link).log);
  const ended = periods.map((period) => links.filter(({ to }) => to === period));
  const intervals = bootstrap(links, ended, solve, { random, rounds });
  const points = periods.map((period, at) => {
    const compared = at === 0 ? base.cells : uniqueStrata((ended[at] as Link[]).flatMap(({ matched }) => matched));
    return {
      period,
      from: periods[at - 1] ?? null,
      // The index is 100 in the first period.
      index: 100 * Math.exp(logs[at] as number),
      // 95% confidence intervals, from resampling clusters; null if too few clusters are compared.
      interval: intervals[at]?.index ?? null,
      linkInterval: intervals[at]?.link ?? null,
      // Compared with an earlier period; the first point has all comparable strata.
      strata: compared.length,
      clusters: clustersIn(compared).length,
      count: compared.reduce((sum, { count }) => sum + count, 0),
    };
  });
  const last = comparable.find(({ period }) => period === periods.at(-1));
  const direct = periods.length > 2 && last ? linkOf(base, last, rules) : null;
  return { points, drift: direct === null ? null : Math.exp((logs.at(-1) as number) - direct.log) };
}

const LINKS: Readonly<Record<IndexRules['links'], (periods: readonly Period[], rules: IndexRules) => Link[]>> = {
  adjacent([base, ...others], rules) {
    const links: Link[] = [];
    let last = base as Period;
    for (const next of others) {
      const link = linkOf(last, next, rules);
      if (link === null) continue;
      links.push(link);
      last = next;
    }
    return links;
  },
  all(periods, rules) {
    const links = periods.flatMap((to, at) => periods.slice(0, at).flatMap((from) => linkOf(from, to, rules) ?? []));
    const connected = new Set([periods[0]?.period]);
    for (let size = 0; size < connected.size; ) {
      size = connected.size;
      for (const { from, to } of links) if (connected.has(from) || connected.has(to)) connected.add(from).add(to);
    }
    return links.filter(({ from }) => connected.has(from));
  },
};

interface Period {
  period: number;
  cells: Cell[];
}

function comparablePeriods(cells: readonly Cell[], { minCell, maxSpread }: IndexRules): Period[] {
  const comparable = cells.filter(
    ({ count, price, spread }) => count >= minCell && price > 0 && (spread ?? 1) <= maxSpread,
  );
  return [...Map.groupBy(comparable, ({ period }) => period)]
    .map(([period, found]) => ({ period, cells: found.sort((a, b) => (a.stratum < b.stratum ? -1 : 1)) }))
    .sort((a, b) => a.period - b.period);
}

interface Matched {
  stratum: string;
  cluster: string;
  count: number;
  /** Natural logarithm of the price relative. */
  relative: number;
  /** Value of the deals in the earlier and the later period if all homes or plots had the same size. */
  before: number;
  after: number;
}

interface Link {
  from: number;
  to: number;
  matched: Matched[];
  /** Natural logarithm of the index at `to` over that at `from`. */
  log: number;
}

function linkOf(from: Period, to: Period, rules: IndexRules): Link | null {
  const { maxRelative, minClusters, maxShare, minWorth } = rules;
  const earlier = new Map(from.cells.map((cell) => [cell.stratum, cell]));
  const both = to.cells.flatMap((after): Matched[] => {
    const before = earlier.get(after.stratum);
    if (before === undefined) return [];
    const { stratum, cluster, count, price } = after;
    const relative = Math.log(price / before.price);
    return [{ stratum, cluster, count, relative, before: before.count * before.price, after: count * price }];
  });
  if (both.length === 0) return null;
  const middle = quantile(
    both.map(({ relative }) => relative).sort((a, b) => a - b),
    0.5,
  );
  const matched = both.filter(({ relative }) => Math.abs(relative - middle) <= Math.log(maxRelative));
  if (clustersIn(matched).length < minClusters) return null;
  const shareOf = (worths: readonly number[], all: readonly Cell[]): number =>
    sum(worths) / sum(all.map(({ count, price }) => count * price));
  const before = matched.map((stratum) => stratum.before);
  const after = matched.map((stratum) => stratum.after);
  if (Math.sqrt(shareOf(before, from.cells) * shareOf(after, to.cells)) < minWorth) return null;
  const [mostBefore, mostAfter] = [capOf(before, maxShare), capOf(after, maxShare)];
  const weighed = matched.map((stratum) => ({
    ...stratum,
    before: Math.min(stratum.before, mostBefore),
    after: Math.min(stratum.after, mostAfter),
  }));
  return { from: from.period, to: to.period, matched: weighed, log: tornqvist(weighed, () => 1) };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** No capped weight exceeds `maxShare` of the sum. With too few weights, all become equal. */
function capOf(weights: readonly number[], maxShare: number): number {
  const descending = [...weights].sort((a, b) => b - a);
  let rest = sum(descending);
  for (const [capped, weight] of descending.entries()) {
    if (maxShare * capped >= 1) break;
    const cap = (maxShare * rest) / (1 - maxShare * capped);
    if (weight <= cap) return cap;
    rest -= weight;
  }
  return descending.at(-1) ?? 0;
}

/**
 * Fits the index to the links: minimizes the sum of squares of `x(to) - x(from) - link`, with 0 as the first value (the
 * EKS method).
 * @param periods in order, all connected by links
 * @returns a function from the logarithms of the links to those of the index, in the order of the periods
 */
function leastSquares(
  periods: readonly number[],
  links: readonly Link[],
): (logOf: (link: number) => number) => Float64Array {
  const numbers = new Map(periods.map((period, number) => [period, number]));
  const ends = links.map(({ from, to }) => [numbers.get(from) as number, numbers.get(to) as number] as const);
  const inverse = inverseLaplacian(periods.length - 1, ends);
  return (logOf) => {
    const sums = new Float64Array(periods.length);
    for (const [at, [from, to]] of ends.entries()) {
      const log = logOf(at);
      sums[from] = (sums[from] as number) - log;
      sums[to] = (sums[to] as number) + log;
    }
    return Float64Array.from(periods, (_, at) =>
      at === 0
        ? 0
        : (inverse[at - 1] as Float64Array).reduce((total, factor, by) => total + factor * (sums[by + 1] as number), 0),
    );
  };
}

/** Inverts the Laplacian of the links, without the first period, by Gauss-Jordan elimination. */
function inverseLaplacian(size: number, ends: readonly (readonly [from: number, to: number])[]): Float64Array[] {
  // Each row is followed by that of the identity matrix, which becomes the inverse.
  const rows = Array.from({ length: size }, (_, at) => new Float64Array(2 * size).fill(1, size + at, size + at + 1));
  const add = (row: number, column: number, value: number): void => {
    const target = rows[row - 1];
    if (target && column > 0) target[column - 1] = (target[column - 1] as number) + value;
  };
  for (const [from, to] of ends) {
    add(from, from, 1);
    add(to, to, 1);
    add(from, to, -1);
    add(to, from, -1);
  }
  for (const [pivot, row] of rows.entries()) {
    const scale = row[pivot] as number;
    for (const [column, value] of row.entries()) row[column] = value / scale;
    for (const target of rows) {
      const factor = target[pivot] as number;
      if (target === row || factor === 0) continue;
      for (const [column, value] of row.entries()) target[column] = (target[column] as number) - factor * value;
    }
  }
  return rows.map((row) => row.subarray(size));
}

/** Returns the logarithm of the Törnqvist index: log price relatives, weighted by the mean share of each stratum. */
function tornqvist(matched: readonly Matched[], timesOf: (at: number) => number): number {
  let before = 0;
  let after = 0;
  let beforeSum = 0;
  let afterSum = 0;
  for (let at = 0; at < matched.length; at++) {
    const times = timesOf(at);
    if (times === 0) continue;
    const stratum = matched[at] as Matched;
    before += times * stratum.before;
    after += times * stratum.after;
    beforeSum += times * stratum.before * stratum.relative;
    afterSum += times * stratum.after * stratum.relative;
  }
  return (beforeSum / before + afterSum / after) / 2;
}

const clustersIn = (found: readonly { cluster: string }[]): string[] => [
  ...new Set(found.map(({ cluster }) => cluster)),
];

const uniqueStrata = (matched: readonly Matched[]): Matched[] => [
  ...new Map(matched.map((stratum) => [stratum.stratum, stratum])).values(),
];

/**
 * Resamples clusters. All links share the same draw, because a neighborhood's trend lasts longer than a quarter.
 * @param ended the links that end at each period
 * @returns for each period the intervals of the index and of the price relative to the previous one; none for the first
 */
function bootstrap(
  links: readonly Link[],
  ended: readonly (readonly Link[])[],
  solve: ReturnType<typeof leastSquares>,
  { random, rounds }: { random: () => number; rounds: number },
): readonly ({ index: Interval; link: Interval } | null)[] {
  const clusters = clustersIn(links.flatMap(({ matched }) => matched)).sort();
  if (clusters.length < MIN_CLUSTERS_FOR_INTERVAL) return [];
  const numbers = new Map(clusters.map((cluster, number) => [cluster, number]));
  const numbersOf = links.map(({ matched }) =>
    Uint32Array.from(matched, ({ cluster }) => numbers.get(cluster) as number),
  );
  const indexes = ended.map(() => new Float64Array(rounds));
  const relatives = ended.map(() => new Float64Array(rounds));
  for (const [round, times] of drawClusters(clusters.length, { random, rounds })) {
    const logs = solve((at) => {
      const { matched, log } = links[at] as Link;
      const drawn = tornqvist(matched, (index) => times[numbersOf[at]?.[index] as number] as number);
      // Without clusters in the draw, a link keeps its value.
      return Number.isFinite(drawn) ? drawn : log;
    });
    for (let at = 1; at < logs.length; at++) {
      const log = logs[at] as number;
      (relatives[at] as Float64Array)[round] = Math.exp(log - (logs[at - 1] as number));
      (indexes[at] as Float64Array)[round] = 100 * Math.exp(log);
    }
  }
  return ended.map((found, at) => {
    if (at === 0 || clustersIn(found.flatMap(({ matched }) => matched)).length < MIN_CLUSTERS_FOR_INTERVAL) return null;
    // The weight of a stratum in a link is the sum of its shares in both periods.
    const weights = new Float64Array(clusters.length);
    for (const { matched } of found) {
      const before = sum(matched.map((stratum) => stratum.before));
      const after = sum(matched.map((stratum) => stratum.after));
      for (const stratum of matched) {
        const number = numbers.get(stratum.cluster) as number;
        weights[number] = (weights[number] as number) + (stratum.before / before + stratum.after / after);
      }
    }
    const counting = effectiveClusters(weights);
    return {
      index: intervalOf(indexes[at] as Float64Array, counting),
      link: intervalOf(relatives[at] as Float64Array, counting),
    };
  });
}
