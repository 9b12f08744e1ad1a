import { BESIDE, stepOf } from './percents.ts';

/** A `percentiles` aggregation of OpenSearch: values by percent, null for an empty sample. */
export interface PercentilesResult {
  values: readonly { key: number; value: number | null }[];
}

/** Lower quartile, median and upper quartile, interpolated linearly between the two nearest ranks. */
export interface Quartiles {
  p25: number;
  median: number;
  p75: number;
}

/** A quantile of ascending values, interpolated linearly between the two nearest ranks. The one definition of a quantile. */
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

/** The median that is always one of the values: of an even number, the lower of the two in the middle. For price fences. */
export function lowMedian(ascending: ArrayLike<number>): number {
  if (ascending.length === 0) throw new RangeError('an empty sample has no median');
  return ascending[(ascending.length - 1) >> 1] as number;
}

/**
 * The quartiles from a result for `QUARTILE_PERCENTS`.
 * @param size number of values in the sample
 * @param snapToRound turns a value of the result into the exact one, for instance the end of a histogram bar into a price
 */
export function quartilesOf(
  { values }: PercentilesResult,
  size: number,
  snapToRound: (value: number) => number = (value) => value,
): Quartiles | null {
  const at = reader(values, snapToRound);
  const median = middle(at);
  const lower = at(25 - BESIDE);
  const upper = at(75 + BESIDE);
  if (median === null || lower === null || upper === null) return null;
  const step = stepOf(size);
  if (step === undefined) return { p25: lower, median, p75: upper };
  const part = ((size - 1) / 4) % 1;
  const above = at(25 + step) ?? lower;
  const below = at(75 - step) ?? upper;
  return { p25: lower + (above - lower) * part, median, p75: upper + (below - upper) * part };
}

/** The median from a result whose percents include the two beside 50. */
export function medianOf({ values }: PercentilesResult, snapToRound?: (value: number) => number): number | null {
  return middle(reader(values, snapToRound ?? ((value) => value)));
}

/**
 * The quartiles out of an answer to `RANK_PERCENTS`: the value at the rank, and the mean of two where the rank falls
 * between them (the second definition of Hyndman and Fan).
 */
export function rankQuartilesOf({ values }: PercentilesResult): Quartiles | null {
  const at = reader(values, (value) => value);
  const middleOf = (percent: number): number | null => {
    const below = at(percent - BESIDE);
    const above = at(percent + BESIDE);
    return below === null || above === null ? null : (below + above) / 2;
  };
  const p25 = middleOf(25);
  const median = middleOf(50);
  const p75 = middleOf(75);
  return p25 === null || median === null || p75 === null ? null : { p25, median, p75 };
}

/** The value at one of the requested percents. */
export function percentOf({ values }: PercentilesResult, percent: number, snapToRound: (value: number) => number) {
  return reader(values, snapToRound)(percent);
}

type Reader = (percent: number) => number | null;

function reader(values: PercentilesResult['values'], snapToRound: (value: number) => number): Reader {
  return (percent) => {
    const found = values.find(({ key }) => key === percent)?.value ?? null;
    return found === null || !Number.isFinite(found) ? null : snapToRound(found);
  };
}

function middle(at: Reader): number | null {
  const below = at(50 - BESIDE);
  const above = at(50 + BESIDE);
  return below === null || above === null ? null : (below + above) / 2;
}

/** An HDR histogram of three digits gives the lower or the upper end of a bar: the exact value is at most this share away. */
const BAR = 1 / 1024;

/**
 * Turns the end of a histogram bar into the roundest number at most one bar away. Asking prices and areas are round
 * numbers, so that it is mostly the exact one.
 * @param least the smallest value of the sample
 * @param most the largest
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
