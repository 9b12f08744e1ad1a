import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { reserveModified } from './modification-clock.ts';

/**
 * Gives events their positions in the order of publication: an event has the `modified_at` value that is published with
 * it, or a new one, if the listing keeps its value or is delisted. Events of runs that left their documents are included:
 * several of a listing have new values, in the order of the runs, because a copy ends with the last.
 * Must be called after documents are written, and before the watermark advances.
 */
export async function positionEvents(db: Transaction): Promise<void> {
  // Statistics that were taken between two runs state that no event lacks a position: a join of these events with each
  // other would read all of them for each.
  await db.query(
    `with pending as materialized (
       select run_id, listing_id, count(*) over (partition by listing_id) = 1 as is_only
         from listing_events where position is null)
     update listing_events e set position = p.modified
       from pending n join listing_publications p using (listing_id), modification_clock c
      where n.is_only and e.run_id = n.run_id and e.listing_id = n.listing_id
        and p.content is not null and p.modified > coalesce(c.watermark, 0)`,
  );
  const count = await sql.countRows(db, 'from listing_events where position is null');
  if (count === 0) return;
  const [first = 0] = await reserveModified(db, count);
  await db.query(
    `update listing_events e set position = n.position
       from (select run_id, listing_id, $1::bigint + (row_number() over (order by run_id, listing_id) - 1) * $2::bigint as position
               from listing_events where position is null) n
      where e.run_id = n.run_id and e.listing_id = n.listing_id`,
    [first, MODIFIED_STEP],
  );
}
