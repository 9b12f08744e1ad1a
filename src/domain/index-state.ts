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

export interface IndexRecord {
  /** In the index's `_meta`, which snapshots retain. Null until an index from an earlier release is adopted. */
  mark: string | null;
  /** When the record was settled; null if unknown. */
  documents: number | null;
  /** The last ingest run or official import that the index contains. Null if the source tables have changed since. */
  dataVersion: number | null;
  /** Of the new index during a swap. Both are valid until the swap is settled. */
  nextMark: string | null;
  nextDocuments: number | null;
}

/** In Postgres. */
export interface IndexSource {
  /** Of the last completed run or import. */
  version: number;
  /** A run or import is in progress or was interrupted. Document counts may then differ. */
  changing: boolean;
}

/** Behind an alias. */
export interface ShownIndex {
  mark: string | null;
  documents: number;
}

/**
 * `serves`: reads are correct. `lost`: missing, or replaced by an index without its documents. `short`: fewer documents
 * than recorded, which a second count must confirm. `unverified`: no recorded mark, so a plausible count in Postgres
 * decides.
 */
export type IndexVerdict = 'serves' | 'lost' | 'short' | 'unverified';

/** Both must be exceeded: the share, and the number of missing documents. */
const SHORT_SHARE = 0.01;
const SHORT_NUMBER = 20;

/** Milliseconds between the counts that confirm a short index. */
export const SHORT_AFTER_MS = 10_000;

/** More than concurrent writes can explain. */
function isShort(documents: number, expected: number): boolean {
  const missing = expected - documents;
  return missing > SHORT_NUMBER && missing > expected * SHORT_SHARE;
}

/** Without a recorded mark. An empty index is plausible only if Postgres has no data. */
export function isPlausible(documents: number, expected: number): boolean {
  return !isShort(documents, expected) && (documents > 0 || expected === 0);
}

/**
 * The index must keep serving in every healthy state: a swap, a restored snapshot, a run in progress or by an earlier
 * release that keeps no records, and an index from an earlier release.
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
    // Only a verified index gets a mark and the alias, so one with documents is not compared with an earlier record.
    const isMade = shown.mark !== null && shown.documents > 0;
    const recorded = record?.dataVersion === version ? record.documents : null;
    if (!changing && !isMade && recorded !== null && !isPlausible(shown.documents, recorded)) return 'lost';
    if (!changing) return 'unverified';
    // During a run the tables are ahead of any index. An empty index is still an error.
    return shown.documents === 0 && (record?.documents ?? 0) > 0 ? 'lost' : 'serves';
  }
  const expected = isNext ? record.nextDocuments : record.documents;
  // A run that the record does not contain, by any release, has changed the count.
  if (expected === null || changing || record.dataVersion !== version) return 'serves';
  return isShort(shown.documents, expected) ? 'short' : 'serves';
}
