/** All indexes that are filled from Postgres. The loss of one of them is detected and repaired. */
export const SERVED_INDEXES = [
  'listings',
  'history',
  'deals',
  'transactions',
  'projects',
  'developers',
  'webhooks',
] as const;
export type ServedIndex = (typeof SERVED_INDEXES)[number];

/** The Postgres record of an index. While an alias moves, the serving and the intended index are both valid. */
export interface IndexRecord {
  serving: string | null;
  /** Number of documents of the serving index when it was recorded. */
  documents: number;
  intended: string | null;
  intendedDocuments: number;
}

/** In Postgres. */
export interface IndexSource {
  /** Of the last completed run or import. */
  version: number;
  /** A run or import is in progress or was interrupted. Document counts may then differ. */
  changing: boolean;
  /** Only for listings: all values of `modified_at` up to this one are published; null if none are. */
  watermark?: number | null;
}

/** An index and the number of its documents. */
export interface CountedIndex {
  index: string;
  documents: number;
}

/** Behind an alias. */
export interface ShownIndex extends CountedIndex {
  /** Only for listings: every change up to this time is shown, in epoch microseconds; null if unknown. */
  watermark: number | null;
}

/**
 * Returns the reason why an index must not be read, or null. Names of indexes contain the time of their creation, and a
 * restored snapshot keeps them.
 * @param record null if no index was recorded: nothing was filled, or an earlier release filled it
 * @param shown null if the alias has no index
 */
export function lossOf(record: IndexRecord | null, shown: ShownIndex | null, source: IndexSource): string | null {
  if (shown === null) return 'is missing';
  if (record === null) return null;
  const { serving, documents, intended, intendedDocuments } = record;
  const { index } = shown;
  if (index !== serving && index !== intended) return `was replaced by ${index}, which Postgres has not recorded`;
  const expected = index === serving ? documents : intendedDocuments;
  // The watermark is published in the index first. Only a restored snapshot is behind Postgres.
  if (shown.watermark !== null && shown.watermark < (source.watermark ?? 0)) return 'is behind Postgres';
  // A run may remove the last document before it records the new number.
  return shown.documents === 0 && expected > 0 && !source.changing ? 'is empty' : null;
}

/**
 * Returns whether an index has lost some of its documents, so that it is filled again. Reads of it are not refused.
 * @param source of an index whose tables change outside of runs, the version is 0: its number of documents is unknown
 */
export function isIncomplete(record: IndexRecord | null, shown: ShownIndex | null, source: IndexSource): boolean {
  if (record === null || shown === null || source.version === 0 || source.changing) return false;
  return shown.index === record.serving && shown.documents < record.documents;
}
