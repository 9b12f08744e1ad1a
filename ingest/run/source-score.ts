/** Maximum number of days since the last update for an ad to count as recent. Equals the window of statistics. */
export const RECENT_DAYS = 30;

/** Number of live ads to which a field applies, and number of these that have it. */
export interface FieldCounts {
  of: number;
  filled: number;
}

interface SourceCounts {
  /** Number of rows in the feed, number of rows that repeat an ad, and number of rows rejected for other reasons. */
  read: number;
  repeated: number;
  rejected: number;
  live: number;
  merged: number;
  hidden: number;
  recent: number;
  fields: Readonly<Record<string, FieldCounts>>;
}

/** Parts of a score, in percent. A part is null if there are no rows or ads to measure. */
export interface SourceScore {
  /** The mean of the parts below, from 0 to 100; null for a source without live ads. */
  score: number | null;
  /** Mean of `fields`, the shares of ads that have each field. */
  filled: number | null;
  /** Share of feed rows that are not rejected. Repeated rows do not count. */
  accepted: number | null;
  /** Share of live ads that are not hidden. Merged ads do not count. */
  visible: number | null;
  /** Share of separate listings among live ads and repeated rows. */
  unique: number | null;
  /** Share of live ads that were updated within `RECENT_DAYS`. */
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

/** Clamped to 0 to 100, because counts from a resumed run may be inconsistent. */
const percent = (part: number, of: number): number | null =>
  of > 0 ? (100 * Math.min(of, Math.max(0, part))) / of : null;

function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
