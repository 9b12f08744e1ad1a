import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at`: when the served data of a listing last changed, in epoch microseconds. Values are unique, and each new
 * one exceeds all published ones. The process that holds the ingest lock applies these pure rules
 * (`docs/adr/0020-modified-at-is-assigned-at-publication.md`).
 */

/** Microseconds. They make values unique, because JavaScript dates have milliseconds. */
export const MODIFIED_STEP = 10;

/**
 * Without an assigned value. Ids rise with `first_seen_at`, so the result is unique.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

export interface Published {
  /** 64 bits over the served and searched content, as decimal digits; null if not served. */
  content: string | null;
  /** Bit mask of the searches that return it: bit 0 by one property type, bit 1 all others. */
  shown: number;
}

export interface LastPublished extends Published {
  modified: number;
}

/** Without observation times (`updated_at`, `last_seen_at`), which are written daily even if nothing else changes. */
export function publishedState({ display, private: hidden }: StoredListing): Published & { content: string } {
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
    shown: (hidden.plausible_typed ? 1 : 0) | (hidden.plausible_pooled ? 2 : 0),
  };
}

/**
 * It was not served before, its content differs, or it newly appears in searches. A listing that disappears from
 * searches keeps its value.
 * @param before null if never published
 */
export function isModified(before: Published | null, now: Published): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

/** Of the previous index, for a rebuild. */
export interface ShownState {
  /** Up to which clients may have read; null if none was published. */
  watermark: number | null;
  /** In the previous index: null if it lacks the listing, undefined if there is no previous index. */
  modified: number | null | undefined;
  /** From an earlier backup. */
  restored: boolean;
}

/**
 * Null if the listing needs a new value. It is kept unless a client that has read up to the watermark would miss a
 * change: the listing changed, the tables were restored, or the previous index had another state.
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
