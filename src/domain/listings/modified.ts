import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at`: when the served data last changed. Each new value exceeds all published ones. The process that holds
 * the ingest lock applies these rules (`docs/adr/0020-modified-at-is-assigned-at-publication.md`).
 */

/** Microseconds. JavaScript dates have milliseconds, so steps make values unique. */
export const MODIFIED_STEP = 10;

/**
 * Unique, because ids rise with `first_seen_at`.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

export interface Published {
  /** 64 bits over the served and searched content; null if not served. */
  content: string | null;
  /** Searches that return it: bit 0 by one property type, bit 1 all others. */
  shown: number;
}

export interface LastPublished extends Published {
  modified: number;
}

/** Without observation times, which are written daily. */
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
 * Returns whether the content changed, or the listing newly appears in searches. One that disappears keeps its value.
 */
export function isModified(before: Published | null, now: Published): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

export interface ShownState {
  /** Up to which clients may have read. */
  watermark: number | null;
  /** Null if the previous index lacks the listing, undefined without a previous index. */
  modified: number | null | undefined;
  restored: boolean;
}

/**
 * Null if a client that has read up to the watermark would miss a change: the listing changed, the tables were
 * restored, or the previous index had another state.
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
