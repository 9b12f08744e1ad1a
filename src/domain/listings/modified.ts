import { hash } from 'node:crypto';
import type { StoredListing } from './listing.ts';

/**
 * `modified_at`: when the service last changed what it serves of a listing, in epoch microseconds. Values are unique, and what
 * is assigned is above all that was published. The rules here are pure; who holds the ingest lock applies them
 * (docs/adr/0020-modified-at-is-assigned-at-publication.md).
 */

/** Microseconds between two values. JavaScript dates have milliseconds, so a value of its own needs no other source. */
export const MODIFIED_STEP = 10;

/**
 * The value of a listing that no release has assigned one yet. Ids rise with the time at which listings were first seen, so
 * that it is unique.
 * @param firstSeen epoch seconds
 */
export const firstModified = (firstSeen: number, id: number): number => firstSeen * 1_000_000 + id * MODIFIED_STEP;

/** What is served of a listing, as far as `modified_at` tells it. */
export interface Published {
  /** Digest of what is served and searched, 64 bits in digits; null for a listing that is not served. */
  content: string | null;
  /** Which searches show it: bit 0 those for one property type, bit 1 all others. */
  shown: number;
}

/** A listing as it was published last. */
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
 * Whether a listing has to get a new value: it was not served before, its content differs, or searches show it that did not.
 * One that searches show no longer keeps its value.
 * @param before null for one that was never published
 */
export function isModified(before: Published | null, now: Published): boolean {
  return before === null || before.content !== now.content || (now.shown & ~before.shown) !== 0;
}

/** What an index shows while it is rebuilt from the tables. */
export interface ShownState {
  /** The watermark that clients may have read to; null where none was published. */
  watermark: number | null;
  /** The value that the index shows of the listing, null where it does not have it; undefined where there is no index to compare with. */
  modified: number | null | undefined;
  /** Whether the tables were restored to an earlier state. */
  restored: boolean;
}

/**
 * The value of a listing in a rebuilt index; null where it has to get a new one. It keeps its value unless a client that has
 * read up to the watermark would miss what the rebuilt index shows: because it changed, because the tables were restored, or
 * because the index that clients read did not show it so.
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
