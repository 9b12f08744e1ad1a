/** All indexes that are built from Postgres. The loss of one of them is detected and repaired. */
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

/** The Postgres record about the serving index. */
export interface IndexRecord {
  /**
   * Random mark in the index's `_meta`, which snapshots retain. Null until an index from an earlier release is adopted.
   */
  mark: string | null;
  /** Number of documents when the record was settled, or null if unknown. */
  documents: number | null;
  /** The last ingest run or official import that the index contains. Null if the source tables have changed since. */
  dataVersion: number | null;
  /** The mark of the new index while a swap is in progress. Both indexes are valid until the swap is settled. */
  nextMark: string | null;
  nextDocuments: number | null;
}

/** The current state of an index's source tables in Postgres. */
export interface IndexSource {
  /** Number of the last completed run or import. */
  version: number;
  /** Whether a run or an import is in progress or was interrupted. Document counts may then differ. */
  changing: boolean;
}

/** The index behind an alias. */
export interface ShownIndex {
  mark: string | null;
  documents: number;
}

/**
 * `serves`: reads are correct. `lost`: the index is missing, or was replaced by an index without its documents.
 * `short`: the index has fewer documents than recorded, which a second count must confirm. `unverified`: the index has
 * no recorded mark, so a plausible count in Postgres decides.
 */
export type IndexVerdict = 'serves' | 'lost' | 'short' | 'unverified';

/**
 * An index is short if it lacks more than this share of the expected documents and more than this number of documents.
 */
const SHORT_SHARE = 0.01;
const SHORT_NUMBER = 20;

/** Milliseconds between the two counts that confirm a short index. */
export const SHORT_AFTER_MS = 10_000;

/** Returns whether more documents are missing than concurrent writes can explain. */
function isShort(documents: number, expected: number): boolean {
  const missing = expected - documents;
  return missing > SHORT_NUMBER && missing > expected * SHORT_SHARE;
}

/**
 * Returns whether an index without a recorded mark may contain the Postgres data. An empty index is plausible only if
 * Postgres has no data.
 */
export function isPlausible(documents: number, expected: number): boolean {
  return !isShort(documents, expected) && (documents > 0 || expected === 0);
}

/**
 * Judges an index by its record. The index must keep serving in every healthy state: a swap in progress, a restored
 * snapshot, a run in progress, a run by an earlier release that keeps no records, and an index from an earlier release.
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
    // Only a verified index gets a mark and the alias, so an index with documents is not compared with an earlier
    // record.
    const isMade = shown.mark !== null && shown.documents > 0;
    const recorded = record?.dataVersion === version ? record.documents : null;
    if (!changing && !isMade && recorded !== null && !isPlausible(shown.documents, recorded)) return 'lost';
    if (!changing) return 'unverified';
    // During a run the tables are ahead of any index, so counts differ. An empty index is still an error.
    return shown.documents === 0 && (record?.documents ?? 0) > 0 ? 'lost' : 'serves';
  }
  const expected = isNext ? record.nextDocuments : record.documents;
  // A run that the record does not contain, by any release, has changed the count.
  if (expected === null || changing || record.dataVersion !== version) return 'serves';
  return isShort(shown.documents, expected) ? 'short' : 'serves';
}
