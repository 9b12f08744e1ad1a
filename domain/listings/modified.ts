import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at` is the time in epoch microseconds when the served data of a listing last changed. Values are unique,
 * and each new one exceeds all published ones (`docs/adr/0020-modified-at-is-assigned-at-publication.md`).
 */

/** Microseconds between values. JavaScript dates have milliseconds, so the steps make values unique. */
export const MODIFIED_STEP = 10;

/**
 * Returns the value for a listing without an assigned one. It is unique, because ids rise with `first_seen_at`.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

export interface PublishedState {
  /** A 64-bit digest of the served and searched content, as decimal digits. Null if the listing is not served. */
  content: string | null;
  /**
   * Bit mask of the searches that return the listing: bit 0 for searches by one property type, bit 1 for all others.
   */
  shown: number;
}

export interface LastPublishedState extends PublishedState {
  modified: number;
}

/** Returns `shown` of a `PublishedState`. */
export const shownBits = (isTyped: boolean, isPooled: boolean): number => (isTyped ? 1 : 0) | (isPooled ? 2 : 0);

/** Without observation times (`updated_at`, `last_seen_at`), which are written daily even if nothing else changes. */
export function publishedState({ display, private: hidden }: StoredListing): PublishedState & { content: string } {
  const { source, source_listing_id, photos, advertiser_type, advertiser_ref, project, quality } = hidden;
  const content = [
    { ...display, updated_at: null },
    source,
    source_listing_id,
    photos,
    advertiser_type,
    project ?? null,
    // Only if set, so that listings without them keep their digest.
    ...(advertiser_ref === undefined ? [] : [advertiser_ref]),
    ...(quality === undefined ? [] : [quality]),
  ];
  return {
    content: hash('sha256', JSON.stringify(content), 'buffer').readBigInt64BE().toString(),
    // No search returns a listing without a price.
    shown: display.price.yearly_sar === null ? 0 : shownBits(hidden.plausible_typed, hidden.plausible_pooled),
  };
}

/**
 * A listing that disappears from searches keeps its value.
 * @param before null if never published
 */
export function isModified(before: PublishedState | null, now: PublishedState): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

export interface IndexedState {
  /** The value up to which clients may have read; null if none was published. */
  watermark: number | null;
  /** What the previous index shows: null if it lacks the listing, undefined without a previous index. */
  indexed: { modified: number; shown: number } | null | undefined;
  restored: boolean;
}

/**
 * Returns the value to keep, or null if the listing needs a new one, because a client that has read up to the watermark
 * would otherwise miss a change.
 */
export function rebuiltModified(
  before: LastPublishedState | null,
  now: PublishedState,
  first: number,
  { watermark, indexed, restored }: IndexedState,
): number | null {
  if (indexed === undefined && restored) return null;
  if (before === null) return watermark === null ? first : null;
  if (isModified(before, now)) return null;
  if (watermark === null || before.modified > watermark || indexed === undefined) return before.modified;
  // A listing that a lost run has hidden has kept its value.
  const isSeen = indexed?.modified === before.modified && (now.shown & ~indexed.shown) === 0;
  return isSeen ? before.modified : null;
}
