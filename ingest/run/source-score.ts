/** Days since their last update within which ads count as recent: the window of statistics. */
export const RECENT_DAYS = 30;

/** Number of live ads that have a field, and that it applies to. */
export interface FieldCounts {
  of: number;
  filled: number;
}

/** Counts that determine a source's score. */
export interface SourceCounts {
  /** Rows of the feed, those that repeat an ad, and those rejected for other reasons. */
  read: number;
  repeated: number;
  rejected: number;
  live: number;
  merged: number;
  hidden: number;
  recent: number;
  fields: Readonly<Record<string, FieldCounts>>;
}

/** Parts of a score, in percent. A part without rows or ads to measure is null. */
export interface SourceScore {
  /** The mean of the parts below, from 0 to 100; null for a source without live ads. */
  score: number | null;
  /** Mean share of ads that have a field, over the fields. */
  filled: number | null;
  /** Rows of the feed, without repeated ones, that are not rejected. */
  accepted: number | null;
  /** Live ads, without merged ones, that are not hidden. */
  visible: number | null;
  /** Live ads, and repeated rows, that are separate listings. */
  unique: number | null;
  /** Live ads updated within `RECENT_DAYS`. */
  recent: number | null;
  /** Share of ads that have each field. */
  fields: Record<string, number | null>;
}

export function scoreSource({
  read,
  repeated,
  rejected,
  live,
  merged,
  hidden,
  recent,
  fields,
}: SourceCounts): SourceScore {
  const shares = Object.fromEntries(
    Object.entries(fields).map(([field, { of, filled }]) => [field, percent(filled, of)]),
  );
  const parts = {
    filled: mean(Object.values(shares)),
    accepted: percent(read - repeated - rejected, read - repeated),
    visible: percent(live - merged - hidden, live - merged),
    unique: percent(live - merged, live + repeated),
    recent: percent(recent, live),
  };
  const score = live > 0 ? mean(Object.values(parts)) : null;
  const rounded = Object.fromEntries(
    Object.entries(parts).map(([part, share]) => [part, round(share)]),
  ) as typeof parts;
  const roundedShares = Object.fromEntries(Object.entries(shares).map(([field, share]) => [field, round(share)]));
  return { score: round(score), ...rounded, fields: roundedShares };
}

/** Counts of a resumed run may exceed each other. */
const percent = (part: number, of: number): number | null =>
  of > 0 ? (100 * Math.min(of, Math.max(0, part))) / of : null;

function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
