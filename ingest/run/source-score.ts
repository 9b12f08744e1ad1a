/** Days since the last update. Equals the window of statistics. */
export const RECENT_DAYS = 30;

/** Ads to which a field applies, and those that have it. */
export interface FieldCounts {
  of: number;
  filled: number;
}

export interface SourceCounts {
  /** Rows, repeated rows, and rows rejected for other reasons. */
  read: number;
  repeated: number;
  rejected: number;
  live: number;
  merged: number;
  hidden: number;
  recent: number;
  fields: Readonly<Record<string, FieldCounts>>;
}

/** Percent; null without rows or ads to measure. */
export interface SourceScore {
  /** Mean of the parts. */
  score: number | null;
  /** Mean of `fields`. */
  filled: number | null;
  /** Rows that are not rejected. Repeated rows do not count. */
  accepted: number | null;
  /** Live ads that are not hidden. Merged ads do not count. */
  visible: number | null;
  /** Separate listings among live ads and repeated rows. */
  unique: number | null;
  /** Updated within `RECENT_DAYS`. */
  recent: number | null;
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

/** Clamped, because counts of a resumed run may be inconsistent. */
const percent = (part: number, of: number): number | null =>
  of > 0 ? (100 * Math.min(of, Math.max(0, part))) / of : null;

function mean(values: readonly (number | null)[]): number | null {
  const present = values.filter((value) => value !== null);
  return present.length === 0 ? null : present.reduce((sum, value) => sum + value, 0) / present.length;
}

const round = (value: number | null): number | null => (value === null ? null : Math.round(value * 10) / 10);
