import { quarterLabel } from '#domain/official/quarters.ts';
import type { Publication } from './publication.ts';
import type { FileReport } from './report.ts';

/** About one quarter in a file, for comparison with the served ones. */
export interface QuarterFacts {
  quarter: number;
  rows: number;
  /** Rows that no rule excludes. */
  served: number;
  /** Or contracts. Null if not stated. */
  deeds: number | null;
  /** Of the loads that the quarter would replace. */
  replaced: { rows: number; served: number; deeds: number | null };
  repeated: number;
  /** Rows with a mean price, and of these with a mean outside its bounds. */
  means: number;
  outOfBounds: number;
  /** Median of `value / area` to the mean price. Null if no mean is stated. */
  meanRatio: number | null;
  /** In the nearest served quarter too; the median change of their price, and those with a large one. */
  strata: number;
  priceFactor: number | null;
  strataApart: number;
}

/** Of the served quarter, in deeds or rows. */
const MIN_SHARE_OF_SERVED = 0.7;
/** Rejected or repeated. Published files have at most 0.002. */
const MAX_FAULTY_SHARE = 0.05;
/** Rows or strata from which shares and medians are checked, of a quarter and of a file. */
const JUDGED_FROM = 10;
const FILE_JUDGED_FROM = 20;
/** Published files have none. */
const MAX_OUT_OF_BOUNDS_SHARE = 0.01;
/** Of `value / area` to the mean price. Published files have 0.99 to 1.37. */
const MEAN_RATIO: readonly [number, number] = [0.5, 2];
/** Of strata between quarters. */
const PRICE_FACTOR: readonly [number, number] = [0.5, 2];
/** Of strata whose price changed more than fourfold. */
const MAX_APART_SHARE = 0.25;

const percent = (part: number, of: number): string => `${Math.round((100 * part) / of)}%`;
const isOutside = (value: number | null, [least, most]: readonly [number, number]): boolean =>
  value !== null && (value < least || value > most);

/** Why a file is refused. @param median of the `ratio` */
export function swapOf({ ratio }: Publication, rows: number, median: number | null): string | null {
  if (!ratio || rows < FILE_JUDGED_FROM || !isOutside(median, [ratio.least, ratio.most])) return null;
  return `The median ${ratio.what} of its rows is ${Number(median?.toPrecision(3))}: ${ratio.suspicion}.`;
}

/** To hold all quarters of a file. Pure. */
export function doubtsOfFile(isClosed: boolean, { rows, rejected }: Pick<FileReport, 'rows' | 'rejected'>): string[] {
  const { repeated_row: _, ...others } = rejected;
  const lost = Object.values(others).reduce((sum, count) => sum + count, 0);
  const negative = others.negative_count ?? 0;
  const doubts: string[] = [];
  if (!isClosed) doubts.push('its last row is not closed: the file may be cut');
  if (negative > 0) doubts.push(`${negative} rows have a negative count`);
  if (rows >= FILE_JUDGED_FROM && lost > rows * MAX_FAULTY_SHARE)
    doubts.push(`${lost} of ${rows} rows cannot be taken`);
  return doubts;
}

/** To hold a quarter that is much smaller than the one it would replace. Pure. */
export function shrinkOf({ rows, served, replaced }: Pick<QuarterFacts, 'rows' | 'served' | 'replaced'>): string[] {
  // If the rules exclude the whole quarter, all rows are counted.
  const [size, before] = replaced.served > 0 ? [served, replaced.served] : [rows, replaced.rows];
  return size < before * MIN_SHARE_OF_SERVED ? [`${size} rows where ${before} are served`] : [];
}

/** To hold a quarter. Pure. @param today the latest quarter that can have begun */
export function doubtsOf(facts: QuarterFacts, today: number): string[] {
  const { rows, deeds, replaced, repeated, means, outOfBounds, meanRatio, strata, priceFactor, strataApart } = facts;
  const doubts: string[] = [];
  if (facts.quarter > today) doubts.push(`${quarterLabel(facts.quarter)} has not begun`);
  if (replaced.deeds !== null && deeds !== null && deeds < replaced.deeds * MIN_SHARE_OF_SERVED)
    doubts.push(`${deeds} deeds where ${replaced.deeds} are served`);
  if (rows >= JUDGED_FROM && repeated > rows * MAX_FAULTY_SHARE)
    doubts.push(`${repeated} of ${rows} rows repeat another one (${percent(repeated, rows)})`);
  if (outOfBounds > 0 && outOfBounds > means * MAX_OUT_OF_BOUNDS_SHARE)
    doubts.push(`${outOfBounds} of ${means} mean prices are above their maximum or below their minimum`);
  if (means >= JUDGED_FROM && isOutside(meanRatio, MEAN_RATIO))
    doubts.push(
      `value over area is ${meanRatio?.toPrecision(2)} times the mean price: columns may stand under other names`,
    );
  if (strata >= JUDGED_FROM && isOutside(priceFactor, PRICE_FACTOR))
    doubts.push(
      `prices are ${priceFactor?.toPrecision(2)} times those of the nearest quarter (median of ${strata} strata)`,
    );
  else if (strata >= JUDGED_FROM && strataApart > strata * MAX_APART_SHARE)
    doubts.push(
      `${strataApart} of ${strata} strata are under a quarter or over four times their price of the nearest quarter`,
    );
  return doubts;
}
