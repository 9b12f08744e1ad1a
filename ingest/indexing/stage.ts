import type pg from 'pg';
import type { CountedIndex } from '#domain/index-state.ts';
import * as sql from '#postgres/rows.ts';
import { BulkError } from '#search/bulk.ts';
import type { ListingOp } from '#search/listing-index/index.ts';
import { isRefusedWhole } from '../postgres/refusal.ts';
import { saveSynced } from '../postgres/registration.ts';
import type { RunContext } from '../run/context.ts';
import { type Run, runStage } from '../run/run-state.ts';
import { countEvents, type EventCounts, eventOfRow, saveEvents } from './events.ts';
import { DOCUMENTS_LEFT, ModificationClock, readClock, savePublished } from './modification-clock.ts';
import { publish, savePublications } from './publications.ts';
import { withdrawRefused } from './refused.ts';
import { operation } from './render.ts';
import { type Changed, countChanged, type ListingRow, readRows } from './rows.ts';

/** Number of listings per bulk request, and of pending requests, which are processed while the next is prepared. */
const BATCH = 500;
const IN_FLIGHT = 3;

/**
 * Writes the run's changes to the index, and creates the events. The events and `modified_at` values of a batch are
 * committed in Postgres before its documents are written. Completing the run releases the events; the watermark
 * advances when every copy of the index has its documents. Repetition is idempotent. If another run follows
 * immediately, it writes the documents of both.
 */
export function indexStage(context: RunContext): Promise<void> {
  const { run, pool, listingIndex, followed } = context;
  return runStage(context, 'index', async ({ checkpoint }) => {
    const left = followed ? [] : await runsLeft(pool, run.id);
    const which = left[0] ? { from: left[0].id } : { run: run.id };
    const total = await countChanged(pool, which);
    const { indexed, deleted, events } = await indexChanges(context, { which, left, checkpoint, total });
    // All values assigned so far are in the index, or will never be used.
    const { high } = await readClock(pool);
    if (!followed) await listingIndex.publish(high);
    const synced = followed ? null : await listingIndex.synced();
    return async (client) => {
      const dropped = await hiddenReasons(client, run.id);
      await saveSynced(client, 'listings', synced, run.id);
      if (!followed) await savePublished(client, high, run.id);
      const details = { indexed, deleted, ...(followed ? { [DOCUMENTS_LEFT]: 1 } : {}), ...events };
      return { kept: indexed, dropped, details };
    };
  });
}

/** An earlier run whose documents are not in the index yet. */
type LeftRun = sql.RowOf<typeof LEFT_RUN>;
const LEFT_RUN = { id: sql.integer, at: sql.timestamp };

/** Returns the runs after the last one whose documents are in the index, oldest first. */
const runsLeft = (pool: pg.Pool, run: number): Promise<LeftRun[]> =>
  sql.queryRows(
    pool,
    LEFT_RUN,
    `select r.id, r.at from ingest_runs r join ingest_run_stages s on s.run_id = r.id and s.stage = 'index'
      where r.id < $1 and s.details ? $2
        and r.id > (select coalesce(max(run_id), 0) from ingest_run_stages
                     where stage = 'index' and run_id < $1 and finished_at is not null and not details ? $2)
      order by r.id`,
    [run, DOCUMENTS_LEFT],
  );

interface Counts {
  indexed: number;
  deleted: number;
  hidden: number;
  events: EventCounts;
}

interface Changes {
  which: Changed;
  left: readonly LeftRun[];
  /** The last id that the interrupted attempt completed. */
  checkpoint: number;
  total: number;
}

async function indexChanges(context: RunContext, { which, left, checkpoint, total }: Changes): Promise<Counts> {
  const { run, writer, pool, listingIndex, followed, signal } = context;
  const counts: Counts = { indexed: 0, deleted: 0, hidden: 0, events: {} };
  const inFlight: { last: number; size: number; sent: Promise<unknown>; unwritten: Map<number, string> }[] = [];
  const awaitOldest = async (): Promise<void> => {
    const oldest = inFlight.shift();
    if (!oldest) return;
    const { size, unwritten } = oldest;
    await oldest.sent.catch((error: unknown) => {
      if (!(error instanceof BulkError) || error.refused.size === 0) throw error;
      if (isRefusedWhole(error.refused.size, size)) throw error;
      counts.indexed -= error.refused.size;
      counts.hidden += error.refused.size;
      for (const [id, reason] of error.refused) unwritten.set(id, reason);
    });
    if (unwritten.size > 0) {
      const deleted = await withdrawRefused(context, unwritten, counts.events);
      counts.deleted += deleted;
      counts.hidden -= deleted;
    }
    // A run that leaves its documents to the next run stores no checkpoint, because a resumed attempt may have to write
    // them.
    if (followed) return;
    // Not awaited: if the checkpoint is lost, only a few batches are repeated.
    deferFailure(
      writer.transaction((client) =>
        client.query(`update ingest_run_stages set checkpoint = $2 where run_id = $1 and stage = 'index'`, [
          run.id,
          oldest.last,
        ]),
      ),
    );
  };
  const read = (from: number): Promise<ListingRow[]> =>
    readRows(pool, which, { after: from, limit: BATCH, withRecords: !followed });
  const clock = new ModificationClock((work) => writer.transaction(work, { durable: true }));
  const write = left.length === 0 ? writeOf(run) : writeOfAll([...left, run], await listingIndex.synced());
  let after = checkpoint;
  let next = read(after);
  for (;;) {
    signal.throwIfAborted();
    const rows = await next;
    const last = rows.at(-1)?.id;
    if (last === undefined) break;
    next = deferFailure(read(last));
    const events = rows.flatMap((row) => (row.changedRun === run.id ? eventOfRow(run, row) : []));
    countEvents(counts.events, events);
    const from = after;
    after = last;
    const { ops, publications, failed } = followed ? NOTHING : await publish(rows, write, clock);
    const written = deferFailure(
      writer.transaction(async (client) => {
        await saveEvents(client, run.id, { after: from, last }, events);
        await savePublications(client, publications);
      }),
    );
    for (const { op } of ops) counts[op === 'index' ? 'indexed' : 'deleted']++;
    counts.hidden += rows.length - ops.length;
    await written;
    inFlight.push({ last, size: ops.length, sent: deferFailure(listingIndex.bulk(ops)), unwritten: failed });
    if (inFlight.length >= IN_FLIGHT) await awaitOldest();
    const done = counts.indexed + counts.deleted + counts.hidden;
    context.onProgress({ stage: 'index', source: null, done, total });
  }
  while (inFlight.length > 0) await awaitOldest();
  return counts;
}

const NOTHING = { ops: [], publications: [], failed: new Map<number, string>() };

type Write = (row: ListingRow) => ListingOp | null;

const seconds = (at: Date): number => at.getTime() / 1000;

const writeOf =
  (run: Run): Write =>
  (row) =>
    operation(row, seconds(run.at));

/** Creates the write function for several runs, of which earlier ones left their documents to this one. */
function writeOfAll(runs: readonly LeftRun[], { documents }: CountedIndex): Write {
  const times = new Map(runs.map(({ id, at }) => [id, seconds(at)]));
  return (row) => {
    const { id, version, served, changedRun } = row;
    if (served) return operation(row, times.get(changedRun) as number);
    // The index may contain the listing regardless of `wasServed`, because earlier runs left their documents to this
    // one.
    return documents === 0 ? null : { op: 'delete', id, version };
  };
}

/** Prevents an unhandled rejection of a promise that is awaited later. */
function deferFailure<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** Counts the ads that the run changed and that are not served, by reason. */
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
