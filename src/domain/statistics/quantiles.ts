import { BESIDE, stepOf } from './percents.ts';

/** An answer of the engine's percentiles: values by percent; null where there was nothing to measure. */
export interface PercentilesAnswer {
  values: readonly { key: number; value: number | null }[];
}

/** Lower quartile, median and upper quartile; the values between two ranks lie on the line between them. */
export interface Quartiles {
  p25: number;
  median: number;
  p75: number;
}

/** A quantile of ascending values, on the line between the two nearest ranks. */
export function quantile(ascending: ArrayLike<number>, share: number): number {
  if (ascending.length === 0) throw new RangeError('nothing has no quantiles');
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
 * The quartiles out of an answer to `QUARTILE_PERCENTS`.
 * @param size how many values were measured
 * @param snapToRound makes a value out of the engine's, for instance the price that a histogram's bar stands for
 */
export function quartilesOf(
  { values }: PercentilesAnswer,
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

/** The median out of an answer to percents that have the two beside 50. */
export function medianOf({ values }: PercentilesAnswer, snapToRound?: (value: number) => number): number | null {
  return middle(reader(values, snapToRound ?? ((value) => value)));
}

/** The value at one percent that was asked for. */
export function percentOf({ values }: PercentilesAnswer, percent: number, snapToRound: (value: number) => number) {
  return reader(values, snapToRound)(percent);
}

type Reader = (percent: number) => number | null;

function reader(values: PercentilesAnswer['values'], snapToRound: (value: number) => number): Reader {
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

/** A histogram of three digits answers with one end of a bar, the lower or the upper: so far may the value be off. */
const BAR = 1 / 1024;

/**
 * The value that an answer of the histogram stands for: the roundest number no more than a bar away. Asking prices and
 * areas are round numbers, so that it mostly is the very one.
 * @param least what the values are known to lie between, with `most`
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
