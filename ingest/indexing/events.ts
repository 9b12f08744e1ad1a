import type { Queryable } from '#postgres/transaction.ts';
import type { Run } from '../run/run-state.ts';

/**
 * Writes the events of a run, at most one per changed listing. A listing is published if it is served and has ever had
 * a price. Ids are random, so that no event has the id of one that a restore of the database has removed; events of an
 * interrupted attempt keep their ids.
 * @param ids listings whose events are written; all by default
 */
export async function saveEvents(db: Queryable, { id: run, at }: Run, ids: readonly number[] | null = null) {
  await db.query(
    `insert into listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type,
            neighborhood_id, price_yearly_sar, previous_price_yearly_sar)
     select $1, id, 'evt_' || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 9), type, version, $2, city,
            listing_type, property_type, neighborhood_id, price,
            case when type = 'listing.price_changed' then previous_price end
       from listings
      cross join lateral (select served and priced as published, was_served and was_priced as was_published) p
      cross join lateral (select case
        when published and not was_published then 'listing.created'
        when was_published and not published then 'listing.delisted'
        when published and price_changed_at = $2 and price is not null and previous_price is not null
          then 'listing.price_changed' end as type) t
      where changed_run = $1 and type is not null and ($3::bigint[] is null or id = any ($3))
      order by id
     on conflict do nothing`,
    [run, at, ids],
  );
}
