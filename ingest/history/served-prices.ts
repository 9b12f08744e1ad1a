import type { Transaction } from '#stores/postgres/transaction.ts';
import { shown } from '../postgres/touch-version.ts';
import type { JudgedRun } from './plausibility.ts';

/** Listings that the run changed, and the searches that now return each. */
const CHANGED_TABLE =
  'create temp table if not exists changed_listings (id bigint primary key, shown integer) on commit delete rows';
const CHANGED = `
  insert into changed_listings
  select l.id, ${shown('l')} from listings l
   where l.changed_run = $1::int and l.first_seen_at <= $2::timestamptz and ($3::bigint[] is null or l.id = any ($3))
     and (l.content_run = $1 or l.was_shown <> ${shown('l')} or l.duplicate_of is not null)`;

/** The last price of a listing until `at`, and the one before it if they can be compared. Arguments are SQL. */
const lastPrice = (listing: string, at: string): string => `lateral (
  select at, price_yearly_sar as price, case when comparable then lead(price_yearly_sar) over (order by at desc) end as before
    from listing_prices where listing_id = ${listing} and at <= ${at} order by at desc limit 1)`;

/** The last price of a listing before `at`. Arguments are SQL. */
const priceBefore = (listing: string, at: string): string => `lateral (
  select at, price_yearly_sar, posted_amount, listing_type from listing_prices
   where listing_id = ${listing} and at < ${at} order by at desc limit 1)`;

/** Prices that search returns and whose last entry differs. */
const MOVED_TABLE = `
  create temp table if not exists moved (id bigint, price double precision, posted double precision, listing_type text,
    last_at timestamptz, last_price double precision, last_posted double precision, same_type boolean, corrected boolean)
    on commit delete rows`;

/** A price is a correction, and no change, if the posted amount or the row of the source is the same. */
const MOVED = `
  insert into moved
  select l.id, l.price, l.posted_amount, l.listing_type, e.at, e.price_yearly_sar, e.posted_amount, s.same_type,
         s.same_type and (e.price_yearly_sar = l.price or (l.reread_run is not distinct from $1::int and l.was_shown > 0)
           or coalesce(coalesce(e.posted_amount, e.price_yearly_sar) = l.posted_amount, false))
    from changed_listings c
    join listings l on l.id = c.id
    left join ${priceBefore('l.id', '$2::timestamptz')} e on true
    cross join lateral (select coalesce(e.listing_type, l.listing_type) = l.listing_type as same_type) s
   where c.shown > 0
     and (l.price, l.posted_amount, l.listing_type) is distinct from (e.price_yearly_sar, e.posted_amount, e.listing_type)`;

const isOnBasis = (entry: string, price: string, posted: string): string =>
  `abs(${entry}.price_yearly_sar * ${posted} - ${entry}.posted_amount * ${price}) <= 1e-6 * ${entry}.posted_amount * ${price}`;

/** A correction replaces the last price, and the earlier ones that were read from their posted amounts in the same way. */
const CORRECTIONS = [
  `update listing_prices p set price_yearly_sar = round((p.price_yearly_sar * m.price / m.last_price)::numeric, 2)
     from moved m
    where m.corrected and m.price <> m.last_price and m.last_posted = m.posted and p.listing_id = m.id and p.at < m.last_at
      and ${isOnBasis('p', 'm.last_price', 'm.last_posted')}`,
  `update listing_prices p set price_yearly_sar = m.price, posted_amount = m.posted, listing_type = m.listing_type,
          comparable = p.comparable and (m.price = m.last_price or coalesce(b.same_basis, true))
     from moved m
     left join lateral (select coalesce(${isOnBasis('e', 'm.price', 'm.posted')}, false) as same_basis
                          from ${priceBefore('m.id', 'm.last_at')} e) b on true
    where m.corrected and p.listing_id = m.id and p.at = m.last_at`,
  `delete from listing_prices p using moved m cross join ${priceBefore('m.id', 'm.last_at')} b
    where m.corrected and p.listing_id = m.id and p.at = m.last_at and p.comparable and b.price_yearly_sar = m.price`,
];

const NEW_PRICES = `
  insert into listing_prices (listing_id, at, price_yearly_sar, posted_amount, listing_type, comparable, run_id)
  select id, $1, price, posted, listing_type, same_type, $2 from moved where last_at is null or not corrected
  on conflict (listing_id, at) do update
    set price_yearly_sar = excluded.price_yearly_sar, posted_amount = excluded.posted_amount,
        listing_type = excluded.listing_type, comparable = excluded.comparable`;

/** Null while search does not return the listing. */
const PREVIOUS = `
  update listings l set previous_price = v.previous, price_changed_at = v.changed
    from (select c.id, case when shown > 0 then e.before end as previous,
                 case when shown > 0 and e.before is not null then e.at end as changed
            from changed_listings c left join ${lastPrice('c.id', '$1::timestamptz')} e on true) v
   where v.id = l.id and l.first_seen_at < $1 and (l.previous_price, l.price_changed_at) is distinct from (v.previous, v.changed)`;

/**
 * At most one per listing: that search begins or no longer returns it, or its price. A listing that search does not return
 * is `hidden` until it is withdrawn or merged. A correction is no event, also if it is the first price of a served listing.
 * Ids are random, so that no event has the id of one that a restore of the database has removed; events of an
 * interrupted attempt keep their ids.
 */
const EVENTS = `
  insert into listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type,
         neighborhood_id, price_yearly_sar, previous_price_yearly_sar, shown, reason, merged_into, left_city, left_listing_type)
  select $1::int, l.id, 'evt_' || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 9), type, version, $2, city,
         l.listing_type, property_type, neighborhood_id,
         case when withdrawn_reason is distinct from 'takedown' then e.price end,
         case when type = 'listing.price_changed' then e.before end,
         coalesce(nullif(case when shown > 0 then shown else was_shown end, 0), 3),
         case when type = 'listing.hidden' then
                case when not served then 'without_photos' when l.price is null then 'no_price' else 'implausible' end
              when type = 'listing.delisted' then
                case when withdrawn_at is null then 'merged' when withdrawn_reason is null then 'removed_at_source'
                     when withdrawn_reason in ('sold', 'rented', 'takedown') then withdrawn_reason else 'withdrawn' end
              when type = 'listing.price_changed' and was_shown = 0 then 'relisted' end,
         case when type = 'listing.delisted' and withdrawn_at is null then duplicate_of end,
         case when moved then was_city end, case when moved then was_listing_type end
    from changed_listings
    join listings l using (id)
    left join ${lastPrice('l.id', '$2::timestamptz')} e on true
   cross join lateral (select was_shown > 0 or (not was_delisted
     and exists (select from listing_prices where listing_id = l.id and at < $2)) as was_listed,
     was_shown > 0 and (was_city, was_listing_type) <> (city, l.listing_type) as moved) s
   cross join lateral (select case
     when not was_listed then
       case when shown > 0 and not (was_served and reread_run is not distinct from $1) then 'listing.created' end
     when withdrawn_at is not null or duplicate_of is not null then 'listing.delisted'
     when shown > 0 and e.at = $2 and e.before is not null then 'listing.price_changed'
     when shown = 0 and was_shown > 0 then 'listing.hidden'
     when shown > 0 and was_shown = 0 then 'listing.relisted'
     when shown > 0 and moved then 'listing.moved' end as type) t
   where type is not null
   order by l.id
  on conflict do nothing`;

const LEFT = `
  update listings l set delisted = v.delisted, left_at = v.left_at, left_reason = v.left_reason
    from (select l.id, case e.type when 'listing.created' then false when 'listing.delisted' then true
                         else l.was_delisted end as delisted,
                 case when c.shown > 0 then null when e.type is not null then $2::timestamptz else l.left_at end as left_at,
                 case when c.shown > 0 then null when e.type is not null then e.reason else l.left_reason end as left_reason
            from changed_listings c join listings l on l.id = c.id
            left join listing_events e on e.run_id = $1 and e.listing_id = l.id) v
   where v.id = l.id and (l.delisted, l.left_at, l.left_reason) is distinct from (v.delisted, v.left_at, v.left_reason)`;

/**
 * Records what the run changes in search: prices, previous prices and events, from which all readers of history are
 * served. A price with which search does not return the listing is in none of them. Idempotent.
 * @param ids listings whose changes are recorded; all by default
 */
export async function recordChanges(db: Transaction, { id, at }: JudgedRun, ids: readonly number[] | null = null) {
  await db.query(CHANGED_TABLE);
  await db.query(MOVED_TABLE);
  await db.query(CHANGED, [id, at, ids]);
  await db.query(MOVED, [id, at]);
  for (const correction of CORRECTIONS) await db.query(correction);
  await db.query(NEW_PRICES, [at, id]);
  await db.query(PREVIOUS, [at]);
  for (const statement of [EVENTS, LEFT]) await db.query(statement, [id, at]);
}
