import { quarterLabel } from '#domain/official/quarters.ts';
import type { FileReport } from './file-report.ts';
import type { ReleaseFormat } from './official-file.ts';
import type { StagedQuarter } from './staged.ts';

export interface QuarterFacts extends StagedQuarter {
  /** Number of rows that repeat another one. */
  repeated: number;
  /** Counts of the loads that the quarter would replace. */
  replaced: { rows: number; served: number; deeds: number | null };
  /** Strata that the nearest served quarter has too, their median price change as a factor, and large changes. */
  strata: number;
  price_factor: number | null;
  strata_apart: number;
}

/** Minimum size relative to the served quarter, in deeds or rows. */
const MIN_SHARE_OF_SERVED = 0.7;
/** Maximum share of rejected or repeated rows. Published files have at most 0.002. */
const MAX_FAULTY_SHARE = 0.05;
/** Minimum number of rows or strata for checks of shares and medians. */
const JUDGED_FROM = 10;
const FILE_JUDGED_FROM = 20;
/** Maximum share of rows whose mean is outside its bounds. Published files have none. */
const MAX_OUT_OF_BOUNDS_SHARE = 0.01;
/** Accepted range for the ratio of `value / area` to the stated mean price. Published files have 0.99 to 1.37. */
const MEAN_RATIO: readonly [number, number] = [0.5, 2];
/** Accepted range for the median price change of strata between quarters, as a factor. */
const PRICE_FACTOR: readonly [number, number] = [0.5, 2];
/** Maximum share of strata whose price changed more than fourfold from the nearest quarter. */
const MAX_APART_SHARE = 0.25;

/** Remedies, of which each reason has the one that fits. */
const REMEDIES = {
  again: 'Download the file again, and import it.',
  correct: 'Correct the file or its name, and import it again, or release it if its rows are right.',
  compare: 'Compare the quarter with `official held <number>`, and release it if the change is real.',
} as const;

/** A reason to hold a quarter. */
export interface HoldReason {
  reason: string;
  remedy: keyof typeof REMEDIES;
}

/** Returns the reasons, then their remedies; null if there are none. A faulty file is not compared. */
export function describeHold(reasons: readonly HoldReason[]): string | null {
  if (reasons.length === 0) return null;
  const faults = reasons.filter(({ remedy }) => remedy !== 'compare');
  const remedies = new Set((faults.length > 0 ? faults : reasons).map(({ remedy }) => REMEDIES[remedy]));
  const stated = [...new Set(reasons.map(({ reason }) => reason))].join('; ').slice(0, 1_500);
  return `${stated}. ${[...remedies].join(' ')}`;
}

const percent = (part: number, of: number): string => `${Math.round((100 * part) / of)}%`;
const isOutside = (value: number | null, [least, most]: readonly [number, number]): boolean =>
  value !== null && (value < least || value > most);

/** Returns why a file is refused, or null. @param median median of the file's `ratio` */
export function swapOf({ ratio }: ReleaseFormat, rows: number, median: number | null): string | null {
  if (!ratio || rows < FILE_JUDGED_FROM || !isOutside(median, [ratio.least, ratio.most])) return null;
  return `The median ${ratio.what} of its rows is ${Number(median?.toPrecision(3))}: ${ratio.suspicion}.`;
}

export interface FileFacts extends Pick<FileReport, 'rows' | 'rejected'> {
  isClosed: boolean;
  /** How the file contradicts its rows. */
  contradictions: readonly string[];
  /** Number of rows with an ambiguous column, by column. */
  ambiguous: Readonly<Record<string, number>>;
}

/** Returns the reasons to hold all quarters of a file. */
export function fileHoldReasons({ isClosed, contradictions, ambiguous, rows, rejected }: FileFacts): HoldReason[] {
  const { repeated_row: _, ...others } = rejected;
  const lost = Object.values(others).reduce((sum, count) => sum + count, 0);
  const negative = others.negative_count ?? 0;
  const reasons: HoldReason[] = contradictions.map((reason) => ({ reason, remedy: 'correct' }));
  for (const [column, count] of Object.entries(ambiguous))
    reasons.push({ reason: `${count} rows state two values of ${column}`, remedy: 'correct' });
  if (!isClosed) reasons.push({ reason: 'its last row is not closed: the file may be cut', remedy: 'again' });
  if (negative > 0) reasons.push({ reason: `${negative} rows have a negative count`, remedy: 'correct' });
  if (rows >= FILE_JUDGED_FROM && lost > rows * MAX_FAULTY_SHARE)
    reasons.push({ reason: `${lost} of ${rows} rows cannot be taken`, remedy: 'correct' });
  return reasons;
}

/** Returns the reason to hold a quarter that is much smaller than the one it would replace. */
export function shrinkOf({ rows, served, replaced }: Pick<QuarterFacts, 'rows' | 'served' | 'replaced'>): HoldReason[] {
  // If the rules exclude the whole quarter, all rows are counted.
  const [size, before] = replaced.served > 0 ? [served, replaced.served] : [rows, replaced.rows];
  return size < before * MIN_SHARE_OF_SERVED
    ? [{ reason: `${size} rows where ${before} are served`, remedy: 'compare' }]
    : [];
}

/** Returns the reasons to hold a quarter. @param today the latest quarter that can have begun */
export function quarterHoldReasons(facts: QuarterFacts, today: number): HoldReason[] {
  const { rows, deeds, replaced, repeated, means, out_of_bounds, mean_ratio, strata, price_factor, strata_apart } =
    facts;
  const reasons: HoldReason[] = [];
  const add = (remedy: HoldReason['remedy'], reason: string): unknown => reasons.push({ reason, remedy });
  if (facts.quarter > today) add('correct', `${quarterLabel(facts.quarter)} has not begun`);
  if (replaced.deeds !== null && deeds !== null && deeds < replaced.deeds * MIN_SHARE_OF_SERVED)
    add('compare', `${deeds} deeds where ${replaced.deeds} are served`);
  if (rows >= JUDGED_FROM && repeated > rows * MAX_FAULTY_SHARE)
    add('correct', `${repeated} of ${rows} rows repeat another one (${percent(repeated, rows)})`);
  if (out_of_bounds > 0 && out_of_bounds > means * MAX_OUT_OF_BOUNDS_SHARE)
    add('correct', `${out_of_bounds} of ${means} mean prices are above their maximum or below their minimum`);
  if (means >= JUDGED_FROM && isOutside(mean_ratio, MEAN_RATIO))
    add(
      'correct',
      `value over area is ${mean_ratio?.toPrecision(2)} times the mean price: columns may stand under other names`,
    );
  if (strata >= JUDGED_FROM && isOutside(price_factor, PRICE_FACTOR))
    add(
      'compare',
      `prices are ${price_factor?.toPrecision(2)} times those of the nearest quarter (median of ${strata} strata)`,
    );
  else if (strata >= JUDGED_FROM && strata_apart > strata * MAX_APART_SHARE)
    add(
      'compare',
      `${strata_apart} of ${strata} strata are under a quarter or over four times their price of the nearest quarter`,
    );
  return reasons;
}
