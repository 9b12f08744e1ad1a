import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { Writer } from '../postgres/writer.ts';
import type { Run } from './run-state.ts';

/**
 * Records that a listing must not be served. The next run applies it.
 * @returns id of the listing that is served for the ad
 * @throws Error if there is no such listing
 */
export async function takeDown(db: Queryable, id: number): Promise<number> {
  const found = await sql.queryRow(
    db,
    { listing: sql.integer },
    'select coalesce(duplicate_of, id) as listing from listings where id = $1',
    [id],
  );
  if (!found) throw new Error(`There is no listing ${id}.`);
  await db.query('insert into takedowns (listing_id) values ($1) on conflict do nothing', [found.listing]);
  return found.listing;
}

/** Withdraws listings that were taken down, with all ads of the same property. Feeds do not list them again. */
export async function withdrawTakenDown(writer: Writer, run: Run): Promise<void> {
  await writer.transaction((client) =>
    client.query(
      `update listings l set ${touchVersion('$1')}, content_run = $1, withdrawn_at = coalesce(l.withdrawn_at, $2),
              withdrawn_reason = 'takedown'
         from takedowns t
        where t.listing_id in (l.id, l.duplicate_of) and l.withdrawn_reason is distinct from 'takedown'`,
      [run.id, run.at],
    ),
  );
}

/** Removes prices and earlier events of the listings that the run has taken down, after their events were written. */
export async function forgetTakenDown(db: Queryable, { id }: Run): Promise<void> {
  const { rowCount } = await db.query('select from takedowns limit 1');
  if (rowCount === 0) return;
  const taken = `(select l.id from listings l where l.changed_run = $1 and l.withdrawn_reason = 'takedown')`;
  await db.query(`delete from listing_prices where listing_id in ${taken}`, [id]);
  await db.query(`delete from listing_events where listing_id in ${taken} and run_id < $1`, [id]);
}
