import type pg from 'pg';
import type { ListingOp } from '#stores/opensearch/listing-index/listing-index.ts';
import * as sql from '#stores/postgres/rows.ts';
import { RejectLog } from '../fetch/reject-log.ts';
import { type JudgedRun, judgeRecordedPrices } from '../history/plausibility.ts';
import { recordChanges } from '../history/served-prices.ts';
import { pagesById, type SentCounts, sendBatches } from '../postgres/pages.ts';
import { saveSynced } from '../postgres/registration.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/run-context.ts';
import { runStage } from '../run/run-state.ts';
import { forgetTakenDown } from '../run/takedowns.ts';
import { countChanged, type ListingRow, readRows } from './listing-rows.ts';
import { DOCUMENTS_LEFT, readClock, savePublished } from './modification-clock.ts';
import { positionEvents } from './positions.ts';
import { publish } from './publications.ts';
import { storedListing } from './render-listing.ts';

const BATCH = 1_000;

/**
 * Records prices and events, and writes the run's changes to the index. Events and `modified_at` values are committed before
 * documents are written. Completing the run releases the events; the watermark advances when every copy of the index has
 * its documents. If another run follows immediately, it writes the documents of both.
 */
export function indexStage(context: RunContext): Promise<void> {
  const { run, writer, pool, listingIndex, followed, onProgress } = context;
  return runStage(context, 'index', async () => {
    const judged = await judgeRecordedPrices(context);
    await writer.transaction(
      async (db) => {
        await recordChanges(db, judged);
        await forgetTakenDown(db, run);
      },
      { durable: true },
    );
    if (followed) {
      onProgress({ stage: 'index', source: null, done: 0, total: 0 });
      return async (db) => {
        await saveSynced(db, 'listings', null, run.id);
        return { kept: 0, dropped: await hiddenReasons(db, run.id), details: { [DOCUMENTS_LEFT]: 1 } };
      };
    }
    const { indexed } = await readClock(pool);
    const total = await countChanged(pool, indexed);
    const { written, deleted } = await writeChanges(context, judged, indexed, total);
    await writer.transaction(positionEvents, { durable: true });
    // All values assigned so far are in the index, or will never be used.
    const { high } = await readClock(pool);
    await listingIndex.publish(high);
    const synced = await listingIndex.synced();
    return async (db) => {
      await saveSynced(db, 'listings', synced, run.id);
      await savePublished(db, high, run.id);
      return { kept: written, dropped: await hiddenReasons(db, run.id), details: { indexed: written, deleted } };
    };
  });
}

/** Writes the listings changed by the run, and those of earlier runs after `indexed`, which wrote no documents. */
async function writeChanges(
  context: RunContext,
  judged: JudgedRun,
  indexed: number,
  total: number,
): Promise<SentCounts> {
  const { writer, pool, listingIndex, signal, onProgress } = context;
  const runs = await sql.queryRows(
    pool,
    { id: sql.integer, at: sql.timestamp },
    'select id, at from ingest_runs where id > $1',
    [indexed],
  );
  const times = new Map(runs.map(({ id, at }) => [id, at.getTime() / 1000]));
  const write = (row: ListingRow): ListingOp | null => {
    const { id, version, served, wasServed, changedRun } = row;
    if (served) return { op: 'index', id, version, stored: storedListing(row, times.get(changedRun) as number) };
    // After runs that wrote no documents, the index may contain the listing regardless of `wasServed`.
    return wasServed || runs.length > 1 ? { op: 'delete', id, version } : null;
  };
  const refused = new Map<number, string>();
  const batches = async function* (): AsyncGenerator<ListingOp[]> {
    let done = 0;
    for await (const rows of pagesById(signal, (after) => readRows(pool, { since: indexed }, after, BATCH))) {
      const { ops, failed } = await publish(rows, write, writer.transaction);
      for (const [id, reason] of failed) refused.set(id, reason);
      yield ops;
      done += rows.length;
      onProgress({ stage: 'index', source: null, done, total });
    }
  };
  const counts = await sendBatches(batches(), listingIndex.bulk, (id, reason) => refused.set(id, reason));
  if (refused.size > 0) counts.deleted += await withdrawRefused(context, judged, refused);
  return counts;
}

const REFUSED = { id: sql.integer, source: sql.text, version: sql.integer, served: sql.boolean, record: sql.text };

/**
 * Withdraws ads that the index does not accept, replaces their events, and records them as rejected.
 * @param refused reasons by id
 * @returns number of deleted documents
 */
async function withdrawRefused(
  { writer, listingIndex }: RunContext,
  run: JudgedRun,
  refused: ReadonlyMap<number, string>,
): Promise<number> {
  const ids = [...refused.keys()];
  const rows = await writer.transaction(
    async (client) => {
      const withdrawn = await sql.queryRows(
        client,
        REFUSED,
        `update listings l set ${touchVersion('$1')}, content_run = $1, withdrawn_at = $2, withdrawn_reason = 'refused'
           from listing_records r where r.id = l.id and l.id = any ($3::bigint[])
         returning l.id, l.source, l.version, l.was_served as served, r.record`,
        [run.id, run.at, ids],
      );
      for (const table of ['listing_events', 'listing_prices'])
        await client.query(`delete from ${table} where run_id = $1 and listing_id = any ($2)`, [run.id, ids]);
      await recordChanges(client, run, ids);
      await client.query(
        `update listing_publications set content = null, shown = 0
          where listing_id = any ($1::bigint[]) and content is not null`,
        [ids],
      );
      for (const [source, own] of Map.groupBy(withdrawn, ({ source }) => source)) {
        const log = new RejectLog();
        for (const { id, record } of own) log.add('refused_by_store', refused.get(id) ?? '', record);
        await log.save(client, run, source);
      }
      return withdrawn;
    },
    { durable: true },
  );
  const deletes = rows.flatMap(({ id, version, served }) => (served ? [{ op: 'delete' as const, id, version }] : []));
  await listingIndex.bulk(deletes);
  return deletes.length;
}

async function hiddenReasons(client: pg.ClientBase, run: number): Promise<Record<string, number>> {
  const rows = await sql.queryRows(
    client,
    { reason: sql.text, count: sql.integer },
    `select case when withdrawn_at is not null then 'withdrawn' when duplicate_of is not null then 'duplicate'
              when photos_pending = 1 then 'photos_pending' else 'no_photos' end as reason, count(*) as count
       from listings where changed_run = $1 and not served group by 1 order by 1`,
    [run],
  );
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
}
