/** All indexes that are built from Postgres. Their loss is detected and repaired. */
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

/** The record in Postgres of the serving index. */
export interface IndexRecord {
  /**
   * Random mark in the `_meta` of the index, which snapshots retain. Null until an index of an earlier release is adopted.
   */
  mark: string | null;
  /** Number of documents when the record was settled; null if unknown. */
  documents: number | null;
  /** The last ingest run or official import that the index contains; null if its tables have changed since. */
  dataVersion: number | null;
  /** The new index of a swap in progress: both indexes are valid until the swap is settled. */
  nextMark: string | null;
  nextDocuments: number | null;
}

/** The current source tables of an index in Postgres. */
export interface IndexSource {
  /** The last completed run or import. */
  version: number;
  /** Whether a run or an import is in progress or was interrupted: counts may differ. */
  changing: boolean;
}

/** The index behind an alias. */
export interface ShownIndex {
  mark: string | null;
  documents: number;
}

/**
 * `serves`: reads are correct. `lost`: the index is missing, or was replaced by one without its documents. `short`: it has
 * fewer documents than recorded, which a second count must confirm. `unverified`: it has no recorded mark, so a plausible
 * count in Postgres decides.
 */
export type IndexVerdict = 'serves' | 'lost' | 'short' | 'unverified';

/** A count is short if it is lower by more than this share and by more than this number. */
const SHORT_SHARE = 0.01;
const SHORT_NUMBER = 20;

/** Milliseconds between the two counts that confirm a short index. */
export const SHORT_AFTER_MS = 10_000;

/** Returns whether more documents are missing than concurrent writes explain. */
function isShort(documents: number, expected: number): boolean {
  const missing = expected - documents;
  return missing > SHORT_NUMBER && missing > expected * SHORT_SHARE;
}

/**
 * Returns whether an index without a recorded mark may contain the data of Postgres. An empty index does not, unless
 * Postgres has none.
 */
export function isPlausible(documents: number, expected: number): boolean {
  return !isShort(documents, expected) && (documents > 0 || expected === 0);
}

/**
 * Judges an index by its record. All healthy states must serve: a swap in progress, a restored snapshot, a run in progress,
 * a run of an earlier release that keeps no records, and an index of an earlier release.
 * @param record null if none exists
 * @param shown null if the alias has no index
 */
export function judgeIndex(
  record: IndexRecord | null,
  shown: ShownIndex | null,
  { version, changing }: IndexSource,
): IndexVerdict {
  if (shown === null) return 'lost';
  const isNext = shown.mark !== null && shown.mark === record?.nextMark;
  const isRecorded = isNext || (shown.mark !== null && shown.mark === record?.mark);
  if (!isRecorded) {
    // Only a verified index gets a mark and the alias, so an index with documents is not compared with an earlier record.
    const isMade = shown.mark !== null && shown.documents > 0;
    const recorded = record?.dataVersion === version ? record.documents : null;
    if (!changing && !isMade && recorded !== null && !isPlausible(shown.documents, recorded)) return 'lost';
    if (!changing) return 'unverified';
    // During a run the tables are ahead of any index, so counts differ; an empty index is still an error.
    return shown.documents === 0 && (record?.documents ?? 0) > 0 ? 'lost' : 'serves';
  }
  const expected = isNext ? record.nextDocuments : record.documents;
  // A run that is not in the record has changed the count, in any release.
  if (expected === null || changing || record.dataVersion !== version) return 'serves';
  return isShort(shown.documents, expected) ? 'short' : 'serves';
}
