import type pg from 'pg';
import { type ChangeReason, GONE_REASONS, GONE_STATES } from '#domain/listings/changes.ts';
import type { PreparedRow } from '#domain/listings/present.ts';
import * as sql from './rows.ts';

const FEED = { position: sql.integer, since: sql.integer, stream: sql.text };
/** `position` is published; events after `since` are complete. Until the repair after a restore has ended, they are equal. */
export type Feed = sql.RowOf<typeof FEED>;

/** Reads the state of the sequence of changes. @throws StoreError */
export async function readFeed(pool: pg.Pool): Promise<Feed> {
  const [feed] = await sql.readRows(pool, FEED, {
    name: 'changes-feed',
    text: 'select greatest(watermark, since) as position, since, stream from modification_clock',
    values: [],
  });
  if (!feed) throw new Error('modification_clock has no row');
  return feed;
}

/** Positions that are read for a page with filters, so that filters without matches are bounded. */
const SCANNED = 10_000;

const CHANGE = {
  position: sql.integer,
  listing_id: sql.integer,
  type: sql.text,
  /** Epoch seconds. */
  at: sql.number,
  city: sql.text,
  listing_type: sql.text,
  reason: sql.nullable(sql.textAs<NonNullable<ChangeReason>>()),
  merged_into: sql.nullable(sql.integer),
  previous_price: sql.nullable(sql.amount),
  reindexed: sql.boolean,
  /** Whether only the earlier city and listing type match the filters. */
  has_left: sql.boolean,
};
export type Change = sql.RowOf<typeof CHANGE>;

const PAGE_ROW = { reached: sql.integer, scanned: sql.integer, change: sql.nullable(sql.object(CHANGE)) };

/** Changes with the listings that they show. */
export interface ChangesPage {
  changes: readonly Change[];
  /** Position from which the next page continues. */
  next: number;
  hasMore: boolean;
  stream: string;
  listings: readonly PreparedRow[];
}

export interface ChangesRequest {
  /** Positions after the first, up to the second. */
  after: number;
  upTo: number;
  /** Whether the copy is empty, and needs no events. */
  isInitial: boolean;
  cities: readonly string[] | null;
  listingType: string | null;
  limit: number;
}

/** The place of the listing, now or before the change, matches. */
const MATCHES = `
  cross join lateral (select $4::text[] is null or c.city = any ($4) as in_city,
                             $5::text is null or c.listing_type = $5 as in_type) f
  where in_city and in_type or (left_city is not null
    and ($4::text[] is null or left_city = any ($4)) and ($5::text is null or left_listing_type = $5))`;

/**
 * Reads changes in the order of publication: events, and the last change of each listing that no event states.
 * @returns the position from which the next page continues
 * @throws StoreError
 */
export async function readChanges(
  pool: pg.Pool,
  { after, upTo, isInitial, cities, listingType, limit }: ChangesRequest,
): Promise<{ changes: Change[]; next: number; hasMore: boolean }> {
  const isFiltered = cities !== null || listingType !== null;
  const scan = isFiltered ? Math.max(SCANNED, limit + 1) : limit + 1;
  const rows = await sql.readRows(pool, PAGE_ROW, {
    name: 'listing-changes',
    text: `
      with changes as materialized (
        (select e.position, e.listing_id, e.type, e.at, e.city, e.listing_type, e.reason, e.merged_into,
                e.previous_price_yearly_sar as previous_price, e.left_city, e.left_listing_type, false as reindexed
           from listing_events e where not $7::boolean and e.position > 0 and e.position > $1 and e.position <= $2
          order by e.position limit $3)
        union all
        (select p.modified, p.listing_id, 'listing.updated', to_timestamp(p.modified / 1000000), l.city, l.listing_type,
                null, null, null, null, null, p.reindexed
           from listing_publications p join listings l on l.id = p.listing_id
          where p.modified > $1 and p.modified <= $2 and p.content is not null and p.shown > 0
            and ($7 or not exists (select from listing_events e where e.position > 0 and e.position = p.modified))
          order by p.modified limit $3)
        order by position limit $3)
      select s.reached, s.scanned, to_json(m) as change
        from (select coalesce(max(position), $1::bigint) as reached, count(*) as scanned from changes) s
        left join lateral (
          select position, listing_id, type, extract(epoch from at)::float8 as at, city, listing_type, reason, merged_into,
                 previous_price, reindexed, not (in_city and in_type) as has_left
            from changes c ${MATCHES} order by position limit $6) m on true`,
    values: [after, upTo, scan, cities, listingType, limit, isInitial],
  });
  const [{ reached, scanned }] = rows as [sql.RowOf<typeof PAGE_ROW>];
  const changes = rows.flatMap(({ change }) => change ?? []);
  const last = changes.at(-1);
  const isFull = changes.length === limit && last !== undefined && (scanned === scan || reached > last.position);
  if (isFull) return { changes, next: last.position, hasMore: true };
  return scanned === scan ? { changes, next: reached, hasMore: true } : { changes, next: upTo, hasMore: false };
}

const GONE = {
  id: sql.integer,
  state: sql.oneOf(GONE_STATES),
  reason: sql.oneOf(GONE_REASONS),
  since: sql.nullable(sql.timestamp),
  merged_into: sql.nullable(sql.integer),
};
export type UnavailableListing = sql.RowOf<typeof GONE>;

/** Returns why listings are not served that search has returned. Omits all others. @throws StoreError */
export const readGone = (pool: pg.Pool, ids: readonly number[]): Promise<UnavailableListing[]> =>
  sql.readRows(pool, GONE, {
    name: 'gone-listings',
    text: `
      select id, state, reason, coalesce(left_at, withdrawn_at) as since,
             case when reason = 'merged' then duplicate_of end as merged_into
        from listings l
       cross join lateral (select
         case when withdrawn_at is null and duplicate_of is null then 'hidden' else 'gone' end as state,
         case when withdrawn_reason = 'takedown' then 'takedown'
              when left_reason is not null and not (left_reason = 'without_photos' and withdrawn_at is not null) then left_reason
              when withdrawn_at is not null then 'removed_at_source'
              when duplicate_of is not null then 'merged' else 'without_photos' end as reason) g
       where id = any ($1) and not served and (left_at is not null or withdrawn_reason = 'takedown'
         or exists (select from listing_prices p where p.listing_id = l.id))
       order by id`,
    values: [ids],
  });
