import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at`: when the served data of a listing last changed, in epoch microseconds. Values are unique, and new ones exceed
 * all published ones. The rules here are pure; the holder of the ingest lock applies them
 * (docs/adr/0020-modified-at-is-assigned-at-publication.md).
 */

/** Microseconds between two values. JavaScript dates have milliseconds, so microseconds make values unique. */
export const MODIFIED_STEP = 10;

/**
 * The value of a listing that has no assigned value yet. Ids rise with `first_seen_at`, so the value is unique.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

/** The published state of a listing, which determines `modified_at`. */
export interface Published {
  /** 64-bit digest of the served and searched content, as digits; null if the listing is not served. */
  content: string | null;
  /** The searches that show the listing: bit 0 for searches of one property type, bit 1 for all others. */
  shown: number;
}

/** The last published state of a listing. */
export interface LastPublished extends Published {
  modified: number;
}

/**
 * Returns the published state of a listing. Observation times (`updated_at`, `last_seen_at`) are not part of its content:
 * they are written daily even without changes.
 */
export function publishedState({ display, private: hidden }: StoredListing): Published & { content: string } {
  const { source, source_listing_id, photos, advertiser_type, project, quality } = hidden;
  const content = [
    { ...display, updated_at: null },
    source,
    source_listing_id,
    photos,
    advertiser_type,
    project ?? null,
    // Listings without flags keep the digest from before flags existed.
    ...(quality === undefined ? [] : [quality]),
  ];
  return {
    content: hash('sha256', JSON.stringify(content), 'buffer').readBigInt64BE().toString(),
    shown: (hidden.plausible_typed ? 1 : 0) | (hidden.plausible_pooled ? 2 : 0),
  };
}

/**
 * Returns whether a listing needs a new value: it was not served before, its content differs, or it newly appears in
 * searches. A listing that disappears from searches keeps its value.
 * @param before null if never published
 */
export function isModified(before: Published | null, now: Published): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

/** Inputs from the previous index, for a rebuild from the tables. */
export interface ShownState {
  /** The published watermark, up to which clients may have read; null if none was published. */
  watermark: number | null;
  /** The value of the listing in the previous index: null if it lacks the listing, undefined without a previous index. */
  modified: number | null | undefined;
  /** Whether the tables were restored from an earlier backup. */
  restored: boolean;
}

/**
 * Returns the value of a listing in a rebuilt index, or null if it needs a new one. The value is kept unless a client that
 * has read up to the watermark would miss a change: the listing changed, the tables were restored, or the previous index
 * showed another state.
 */
export function rebuiltModified(
  before: LastPublished | null,
  now: Published,
  first: number,
  { watermark, modified: shown, restored }: ShownState,
): number | null {
  if (shown === undefined && restored) return null;
  if (before === null) return watermark === null ? first : null;
  if (isModified(before, now)) return null;
  const isRead = watermark !== null && before.modified <= watermark;
  return isRead && shown !== undefined && shown !== before.modified ? null : before.modified;
}
