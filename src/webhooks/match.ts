import type pg from 'pg';
import { chunks } from '#domain/chunks.ts';
import { toDocument } from '#domain/listings/document.ts';
import type { EventType } from '#domain/listings/events.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { messageOf } from '#domain/message-of.ts';
import { storable } from '#domain/text/visible.ts';
import { newId } from '#src/accounts/ids.ts';
import type { Services } from '#src/services.ts';
import { percolate } from '#stores/opensearch/derived-index/percolator.ts';
import { LOCKS, withLock } from '#stores/postgres/locks.ts';
import type { SessionPool } from '#stores/postgres/pool.ts';
import * as sql from '#stores/postgres/rows.ts';
import { type Transaction, transact } from '#stores/postgres/transaction.ts';
import { insertDeliveries } from './deliveries.ts';
import { EVENTS_PER_RUN, RUN_END } from './endpoints.ts';
import { EVENT, eventBody } from './payload.ts';
import { syncSubscriptionIndex } from './subscription-index.ts';

const BATCH = 2_000;
/** Endpoints whose deliveries a transaction writes: few, so that locks are held briefly. */
const SHARES_PER_WRITE = 20;

/** Returns the last state of listings, also of withdrawn ones. */
export type ReadListings = (ids: readonly number[]) => Promise<ReadonlyMap<number, StoredListing>>;

export interface MatchServices extends Pick<Services, 'opensearch' | 'random'> {
  pool: SessionPool;
  readListings: ReadListings;
  config: Pick<Services['config'], 'siteUrl'>;
  clock: Pick<Services['clock'], 'now'>;
  logger: Pick<Services['logger'], 'error'>;
}

export interface MatchCounts {
  events: number;
  deliveries: number;
}

/** Position in the events, which are ordered by run, then by listing id. */
interface Position {
  run: number;
  listing: number;
}

interface Participant extends Position {
  number: number;
  types: readonly EventType[];
  /** Events that the endpoint can still receive after the latest run. */
  capacity: number;
  /** Whether the endpoint is enabled and has capacity left. */
  active: boolean;
}

const KEY = { run_id: sql.integer, listing_id: sql.integer, id: sql.text };
type EventKey = sql.RowOf<typeof KEY>;

const LOGGED_EVENT = { ...KEY, ...EVENT, shown: sql.nullable(sql.integer) };
type LoggedEvent = sql.RowOf<typeof LOGGED_EVENT>;

const isBehind = (a: Position, b: Position): boolean => a.run < b.run || (a.run === b.run && a.listing < b.listing);

/**
 * Queues deliveries of released events. An offset advances in the transaction that writes the deliveries, so each is
 * created exactly once even if a process is killed.
 * @returns null if another process is matching
 */
export function matchEvents(services: MatchServices, signal: AbortSignal): Promise<MatchCounts | null> {
  return withLock(services.pool, LOCKS.webhooks, (db) => matchRound(services, db, signal));
}

async function matchRound(services: MatchServices, db: pg.ClientBase, signal: AbortSignal): Promise<MatchCounts> {
  const matched: MatchCounts = { events: 0, deliveries: 0 };
  const { latest } = await sql.queryOne(
    db,
    { latest: sql.nullable(sql.integer) },
    `select max(id) as latest from ingest_runs where status = 'completed'`,
  );
  if (latest === null) return matched;
  const participants = await readParticipants(db, latest);
  if (participants.length === 0) return matched;
  const total = await syncSubscriptionIndex(services, db);
  let active = participants;
  for (;;) {
    signal.throwIfAborted();
    active = active.filter((each) => each.active);
    const from = active.reduce<Position | null>((first, each) => (first && isBehind(first, each) ? first : each), null);
    if (from === null) break;
    const events = await readEvents(db, from, latest);
    const last = events.at(-1);
    if (last === undefined) {
      await finishRound(db, active, latest);
      break;
    }
    const end: Position = { run: last.run_id, listing: last.listing_id };
    const here = active.filter((each) => isBehind(each, end));
    matched.events += events.length;
    matched.deliveries += await matchBatch(services, db, { events, end, here, latest, total });
  }
  return matched;
}

async function readParticipants(db: pg.ClientBase, latest: number): Promise<Participant[]> {
  const rows = await sql.queryRows(
    db,
    {
      number: sql.integer,
      types: sql.listOf(sql.textAs<EventType>()),
      run: sql.integer,
      listing: sql.integer,
      capacity: sql.integer,
    },
    `select id as number, event_types as types, matched_run as run, matched_listing as listing,
            $2 - case when round_run = $1 then round_count else 0 end as capacity
       from webhook_endpoints
      where status = 'enabled' and (matched_run, matched_listing) < ($1, $3) order by id`,
    [latest, EVENTS_PER_RUN, RUN_END],
  );
  return rows.filter(({ capacity }) => capacity > 0).map((row) => ({ ...row, active: true }));
}

/** Reads events, of which only the keys are checked. */
function readEvents(db: pg.ClientBase, after: Position, latest: number): Promise<EventKey[]> {
  return sql.queryRows(
    db,
    KEY,
    `select e.run_id, e.listing_id, e.id, e.type, e.at, e.city, e.listing_type, e.property_type, e.price_yearly_sar,
            e.previous_price_yearly_sar, e.shown
       from listing_events e
      where (e.run_id, e.listing_id) > ($1, $2) and e.run_id <= $3
      order by e.run_id, e.listing_id limit $4`,
    [after.run, after.listing, latest, BATCH],
  );
}

interface Batch {
  events: readonly EventKey[];
  end: Position;
  here: readonly Participant[];
  latest: number;
  total: number;
}

interface Share {
  participant: Participant;
  events: LoggedEvent[];
}

async function matchBatch(services: MatchServices, db: pg.ClientBase, batch: Batch): Promise<number> {
  const shares = await sharesOf(services, db, batch);
  for (const participant of batch.here) Object.assign(participant, batch.end);
  for (const { participant, events } of shares) {
    participant.capacity -= events.length;
    if (participant.capacity > 0) continue;
    participant.active = false;
    Object.assign(participant, positionOf(events.at(-1) as LoggedEvent));
  }
  let written = 0;
  for (const some of chunks(shares, SHARES_PER_WRITE))
    written += await transact(db, (tx) => writeShares(services, tx, some, batch.latest));
  return written;
}

const positionOf = ({ run_id, listing_id }: EventKey): Position => ({ run: run_id, listing: listing_id });

/** Returns the matching events in order, up to the endpoint's remaining capacity. */
async function sharesOf(services: MatchServices, db: pg.ClientBase, { events, here, total }: Batch): Promise<Share[]> {
  const context: MatchJob = {
    services,
    types: new Set(here.flatMap(({ types }) => types)),
    // Searching all and discarding some results is faster.
    only: here.length * 2 < total ? here.map(({ number }) => number) : null,
    total,
    failed: [],
  };
  const matches = await findMatches(context, events);
  await recordSkipped(context, db, events.length);
  const participants = new Map(here.map((participant) => [participant.number, participant]));
  const shares = new Map<number, Share>();
  for (const { event, numbers } of matches) {
    for (const number of numbers) {
      const participant = participants.get(number);
      if (!participant?.types.includes(event.type) || !isBehind(participant, positionOf(event))) continue;
      const share = shares.get(number) ?? { participant, events: [] };
      shares.set(number, share);
      if (share.events.length < participant.capacity) share.events.push(event);
    }
  }
  return [...shares.values()];
}

interface MatchJob {
  services: MatchServices;
  types: ReadonlySet<EventType>;
  /** Numbers of the endpoints; null for all. */
  only: readonly number[] | null;
  total: number;
  failed: { event: EventKey; error: Error }[];
}

interface Match {
  event: LoggedEvent;
  numbers: readonly number[];
}

/** If an event makes the matching fail, the others are matched one by one, and it is added to `failed`. */
async function findMatches(context: MatchJob, events: readonly EventKey[]): Promise<Match[]> {
  try {
    return await matchAll(context, events);
  } catch (error) {
    if (!isCausedByEvents(error)) throw error;
    const [event] = events;
    if (event !== undefined && events.length === 1) {
      context.failed.push({ event, error });
      return [];
    }
    const matches: Match[] = [];
    for (const each of events) matches.push(...(await findMatches(context, [each])));
    return matches;
  }
}

async function matchAll({ services, types, only, total }: MatchJob, events: readonly EventKey[]): Promise<Match[]> {
  const wanted = events.map((event) => sql.checkRow(LOGGED_EVENT, event)).filter(({ type }) => types.has(type));
  const stored = await services.readListings([...new Set(wanted.map(({ listing_id }) => listing_id))]);
  const matchable = wanted.flatMap((event) => {
    const listing = stored.get(event.listing_id);
    return listing ? [{ event, document: toDocument(asOfEvent(listing, event)) }] : [];
  });
  const documents = matchable.map(({ document }) => document);
  const matches = await percolate(services.opensearch, documents, only, total);
  return matchable.map(({ event }, index) => ({ event, numbers: matches[index] ?? [] }));
}

/** With the price and in the searches of the event: meanwhile, the listing may have become implausible or lost its price. */
function asOfEvent({ display, private: hidden }: StoredListing, event: LoggedEvent): StoredListing {
  const { price_yearly_sar: yearly_sar, previous_price_yearly_sar: previous_yearly_sar, shown } = event;
  // Events of earlier releases do not state the searches.
  const plausible = shown === null ? {} : { plausible_typed: (shown & 1) > 0, plausible_pooled: (shown & 2) > 0 };
  return {
    display: { ...display, price: { ...display.price, yearly_sar, previous_yearly_sar } },
    private: { ...hidden, ...plausible },
  };
}

/** Returns whether an event, and no failing datastore, caused the error. */
function isCausedByEvents(error: unknown): error is Error {
  return (
    // OpenSearch refuses the documents.
    (error as { statusCode?: number }).statusCode === 400 ||
    error instanceof sql.RowError ||
    error instanceof SyntaxError ||
    error instanceof TypeError ||
    error instanceof RangeError
  );
}

/** If all events of a batch of this size fail, their content is not the cause, and it is retried. */
const MIN_FAILING_BATCH = 10;

/** Offsets move past these events, so that they do not delay others. */
async function recordSkipped({ services, failed }: MatchJob, db: pg.ClientBase, events: number): Promise<void> {
  const [first] = failed;
  if (first === undefined) return;
  if (failed.length === events && events >= MIN_FAILING_BATCH) throw first.error;
  for (const { event, error } of failed) {
    await db.query(
      'update listing_events set skipped_at = $3, skipped_reason = $4 where run_id = $1 and listing_id = $2',
      [
        event.run_id,
        event.listing_id,
        new Date(services.clock.now()),
        storable(messageOf(error)).slice(0, REASON_CHARACTERS),
      ],
    );
    services.logger.error(
      { err: error, event: event.id, listing: event.listing_id, run: event.run_id },
      'event not matched with webhooks, skipped',
    );
  }
}

const REASON_CHARACTERS = 500;

/** @returns number of deliveries */
async function writeShares(
  { config: { siteUrl }, random, clock }: MatchServices,
  db: Transaction,
  shares: readonly Share[],
  latest: number,
): Promise<number> {
  const rows = await sql.queryRows(
    db,
    { id: sql.integer, sequence: sql.integer },
    `select id, sequence from webhook_endpoints where id = any ($1::bigint[]) and status = 'enabled'
      order by id for no key update`,
    [shares.map(({ participant }) => participant.number)],
  );
  const sequences = new Map(rows.map(({ id, sequence }) => [id, sequence]));
  const moved: (Participant & { sequence: number })[] = [];
  const deliveries = shares.flatMap(({ participant, events }) => {
    const before = sequences.get(participant.number);
    if (before === undefined) {
      // Disabled or deleted meanwhile: its recorded offset does not change.
      participant.active = false;
      return [];
    }
    moved.push({ ...participant, sequence: before + events.length });
    return events.map((event, index) => {
      const sequence = before + index + 1;
      return {
        endpoint: participant.number,
        id: newId('dlv', random),
        sequence,
        eventId: event.id,
        eventType: event.type,
        listingId: event.listing_id,
        body: eventBody(event, { siteUrl, sequence }),
      };
    });
  });
  await insertDeliveries(db, deliveries, { now: new Date(clock.now()) });
  await db.query(
    `update webhook_endpoints e set sequence = m.sequence, matched_run = m.run, matched_listing = m.listing,
            round_run = $2, round_count = $3 - m.capacity
       from json_to_recordset($1::json) as m (number bigint, sequence bigint, run int, listing bigint, capacity int)
      where e.id = m.number`,
    [JSON.stringify(moved), latest, EVENTS_PER_RUN],
  );
  return deliveries.length;
}

async function finishRound(db: pg.ClientBase, finished: readonly Participant[], latest: number): Promise<void> {
  await db.query(
    `update webhook_endpoints set matched_run = $2, matched_listing = $3 where id = any ($1::bigint[]) and status = 'enabled'`,
    [finished.map(({ number }) => number), latest, RUN_END],
  );
}
