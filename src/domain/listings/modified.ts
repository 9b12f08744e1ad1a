import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at`: when the served data of a listing last changed, in epoch microseconds. Values are unique, and new ones exceed
 * all published ones. The rules here are pure; the holder of the ingest lock applies them
 * (docs/adr/0020-modified-at-is-assigned-at-publication.md).
 */

/** Microseconds between two values. JavaScript dates have milliseconds, so that unique values need no other source. */
export const MODIFIED_STEP = 10;

/**
 * The value of a listing that no release has assigned one yet. Ids rise with the time at which listings were first seen, so
 * that it is unique.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

/** The state of a listing that determines `modified_at`. */
export interface Published {
  /** 64-bit digest of the served and searched content, as digits; null if the listing is not served. */
  content: string | null;
  /** Which searches show it: bit 0 those for one property type, bit 1 all others. */
  shown: number;
}

/** The last published state of a listing. */
export interface LastPublished extends Published {
  modified: number;
}

/**
 * The state of a listing that is served. Times of observation (`updated_at`, `last_seen_at`) are no part of its content: they
 * are written daily where nothing has changed.
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
    // A listing without flags has the digest that it had before there were any.
    ...(quality === undefined ? [] : [quality]),
  ];
  return {
    content: hash('sha256', JSON.stringify(content), 'buffer').readBigInt64BE().toString(),
    shown: (hidden.plausible_typed ? 1 : 0) | (hidden.plausible_pooled ? 2 : 0),
  };
}

/**
 * Returns whether a listing needs a new value: it was not served before, its content differs, or it newly appears in searches.
 * A listing that searches no longer show keeps its value.
 * @param before null if it was never published
 */
export function isModified(before: Published | null, now: Published): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

/** The state of an index while it is rebuilt from the tables. */
export interface ShownState {
  /** The watermark that clients may have read to; null where none was published. */
  watermark: number | null;
  /** The value that the index shows of the listing, null where it does not have it; undefined where there is no index to compare with. */
  modified: number | null | undefined;
  /** Whether the tables were restored to an earlier state. */
  restored: boolean;
}

/**
 * Returns the value of a listing in a rebuilt index, or null if it needs a new one. It keeps its value unless a client that has
 * read up to the watermark would miss a change: because the listing changed, because the tables were restored, or because the
 * previous index did not show it in this state.
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
