export interface Interval {
  low: number;
  high: number;
}

interface BootstrapOptions {
  random: () => number;
  rounds?: number;
}

export const ROUNDS = 1_000;

/**
 * Returns the 95% confidence interval of the median by a cluster bootstrap. With few clusters the interval is too
 * narrow, so its percentiles are moved outward by the ratio of Student's quantile to the normal one, for the effective
 * number of clusters.
 * @param clusters of each value, numbered from 0 without gaps
 */
export function medianInterval(
  ascending: ArrayLike<number>,
  clusters: ArrayLike<number>,
  { random, rounds = ROUNDS }: BootstrapOptions,
): Interval {
  const size = ascending.length;
  if (size === 0) throw new RangeError('an empty sample has no median');
  let count = 0;
  for (let index = 0; index < size; index++) count = Math.max(count, (clusters[index] as number) + 1);
  const sizes = new Uint32Array(count);
  for (let index = 0; index < size; index++)
    sizes[clusters[index] as number] = (sizes[clusters[index] as number] ?? 0) + 1;

  const medians = new Float64Array(rounds);
  for (const [round, times] of drawClusters(count, { random, rounds })) {
    let drawn = 0;
    for (let cluster = 0; cluster < count; cluster++) drawn += (times[cluster] as number) * (sizes[cluster] as number);
    medians[round] = medianOfDrawn(ascending, clusters, times, drawn);
  }
  return intervalOf(medians, effectiveClusters(sizes));
}

/**
 * Draws as many clusters as exist, with replacement.
 * @yields the round, and how often each cluster was drawn, in one array that every round reuses
 */
export function* drawClusters(
  count: number,
  { random, rounds = ROUNDS }: BootstrapOptions,
): Generator<[round: number, times: Uint16Array]> {
  const times = new Uint16Array(count);
  for (let round = 0; round < rounds; round++) {
    times.fill(0);
    for (let draw = 0; draw < count; draw++) {
      const cluster = Math.floor(random() * count);
      times[cluster] = (times[cluster] as number) + 1;
    }
    yield [round, times];
  }
}

/**
 * Returns the 95% interval of a value from its result in each round, with the percentiles moved outward as in
 * `medianInterval`.
 */
export function intervalOf(found: Float64Array, clusters: number): Interval {
  const ascending = Float64Array.from(found).sort();
  const tail = tailFor(clusters);
  return { low: at(ascending, tail), high: at(ascending, 1 - tail) };
}

function medianOfDrawn(
  ascending: ArrayLike<number>,
  clusters: ArrayLike<number>,
  times: Uint16Array,
  drawn: number,
): number {
  let seen = 0;
  let lower = Number.NaN;
  for (let index = 0; index < ascending.length; index++) {
    seen += times[clusters[index] as number] as number;
    if (Number.isNaN(lower) && seen * 2 >= drawn) {
      lower = ascending[index] as number;
      if (seen * 2 > drawn) return lower;
    } else if (!Number.isNaN(lower) && seen * 2 > drawn) {
      return (lower + (ascending[index] as number)) / 2;
    }
  }
  return lower;
}

/**
 * Returns the number of equally large clusters with the same precision (Kish). One large cluster among small ones
 * lowers it.
 */
export function effectiveClusters(sizes: ArrayLike<number>): number {
  let total = 0;
  let squares = 0;
  for (let index = 0; index < sizes.length; index++) {
    total += sizes[index] as number;
    squares += (sizes[index] as number) ** 2;
  }
  return (total * total) / squares;
}

/** Share of rounds to cut off at each end for a coverage of 95%. */
function tailFor(clusters: number): number {
  const degrees = Math.max(clusters - 1, 1);
  return normalBelow(-Math.sqrt(clusters / degrees) * studentQuantile(degrees));
}

/** The 97.5% quantile, by the Cornish-Fisher expansion around the normal one. */
export function studentQuantile(degrees: number): number {
  const z = 1.959964;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}

/** Inverse of the normal distribution: Abramowitz and Stegun 26.2.17, accurate to 1e-7. */
function normalBelow(x: number): number {
  if (x > 0) return 1 - normalBelow(-x);
  const t = 1 / (1 - 0.2316419 * x);
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}

function at(ascending: Float64Array, share: number): number {
  const index = Math.round(share * (ascending.length - 1));
  return ascending[Math.min(Math.max(index, 0), ascending.length - 1)] as number;
}
