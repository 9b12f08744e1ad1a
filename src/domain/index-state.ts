/** Every index that is made from Postgres, and whose loss is detected and repaired. */
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

/** The record in Postgres of the index that serves under a name. */
export interface IndexRecord {
  /** Random, and in the index's `_meta`: snapshots keep it. Null until an index of an earlier release is adopted. */
  mark: string | null;
  /** Documents when the record was settled; null where that is unknown. */
  documents: number | null;
  /** The last run, or load of official data, that the index holds; null when its tables have changed since. */
  dataVersion: number | null;
  /** The index of a swap that has begun: it and the other are valid until the swap is settled. */
  nextMark: string | null;
  nextDocuments: number | null;
}

/** The current source of an index in Postgres. */
export interface IndexSource {
  /** The last completed run, or the last load. */
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
 * `serves`: reads are right. `lost`: the index is missing, or another took its place without its documents. `short`: it has
 * fewer documents than recorded, which must be seen twice. `unverified`: a plausible count in Postgres decides, because the
 * index has no mark that Postgres recorded.
 */
export type IndexVerdict = 'serves' | 'lost' | 'short' | 'unverified';

/** A count is short when it is lower by more than this share and more than this number. */
const SHORT_SHARE = 0.01;
const SHORT_NUMBER = 20;

/** Milliseconds between the two counts that show an index to be short. */
export const SHORT_AFTER_MS = 10_000;

/** Whether documents are missing beyond what concurrent writes explain. */
function isShort(documents: number, expected: number): boolean {
  const missing = expected - documents;
  return missing > SHORT_NUMBER && missing > expected * SHORT_SHARE;
}

/** Whether an index without a recorded mark may hold what Postgres has. An empty index never does, if there is anything. */
export function isPlausible(documents: number, expected: number): boolean {
  return !isShort(documents, expected) && (documents > 0 || expected === 0);
}

/**
 * Judges an index by its record. No healthy state may be refused: a swap in progress, a snapshot that was restored, a run in
 * progress, a run of an earlier release that keeps no records, and an index that an earlier release made all serve.
 * @param record null where nothing is recorded
 * @param shown null where nothing is behind the alias
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
    // The tables are ahead of any index during a run, so their count shows nothing; an empty index still does.
    return shown.documents === 0 && (record?.documents ?? 0) > 0 ? 'lost' : 'serves';
  }
  const expected = isNext ? record.nextDocuments : record.documents;
  // A run that the record does not include has changed the count, whichever release it was of.
  if (expected === null || changing || record.dataVersion !== version) return 'serves';
  return isShort(shown.documents, expected) ? 'short' : 'serves';
}
