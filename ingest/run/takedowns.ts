import { deleteListings } from '#stores/opensearch/indexes.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable, Transaction } from '#stores/postgres/transaction.ts';
import { deleteObjects } from '#stores/s3/delete-objects.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from './run-context.ts';
import { type Run, runStage } from './run-state.ts';

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

/**
 * Ads `l` of properties that must not be served, and that are not withdrawn for it yet. Those that still have prices were
 * withdrawn by an earlier release in an interrupted run, which recorded no event of it.
 */
const NOTICED = `(l.id in (select listing_id from takedowns) or l.duplicate_of in (select listing_id from takedowns))
  and (l.withdrawn_reason is distinct from 'takedown' or exists (select from listing_prices p where p.listing_id = l.id))`;

/** Returns whether a run must still apply takedowns. */
export const takedownsWait = (db: Queryable): Promise<boolean> => sql.hasRows(db, `from listings l where ${NOTICED}`);

/**
 * Withdraws listings that were taken down, with all ads of the same property. Feeds do not list them again. A takedown
 * that arrives after this stage, while the run is interrupted, is for the next run: this one may have recorded its events.
 */
export function takedownsStage(context: RunContext): Promise<void> {
  const { run } = context;
  return runStage(context, 'takedowns', async () => async (client) => {
    const { rowCount } = await client.query(
      `update listings l set ${touchVersion('$1')}, content_run = $1, withdrawn_at = coalesce(l.withdrawn_at, $2),
              withdrawn_reason = 'takedown'
        where ${NOTICED}`,
      [run.id, run.at],
    );
    return { kept: rowCount ?? 0 };
  });
}

/** Columns of `listings` that identify the home or repeat the ad. The rest is statistics, and what keeps feeds from listing it again. */
const TEXTS = `signature = '', advertiser = null, photos = '', photo_list = '', floor = null, unit = null, lat = null, lng = null,
  project_ref = null, project_name = null, project_developer = null, project = null, project_id = null`;

/**
 * Removes prices, earlier events and the ad of the listings that the run has taken down, after their events were written.
 * What the database does not contain is deleted by `deleteTakenDown`.
 */
export async function forgetTakenDown(db: Transaction, { id }: Run): Promise<void> {
  const { rowCount } = await db.query('select from takedowns limit 1');
  if (rowCount === 0) return;
  const taken = `(select l.id from listings l where l.changed_run = $1 and l.withdrawn_reason = 'takedown')`;
  await db.query(`delete from listing_prices where listing_id in ${taken}`, [id]);
  // A listing that was gone before has no event of this run: copies that have not read its last one need it.
  await db.query(
    `update listing_events e set reason = 'takedown', position = null, price_yearly_sar = null,
            previous_price_yearly_sar = null, merged_into = null
      where listing_id in ${taken} and run_id < $1 and type = 'listing.delisted' and reason is distinct from 'takedown'
        and not exists (select from listing_events n where n.listing_id = e.listing_id and n.run_id > e.run_id)`,
    [id],
  );
  await db.query(
    `delete from listing_events e where listing_id in ${taken} and run_id < $1 and (reason is distinct from 'takedown'
        or exists (select from listing_events n where n.listing_id = e.listing_id and n.run_id > e.run_id))`,
    [id],
  );
  // Some rejects are single values of unknown ads. A later run records again what its source still lists.
  await db.query(
    `with cleared as (
       insert into takedown_remains
         select id, photos from listings where withdrawn_reason = 'takedown' and signature <> '' on conflict do nothing
         returning listing_id),
     records as (delete from listing_records where id in (select listing_id from cleared)),
     earlier as (delete from earlier_rows where relation = 'listings' and id in (select listing_id from cleared)),
     advertisers as (
       delete from advertiser_refs a using listings l
        where l.id in (select listing_id from cleared) and a.advertiser = l.advertiser and not exists (
          select from listings o where o.advertiser = a.advertiser and o.id not in (select listing_id from cleared))),
     rejects as (
       delete from ingest_rejects where source in (
         select source from listings where id in (select listing_id from cleared)))
     update listings set ${TEXTS} where id in (select listing_id from cleared)`,
  );
  await db.query(
    `delete from ingest_rejects j using listings l
      where l.withdrawn_reason = 'takedown' and j.source = l.source and position(l.source_listing_id in j.row) > 0`,
  );
}

/** Most remains of a query. */
const BATCH = 500;

/** Deletes photos that only taken down listings show, and their documents in all indexes, also those kept for a rollback. */
export async function deleteTakenDown({
  pool,
  s3,
  photos: { bucket },
  listingIndex,
  signal,
}: RunContext): Promise<void> {
  for (let ids: number[] = [0]; ids.length > 0; ) {
    const remains = await sql.queryRows(
      pool,
      { id: sql.integer, photos: sql.text },
      `select listing_id as id, photos from takedown_remains order by 1 limit ${BATCH}`,
    );
    ids = remains.map(({ id }) => id);
    if (ids.length === 0) return;
    await deleteListings(listingIndex.client, ids);
    const keys = [...new Set(remains.flatMap(({ photos }) => photos.split(' ').filter((key) => key !== '')))];
    const shown = await sql.queryRows(
      pool,
      { key: sql.text },
      `select distinct key from (select photos from listings union all select photos from off_plan_records) o,
              unnest(string_to_array(photos, ' ')) key
        where string_to_array(photos, ' ') && $1 and key = any ($1)`,
      [keys],
    );
    const used = new Set(shown.map(({ key }) => key));
    const own = keys.filter((key) => !used.has(key));
    await deleteObjects(s3, bucket, own, signal);
    await pool.query('delete from photos where key = any ($1)', [own]);
    await pool.query('delete from takedown_remains where listing_id = any ($1)', [ids]);
  }
}
