import type pg from 'pg';
import type { ListingOp } from '../../src/stores/listing-index/index.ts';
import { type EventType, eventId, eventOf } from '../events/event.ts';
import type { NormalisedListing } from '../record.ts';
import type { RunContext } from '../run/context.ts';
import { copyIn, copyNumber } from '../run/copy.ts';
import { beginStage, finishStage } from '../run/runs.ts';
import { renderListing } from './render.ts';

/** Listings in one bulk request, and such requests at a time: one in the engine while the next is made. */
const BATCH = 500;
const IN_FLIGHT = 2;

/** Columns of a listing in the order of `COLUMNS`. */
type Row = [
  id: number,
  version: number,
  served: boolean,
  wasServed: boolean,
  city: string,
  listingType: string,
  propertyType: string,
  neighborhoodId: number | null,
  price: number | null,
  previousPrice: number | null,
  priceChanged: number | null,
  firstSeen: number,
  updated: number,
  photos: string,
  alsoListedOn: string,
  plausibleTyped: boolean,
  plausiblePooled: boolean,
  record: string | null,
];

const COLUMNS = `l.id, l.version, l.served, l.was_served, l.city, l.listing_type, l.property_type, l.neighborhood_id,
  l.price, l.previous_price, extract(epoch from l.price_changed_at)::float8, extract(epoch from l.first_seen_at)::float8,
  extract(epoch from l.updated_at)::float8, l.photos, l.also_listed_on, l.plausible_typed, l.plausible_pooled, r.record`;

/**
 * Brings to the index what the run has changed, and writes the events of it. A batch's events are in Postgres before
 * its documents are in the index, and go out with the run; both are the same when made again.
 */
export async function indexStage(context: RunContext): Promise<void> {
  const { run, writer, listingIndex, signal } = context;
  const stage = await beginStage(writer, run, 'index');
  if (stage.finished) return;
  const counts: Record<string, number> = { indexed: 0, deleted: 0 };
  const events: Partial<Record<EventType, number>> = {};
  const inFlight: { last: number; sent: Promise<unknown> }[] = [];
  const settleOldest = async (): Promise<void> => {
    const oldest = inFlight.shift();
    if (!oldest) return;
    await oldest.sent;
    await writer.transaction((client) =>
      client.query(`update ingest_run_stages set checkpoint = $2 where run_id = $1 and stage = 'index'`, [
        run.id,
        oldest.last,
      ]),
    );
  };
  let next = readChanged(context, stage.checkpoint);
  let after = stage.checkpoint;
  for (;;) {
    signal.throwIfAborted();
    const rows = await next;
    const last = rows.at(-1)?.[0];
    if (last === undefined) break;
    next = readChanged(context, last);
    next.catch(() => {});
    const lines = rows.flatMap((row) => eventLine(context, row, events));
    const from = after;
    after = last;
    const written = writer.transaction((client) => saveEvents(client, run.id, from, last, lines));
    const ops = rows.flatMap((row) => operation(context, row));
    counts.indexed = (counts.indexed ?? 0) + ops.filter((op) => op.op === 'index').length;
    counts.deleted = (counts.deleted ?? 0) + ops.filter((op) => op.op === 'delete').length;
    await written;
    const sent = listingIndex.bulk(ops);
    sent.catch(() => {});
    inFlight.push({ last, sent });
    if (inFlight.length >= IN_FLIGHT) await settleOldest();
    context.onProgress({
      stage: 'index',
      source: null,
      done: (counts.indexed ?? 0) + (counts.deleted ?? 0),
      total: null,
    });
  }
  while (inFlight.length > 0) await settleOldest();
  await listingIndex.refresh();
  await writer.transaction(
    (client) =>
      finishStage(client, run, 'index', { kept: counts.indexed ?? 0, dropped: {}, details: { ...counts, ...events } }),
    { durable: true },
  );
}

/** The next rows that the run changed, by id. The ad itself only where it is served. */
async function readChanged({ pool, run }: RunContext, after: number): Promise<Row[]> {
  const { rows } = await pool.query<Row>({
    name: 'ingest-changed',
    rowMode: 'array',
    text: `select ${COLUMNS} from listings l left join listing_records r on r.id = l.id and l.served
            where l.changed_run = $1 and l.id > $2 order by l.id limit ${BATCH}`,
    values: [run.id, after],
  });
  return rows;
}

/** What the index has to do for a row: nothing for one that neither was nor is served. */
function operation({ run }: RunContext, row: Row): ListingOp[] {
  const [id, version, served, wasServed] = row;
  if (!served) return wasServed ? [{ op: 'delete', id, version }] : [];
  const ad = JSON.parse(row[17] as string) as NormalisedListing;
  const stored = renderListing(
    ad,
    {
      id,
      previousPrice: row[9],
      priceChanged: row[10],
      firstSeen: row[11],
      updated: row[12],
      photos: row[13] === '' ? [] : row[13].split(' '),
      alsoListedOn: row[14] === '' ? [] : row[14].split(','),
      plausibleTyped: row[15],
      plausiblePooled: row[16],
    },
    run.at.getTime() / 1000,
  );
  return [{ op: 'index', id, version, stored }];
}

function eventLine({ run }: RunContext, row: Row, counts: Partial<Record<EventType, number>>): string[] {
  const [id, version, served, wasServed, city, listingType, propertyType, neighborhood, price, previous, changed] = row;
  const type = eventOf({
    wasServed,
    served,
    priceMoved: changed === run.at.getTime() / 1000 && price !== null && previous !== null,
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
      city,
      listingType,
      propertyType,
      copyNumber(neighborhood),
      copyNumber(price),
      type === 'listing.price_changed' ? copyNumber(previous) : '\\N',
    ].join('\t'),
  ];
}

/** Writes the events of a range of listings, in place of those that an interrupted attempt has written. */
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
