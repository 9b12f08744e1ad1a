import type pg from 'pg';
import type { QualityFlag } from '#domain/listing-vocabulary.ts';
import type { LastPublishedState } from '#domain/listings/modified.ts';
import * as sql from '#stores/postgres/rows.ts';
import { column, queryRows, type RowOf } from '../postgres/column-rows.ts';
import { earlierRows, recordsAsOf } from '../postgres/earlier-rows.ts';

/** Columns from `listings l`, `listing_records r` and `listing_publications p`. Times are in seconds. */
export const LISTING_COLUMNS = {
  id: column<number>('l.id'),
  changedRun: column<number>('l.changed_run'),
  version: column<number>('l.version'),
  served: column<boolean>('l.served'),
  wasServed: column<boolean>('l.was_served'),
  neighborhood: column<number | null>('l.neighborhood_id'),
  price: column<number | null>('l.price'),
  perSqm: column<boolean>('l.per_sqm'),
  textFlags: column<QualityFlag[]>('l.text_flags'),
  relisted: column<boolean>('l.relisted'),
  sharedPhotos: column<boolean>('l.shared_photos'),
  farBelow: column<boolean>('l.far_below'),
  previousPrice: column<number | null>('l.previous_price'),
  priceChanged: column<number | null>('extract(epoch from l.price_changed_at)::float8'),
  firstSeen: column<number>('extract(epoch from l.first_seen_at)::float8'),
  updated: column<number>('extract(epoch from l.updated_at)::float8'),
  photos: column<string>('l.photos'),
  alsoListedOn: column<string>('l.also_listed_on'),
  plausibleTyped: column<boolean>('l.plausible_typed'),
  plausiblePooled: column<boolean>('l.plausible_pooled'),
  /** Last published `modified_at` value; null if never published. */
  modified: column<number | null>('p.modified'),
  publishedContent: column<string | null>('p.content::text'),
  publishedShown: column<number | null>('p.shown'),
  /** The unit's off-plan project, as a JSON `UnitProject`. */
  project: column<string | null>('l.project'),
  /** Public id of the advertiser, if it is a company. */
  advertiserRef: column<string | null>('(select a.ref from advertiser_refs a where a.advertiser = l.advertiser)'),
  /** The normalized ad as JSON; null for a listing that is not served. */
  record: column<string | null>('r.record'),
};
export type ListingRow = RowOf<typeof LISTING_COLUMNS>;

/**
 * Selects listings for an index: `published` those that are served and that later runs have not changed; `before` those
 * that later runs have changed, as they were before; `since` those that later runs have changed, and those with a
 * `modified_at` value above a watermark.
 */
export type RowSelection = { published: number } | { before: number } | { since: number; watermark?: number };

export const countChanged = (pool: pg.Pool, since: number): Promise<number> =>
  sql.countRows(pool, 'from listings where changed_run > $1', [since]);

/** @param after the SQL parameter with the id above which rows are read */
function conditionOf(which: Exclude<RowSelection, { before: number }>, after: string): string {
  if ('published' in which) return `served and changed_run <= ${which.published}`;
  const changed = `changed_run > ${which.since}`;
  return which.watermark === undefined
    ? changed
    : `(${changed} or id in (
         select listing_id from listing_publications where modified > ${which.watermark} and listing_id > ${after}))`;
}

export function readRows(pool: pg.Pool, which: RowSelection, after: number, limit: number): Promise<ListingRow[]> {
  const end = `id > $1 order by id limit ${limit}`;
  const isBefore = 'before' in which;
  const rows = isBefore
    ? earlierRows(which.before, 'listings', end)
    : `select * from listings where ${conditionOf(which, '$1')} and ${end}`;
  return queryRows(pool, LISTING_COLUMNS, {
    // The limit applies before the join, and the join is bounded; otherwise the planner scans the records from the
    // beginning.
    from: `from (${rows}) l
           left join ${recordsAsOf(isBefore ? which.before : undefined)} r on r.id = l.id and l.served and r.id > $1
           left join listing_publications p on p.listing_id = l.id and p.listing_id > $1
           order by l.id`,
    values: [after],
  });
}

export function lastPublished({ modified, publishedContent, publishedShown }: ListingRow): LastPublishedState | null {
  return modified === null ? null : { modified, content: publishedContent, shown: publishedShown ?? 0 };
}
