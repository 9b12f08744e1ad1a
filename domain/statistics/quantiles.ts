import { ADJACENT_PERCENT, inwards, outward, stepsOf } from './percents.ts';

/** All values of a sample, or values of the engine by percent, null for an empty sample. */
export type PercentilesResult =
  | { ascending: ArrayLike<number> }
  | { values: readonly { key: number; value: number | null }[] };

export interface Quartiles {
  p25: number;
  median: number;
  p75: number;
}

/**
 * Returns a quantile, linearly interpolated between the two nearest ranks. All quantiles of this project use this
 * definition unless stated otherwise.
 */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  if (ascending.length === 0) throw new RangeError('an empty sample has no quantiles');
  const position = (ascending.length - 1) * share;
  const low = Math.floor(position);
  const below = ascending[low] as number;
  const above = ascending[Math.min(low + 1, ascending.length - 1)] as number;
  return below + (above - below) * (position - low);
}

export function exactQuartiles(ascending: ArrayLike<number>): Quartiles {
  return { p25: quantile(ascending, 0.25), median: quantile(ascending, 0.5), p75: quantile(ascending, 0.75) };
}

/**
 * Returns quartiles as published for registered deals: the value at the quartile's rank, or the mean of two if the rank
 * falls between them (Hyndman and Fan's second definition).
 */
export function quartilesAtRanks(ascending: ArrayLike<number>): Quartiles {
  const at = (share: 1 | 2 | 3): number => {
    const rank = ascending.length * share;
    const above = ascending[Math.floor(rank / 4)] as number;
    return rank % 4 === 0 ? ((ascending[rank / 4 - 1] as number) + above) / 2 : above;
  };
  if (ascending.length === 0) throw new RangeError('an empty sample has no quartiles');
  return { p25: at(1), median: at(2), p75: at(3) };
}

/** Returns the value at which this share of the weights is passed, or the mean of two where it is reached exactly. */
export function weightedQuantile(ascending: readonly number[], weights: readonly number[], share: number): number {
  const wanted = weights.reduce((sum, weight) => sum + weight, 0) * share;
  let seen = 0;
  for (const [at, value] of ascending.entries()) {
    seen += weights[at] as number;
    if (seen > wanted) return value;
    if (seen === wanted) return (value + (ascending[at + 1] ?? value)) / 2;
  }
  throw new RangeError('an empty sample has no quantiles');
}

/** Returns the lower of the two middle values, which always occurs in the sample. Price fences use it. */
export function lowMedian(ascending: ArrayLike<number>): number {
  if (ascending.length === 0) throw new RangeError('an empty sample has no median');
  return ascending[(ascending.length - 1) >> 1] as number;
}

/**
 * @param result for `QUARTILE_PERCENTS` or `SHORT_QUARTILE_PERCENTS`
 * @param size number of values in the sample
 * @param snapToRound converts a result, such as the end of a histogram bar, to the likely value of the sample
 */
export function quartilesOf(
  result: PercentilesResult,
  size: number,
  snapToRound?: (value: number) => number,
): Quartiles | null {
  if ('ascending' in result) return result.ascending.length === 0 ? null : exactQuartiles(result.ascending);
  const at = reader(result, snapToRound);
  const median = middle(at);
  const p25 = between(at, 25, size);
  const p75 = between(at, 75, size);
  return median === null || p25 === null || p75 === null ? null : { p25, median, p75 };
}

export function medianOf(result: PercentilesResult, snapToRound?: (value: number) => number): number | null {
  return 'ascending' in result ? exactly(result.ascending, 50) : middle(reader(result, snapToRound));
}

export function percentileOf(
  result: PercentilesResult,
  percent: number,
  size: number,
  snapToRound: (value: number) => number,
): number | null {
  return 'ascending' in result
    ? exactly(result.ascending, percent)
    : between(reader(result, snapToRound), percent, size);
}

/** Returns the value at the nearest rank, for a percent that was requested from the engine. */
export function rankedValue(result: PercentilesResult, percent: number): number | null {
  if (!('ascending' in result)) return reader(result)(percent);
  const { ascending } = result;
  return ascending[Math.max(Math.ceil((percent / 100) * ascending.length), 1) - 1] ?? null;
}

const exactly = (ascending: ArrayLike<number>, percent: number): number | null =>
  ascending.length === 0 ? null : quantile(ascending, percent / 100);

type Reader = (percent: number) => number | null;

type EngineResult = Extract<PercentilesResult, { values: unknown }>;

function reader({ values }: EngineResult, snapToRound?: (value: number) => number): Reader {
  return (percent) => {
    const found = values.find(({ key }) => key === percent)?.value ?? null;
    if (found === null || !Number.isFinite(found)) return null;
    return snapToRound ? snapToRound(found) : found;
  };
}

function between(at: Reader, percent: number, size: number): number | null {
  const nearer = at(percent - inwards(percent) * ADJACENT_PERCENT);
  if (nearer === null) return null;
  const part = (((size - 1) * outward(percent)) % 100) / 100;
  if (part === 0) return nearer;
  for (const step of stepsOf(percent, size)) {
    const other = at(percent + inwards(percent) * step);
    if (other !== null) return nearer + (other - nearer) * part;
  }
  return nearer;
}

function middle(at: Reader): number | null {
  const below = at(50 - ADJACENT_PERCENT);
  const above = at(50 + ADJACENT_PERCENT);
  return below === null || above === null ? null : (below + above) / 2;
}

/** Relative error of an HDR histogram with three digits, which returns the lower or upper bound of a bucket. */
const BAR = 1 / 1024;

/**
 * Rounds the end of a bar to the roundest number within one bar, because asking prices and areas are mostly round.
 * @param least smallest value in the sample
 * @param most largest value in the sample
 */
export function snapToRoundWithin(least: number, most: number): (end: number) => number {
  return (end) => {
    const low = Math.max(end * (1 - BAR), least);
    const high = Math.min(end * (1 + BAR), most);
    if (high <= low) return high < least ? least : high;
    for (let digits = Math.floor(Math.log10(high)); digits > -6; digits--) {
      const unit = 10 ** digits;
      const first = Math.ceil(low / unit);
      const last = Math.floor(high / unit);
      if (first <= last) return Math.min(Math.max(Math.round(end / unit), first), last) * unit;
    }
    return end;
  };
}
