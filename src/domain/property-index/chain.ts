import { drawClusters, effectiveClusters, type Interval, intervalOf, ROUNDS } from '../statistics/bootstrap.ts';
import { quantile } from '../statistics/quantiles.ts';

/** What was seen of one stratum in one period. Its price is one figure; the deals behind it stay outside. */
export interface Cell {
  /** What is compared with itself over time, such as the apartments of one neighborhood. */
  stratum: string;
  /** Strata that are not independent of each other, such as all of one neighborhood. */
  cluster: string;
  /** Whole numbers, the next period being one more. */
  period: number;
  /** Deals that the price rests on. */
  count: number;
  price: number;
}

export interface ChainRules {
  /** A cell of fewer deals is not compared. */
  minCell: number;
  /** A link over fewer clusters is not made. */
  minClusters: number;
  /** A stratum whose price relative is further off the middle one, up or down by this factor, is left out of a link. */
  maxRelative: number;
}

/** The index of one period. */
export interface ChainPoint {
  period: number;
  /** The period that it is linked to; null for the first. */
  from: number | null;
  /** 100 in the first. */
  index: number;
  /** Of the index, sampling of clusters alone; null where too few clusters tell. */
  interval: Interval | null;
  /** Of the price relative to `from`. */
  linkInterval: Interval | null;
  /** What the link rests on; of the first period, all cells that could be compared. */
  strata: number;
  clusters: number;
  count: number;
}

export interface Chain {
  points: ChainPoint[];
  /** The chained index of the last period over the one of a single link from the first; null where there is none. */
  drift: number | null;
}

/** Below so many clusters a bootstrap over them says nothing. */
const LEAST_FOR_INTERVAL = 5;

/**
 * A chained matched-model index (Handbook on Residential Property Price Indices, chapter 5): in each link only strata
 * seen in both periods are compared, and their price relatives go together as a Törnqvist index. Pure, and the same
 * whatever the order of cells. A period that cannot be linked has no point, and the next one is linked past it.
 * @param random of the bootstrap over clusters
 */
export function chainOf(
  cells: readonly Cell[],
  rules: ChainRules,
  { random, rounds = ROUNDS }: { random: () => number; rounds?: number },
): Chain {
  const periods = comparablePeriods(cells, rules);
  const first = periods.findIndex(({ cells: found }) => clustersIn(found).length >= rules.minClusters);
  const base = periods[first];
  if (base === undefined) return { points: [], drift: null };

  const links: Link[] = [];
  let last = base;
  for (const next of periods.slice(first + 1)) {
    const link = linkOf(last, next, rules);
    if (link === null) continue;
    links.push(link);
    last = next;
  }
  const intervals = bootstrap(links, random, rounds);
  const points: ChainPoint[] = [
    {
      period: base.period,
      from: null,
      index: 100,
      interval: null,
      linkInterval: null,
      strata: base.cells.length,
      clusters: clustersIn(base.cells).length,
      count: base.cells.reduce((sum, { count }) => sum + count, 0),
    },
  ];
  let log = 0;
  for (const [at, link] of links.entries()) {
    log += link.log;
    points.push({
      period: link.to,
      from: link.from,
      index: 100 * Math.exp(log),
      interval: intervals[at]?.index ?? null,
      linkInterval: intervals[at]?.link ?? null,
      strata: link.matched.length,
      clusters: clustersIn(link.matched).length,
      count: link.matched.reduce((sum, { count }) => sum + count, 0),
    });
  }
  const direct = links.length > 1 ? linkOf(base, last, rules) : null;
  return { points, drift: direct === null ? null : Math.exp(log - direct.log) };
}

interface Period {
  period: number;
  /** By stratum, in its order. */
  cells: Cell[];
}

/** Periods in order, each with the cells that can be compared. */
function comparablePeriods(cells: readonly Cell[], { minCell }: ChainRules): Period[] {
  const byPeriod = new Map<number, Cell[]>();
  for (const cell of cells) {
    if (cell.count < minCell || !(cell.price > 0)) continue;
    const found = byPeriod.get(cell.period);
    if (found) found.push(cell);
    else byPeriod.set(cell.period, [cell]);
  }
  return [...byPeriod]
    .map(([period, found]) => ({ period, cells: found.sort((a, b) => (a.stratum < b.stratum ? -1 : 1)) }))
    .sort((a, b) => a.period - b.period);
}

/** A stratum that both periods have. */
interface Matched {
  cluster: string;
  /** Deals in the later period. */
  count: number;
  /** Natural logarithm of its price relative. */
  relative: number;
  /** Its weight in the earlier and in the later period: the worth of its deals at one size of home or plot. */
  before: number;
  after: number;
}

interface Link {
  from: number;
  to: number;
  matched: Matched[];
  /** Natural logarithm of the index of `to` over the one of `from`. */
  log: number;
}

function linkOf(from: Period, to: Period, { maxRelative, minClusters }: ChainRules): Link | null {
  const earlier = new Map(from.cells.map((cell) => [cell.stratum, cell]));
  const both = to.cells.flatMap((after): Matched[] => {
    const before = earlier.get(after.stratum);
    if (before === undefined) return [];
    return [
      {
        cluster: after.cluster,
        count: after.count,
        relative: Math.log(after.price / before.price),
        before: before.count * before.price,
        after: after.count * after.price,
      },
    ];
  });
  if (both.length === 0) return null;
  const middle = quantile(
    both.map(({ relative }) => relative).sort((a, b) => a - b),
    0.5,
  );
  const matched = both.filter(({ relative }) => Math.abs(relative - middle) <= Math.log(maxRelative));
  if (clustersIn(matched).length < minClusters) return null;
  return { from: from.period, to: to.period, matched, log: tornqvist(matched, () => 1) };
}

/** The logarithm of a Törnqvist index: relatives weighted by the mean of a stratum's shares in both periods. */
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

/**
 * Draws clusters anew, the same ones for all links, since a neighborhood goes its own way for longer than a quarter.
 * @returns of each link the intervals of the index and of the price relative
 */
function bootstrap(
  links: readonly Link[],
  random: () => number,
  rounds: number,
): readonly ({ index: Interval; link: Interval } | null)[] {
  const clusters = clustersIn(links.flatMap(({ matched }) => matched)).sort();
  if (clusters.length < LEAST_FOR_INTERVAL) return [];
  const numbers = new Map(clusters.map((cluster, number) => [cluster, number]));
  const numbersOf = links.map(({ matched }) =>
    Uint32Array.from(matched, ({ cluster }) => numbers.get(cluster) as number),
  );
  const indexes = links.map(() => new Float64Array(rounds));
  const relatives = links.map(() => new Float64Array(rounds));
  for (const [round, times] of drawClusters(clusters.length, { random, rounds })) {
    let log = 0;
    for (const [at, link] of links.entries()) {
      const drawn = tornqvist(link.matched, (index) => times[numbersOf[at]?.[index] as number] as number);
      // None of its clusters drawn: it says what it says.
      const relative = Number.isFinite(drawn) ? drawn : link.log;
      log += relative;
      (relatives[at] as Float64Array)[round] = Math.exp(relative);
      (indexes[at] as Float64Array)[round] = 100 * Math.exp(log);
    }
  }
  return links.map(({ matched }, at) => {
    if (clustersIn(matched).length < LEAST_FOR_INTERVAL) return null;
    const total = { before: 0, after: 0 };
    for (const { before, after } of matched) {
      total.before += before;
      total.after += after;
    }
    const weights = new Float64Array(clusters.length);
    for (const [index, { before, after }] of matched.entries()) {
      const number = numbersOf[at]?.[index] as number;
      weights[number] = (weights[number] as number) + before / total.before + after / total.after;
    }
    const counting = effectiveClusters(weights);
    return {
      index: intervalOf(indexes[at] as Float64Array, counting),
      link: intervalOf(relatives[at] as Float64Array, counting),
    };
  });
}
