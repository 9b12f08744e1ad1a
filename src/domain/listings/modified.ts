import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at`: when the served data of a listing last changed, in epoch microseconds. Values are unique, and each new
 * value exceeds all published values. The rules here are pure; the process that holds the ingest lock applies them
 * (`docs/adr/0020-modified-at-is-assigned-at-publication.md`).
 */

/**
 * Minimum difference between two `modified_at` values in microseconds. JavaScript dates have millisecond resolution, so
 * microseconds make values unique.
 */
export const MODIFIED_STEP = 10;

/**
 * Returns `modified_at` for a listing without an assigned value. Ids rise with `first_seen_at`, so the result is
 * unique.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

/** The published state that determines a listing's `modified_at`. */
export interface Published {
  /** 64-bit digest of the served and searched content, as decimal digits; null if the listing is not served. */
  content: string | null;
  /**
   * Bit mask of the searches that return the listing: bit 0 for searches by one property type, bit 1 for all others.
   */
  shown: number;
}

/** The listing's last published state. */
export interface LastPublished extends Published {
  modified: number;
}

/**
 * Returns a listing's published state. The digest does not cover observation times (`updated_at`, `last_seen_at`),
 * because they are written daily even if nothing else changes.
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
    // Added only if set, so that listings without flags keep the digest that they had before flags existed.
    ...(quality === undefined ? [] : [quality]),
  ];
  return {
    content: hash('sha256', JSON.stringify(content), 'buffer').readBigInt64BE().toString(),
    shown: (hidden.plausible_typed ? 1 : 0) | (hidden.plausible_pooled ? 2 : 0),
  };
}

/**
 * Returns whether a listing needs a new `modified_at`: it was not served before, its content differs, or it newly
 * appears in searches. A listing that disappears from searches keeps its value.
 * @param before null if never published
 */
export function isModified(before: Published | null, now: Published): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

/** State of the previous index, used to rebuild an index from the tables. */
export interface ShownState {
  /** The published watermark, up to which clients may have read; null if none was published. */
  watermark: number | null;
  /**
   * The listing's `modified_at` in the previous index: null if that index lacks the listing, undefined if there is no
   * previous index.
   */
  modified: number | null | undefined;
  /** Whether the tables were restored from an earlier backup. */
  restored: boolean;
}

/**
 * Returns a listing's `modified_at` in a rebuilt index, or null if it needs a new value. The value is kept unless a
 * client that has read up to the watermark would miss a change: the listing changed, the tables were restored, or the
 * previous index had another state.
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
