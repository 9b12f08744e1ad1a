import type pg from 'pg';
import type { EventType } from '#domain/listings/events.ts';
import { eventId, eventOf } from '../events/event.ts';
import { copyIn, copyNumber } from '../postgres/copy-in.ts';
import type { RunContext } from '../run/context.ts';
import { beginStage, finishStage } from '../run/run-state.ts';
import { type ListingRow, operation, readRows } from './rows.ts';

/** Listings in one bulk request, and such requests at a time: OpenSearch works on one while the next is made. */
const BATCH = 500;
const IN_FLIGHT = 3;
/** From so many changes on, the index is not refreshed before the end of the load. */
const LARGE_LOAD = 50_000;

/**
 * Writes what the run has changed to the index, and its events. A batch's events are in Postgres before its documents are
 * in the index, and are released with the run. Both come out the same when they are made again.
 */
export async function indexStage(context: RunContext): Promise<void> {
  const { run, writer, pool, listingIndex } = context;
  const stage = await beginStage(writer, run, 'index');
  if (stage.finished) return;
  const total = await countChanged(pool, run.id);
  const load = (): Promise<Counts> => indexChanges(context, stage.checkpoint, total);
  const large = total >= LARGE_LOAD;
  const { indexed, deleted, hidden, events } = await (large ? listingIndex.withoutRefresh(load) : load());
  if (indexed + deleted + hidden > 0 || stage.checkpoint > 0) await listingIndex.refresh();
  if (large) await listingIndex.startMerge();
  await writer.transaction(
    async (client) => {
      const dropped = await hiddenReasons(client, run.id);
      await finishStage(client, run, 'index', { kept: indexed, dropped, details: { indexed, deleted, ...events } });
    },
    { durable: true },
  );
}

interface Counts {
  indexed: number;
  deleted: number;
  hidden: number;
  events: Partial<Record<EventType, number>>;
}

/** Indexes the changed listings after the checkpoint. */
async function indexChanges(context: RunContext, checkpoint: number, total: number): Promise<Counts> {
  const { run, writer, pool, listingIndex, signal } = context;
  const counts: Counts = { indexed: 0, deleted: 0, hidden: 0, events: {} };
  const inFlight: { last: number; sent: Promise<unknown> }[] = [];
  const awaitOldest = async (): Promise<void> => {
    const oldest = inFlight.shift();
    if (!oldest) return;
    await oldest.sent;
    // Not awaited: if it is lost, the batch is sent again.
    deferFailure(
      writer.transaction((client) =>
        client.query(`update ingest_run_stages set checkpoint = $2 where run_id = $1 and stage = 'index'`, [
          run.id,
          oldest.last,
        ]),
      ),
    );
  };
  let after = checkpoint;
  let next = readRows(pool, run.id, after, BATCH);
  for (;;) {
    signal.throwIfAborted();
    const rows = await next;
    const last = rows.at(-1)?.id;
    if (last === undefined) break;
    next = deferFailure(readRows(pool, run.id, last, BATCH));
    const lines = rows.flatMap((row) => eventLine(context, row, counts.events));
    const from = after;
    after = last;
    const written = deferFailure(writer.transaction((client) => saveEvents(client, run.id, from, last, lines)));
    const ops = rows.flatMap((row) => operation(row, run.at.getTime() / 1000) ?? []);
    for (const { op } of ops) counts[op === 'index' ? 'indexed' : 'deleted']++;
    counts.hidden += rows.length - ops.length;
    await written;
    inFlight.push({ last, sent: deferFailure(listingIndex.bulk(ops)) });
    if (inFlight.length >= IN_FLIGHT) await awaitOldest();
    const done = counts.indexed + counts.deleted + counts.hidden;
    context.onProgress({ stage: 'index', source: null, done, total });
  }
  while (inFlight.length > 0) await awaitOldest();
  return counts;
}

/** A promise that is awaited later: until then its failure must not count as unhandled. */
function deferFailure<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

async function countChanged(pool: pg.Pool, run: number): Promise<number> {
  const { rows } = await pool.query<{ total: number }>(
    'select count(*) as total from listings where changed_run = $1',
    [run],
  );
  return rows[0]?.total ?? 0;
}

/** How many ads that the run changed are not served, by reason. */
async function hiddenReasons(client: pg.ClientBase, run: number): Promise<Record<string, number>> {
  const { rows } = await client.query<{ reason: string; count: number }>(
    `select case when withdrawn_at is not null then 'withdrawn' when duplicate_of is not null then 'duplicate'
              when photos_pending = 1 then 'photos_pending' else 'no_photos' end as reason, count(*) as count
       from listings where changed_run = $1 and not served group by 1 order by 1`,
    [run],
  );
  return Object.fromEntries(rows.map(({ reason, count }) => [reason, count]));
}

function eventLine({ run }: RunContext, row: ListingRow, counts: Partial<Record<EventType, number>>): string[] {
  const { id, version, price, previousPrice: previous } = row;
  const type = eventOf({
    wasServed: row.wasServed,
    served: row.served,
    priceChanged: row.priceChanged === run.at.getTime() / 1000 && price !== null && previous !== null,
  });
  if (type === null) return [];
  counts[type] = (counts[type] ?? 0) + 1;
  return [
    [
      run.id,
      id,
      eventId(type, id, version),
      type,
      version,
      run.at.toISOString(),
      row.city,
      row.listingType,
      row.propertyType,
      copyNumber(row.neighborhood),
      copyNumber(price),
      type === 'listing.price_changed' ? copyNumber(previous) : '\\N',
    ].join('\t'),
  ];
}

/** Writes the events of a range of listings, in place of those of an interrupted attempt. */
async function saveEvents(client: pg.ClientBase, run: number, after: number, last: number, lines: readonly string[]) {
  await client.query('delete from listing_events where run_id = $1 and listing_id > $2 and listing_id <= $3', [
    run,
    after,
    last,
  ]);
  await copyIn(
    client,
    `listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type, neighborhood_id,
       price_yearly_sar, previous_price_yearly_sar)`,
    lines,
  );
}
