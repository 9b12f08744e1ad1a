/** Filled from Postgres. The loss of one is detected and repaired. */
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

/** While an alias moves, the serving and the intended index are both valid. */
export interface IndexRecord {
  serving: string | null;
  documents: number;
  /** The last run or load in these documents; null if unknown. */
  run: number | null;
  intended: string | null;
  intendedDocuments: number;
}

export interface IndexSource {
  version: number;
  /** Whether a change is in progress or was interrupted. Document counts may then differ. */
  changing: boolean;
  /** Only for listings: values of `modified_at` up to this one are published. */
  watermark?: number | null;
  /** Only for listings: id of the sequence of changes. */
  stream?: string | null;
}

export interface IndexSize {
  index: string;
  documents: number;
}

export interface ServingIndex extends IndexSize {
  /** Only for listings: every change up to this time (epoch microseconds) is shown. */
  watermark: number | null;
}

/**
 * The reason why an index must not be read, or null. Names of indexes contain the time of their creation.
 * @param record null if an earlier release filled the index, or nothing
 */
export function lossOf(record: IndexRecord | null, shown: ServingIndex | null, source: IndexSource): string | null {
  if (shown === null) return 'is missing';
  if (record === null) return null;
  const { serving, documents, intended, intendedDocuments } = record;
  const { index } = shown;
  if (index !== serving && index !== intended) return `was replaced by ${index}, which Postgres has not recorded`;
  const expected = index === serving ? documents : intendedDocuments;
  // Only a restored snapshot is behind Postgres, because the watermark is published in the index first.
  if (shown.watermark !== null && shown.watermark < (source.watermark ?? 0)) return 'is behind Postgres';
  // A run may remove the last document before it records the new number.
  return shown.documents === 0 && expected > 0 && !source.changing ? 'is empty' : null;
}

/**
 * Returns whether an index has lost some of its documents. Unknown while its record is of an earlier run or load, and
 * for tables that change outside of runs (version 0).
 */
export function isIncomplete(record: IndexRecord | null, shown: ServingIndex | null, source: IndexSource): boolean {
  if (record === null || shown === null || source.version === 0 || source.changing || record.run !== source.version)
    return false;
  return shown.index === record.serving && shown.documents < record.documents;
}
