import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { EventType } from '#domain/listings/events.ts';
import * as sql from '#postgres/rows.ts';
import { copyIn, copyNumber } from '../postgres/copy-in.ts';
import type { Run } from '../run/run-state.ts';
import type { ListingRow } from './rows.ts';

export type EventCounts = Partial<Record<EventType, number>>;

/** The change to a listing in a run. */
interface Transition {
  /** Whether the listing was served before the run, and had ever had a price. */
  wasPublished: boolean;
  published: boolean;
  /** Whether the run changed the price from one amount to another. */
  priceChanged: boolean;
}

/** Returns the event type for the change to a listing in a run; null if there is none. */
function eventOf({ wasPublished, published, priceChanged }: Transition): EventType | null {
  if (published && !wasPublished) return 'listing.created';
  if (!published && wasPublished) return 'listing.delisted';
  return published && priceChanged ? 'listing.price_changed' : null;
}

/** An event of a run that is not written yet. */
export interface NewEvent {
  type: EventType;
  listing: number;
  version: number;
  line(id: string): string;
}

/** Returns the event for the change to a listing in the run; empty if there is none. */
export function eventOfRow(run: Run, row: ListingRow): NewEvent[] {
  const { id: listing, version, price, previousPrice: previous } = row;
  const type = eventOf({
    wasPublished: row.wasServed && row.wasPriced,
    published: row.served && row.priced,
    priceChanged: row.priceChanged === run.at.getTime() / 1000 && price !== null && previous !== null,
  });
  if (type === null) return [];
  const line = (id: string): string =>
    [
      run.id,
      listing,
      id,
      type,
      version,
      run.at.toISOString(),
      row.city,
      row.listingType,
      row.propertyType,
      copyNumber(row.neighborhood),
      copyNumber(price),
      type === 'listing.price_changed' ? copyNumber(previous) : '\\N',
    ].join('\t');
  return [{ type, listing, version, line }];
}

/**
 * Returns a new id of an event. It is random, so that no event has the id of one that a restore of the database has
 * removed. A resumed run keeps the ids of the events that it has written.
 */
const newEventId = (): string => `evt_${randomBytes(12).toString('hex')}`;

const keyOf = (type: string, listing: number, version: number): string => `${type} ${listing} ${version}`;

/** Writes the events for a range of listing ids, replacing events of an interrupted attempt, whose ids are kept. */
export async function saveEvents(
  client: pg.ClientBase,
  run: number,
  { after, last }: { after: number; last: number },
  events: readonly NewEvent[],
): Promise<void> {
  const rows = await sql.queryRows(
    client,
    { id: sql.text, type: sql.text, listing: sql.integer, version: sql.integer },
    `delete from listing_events where run_id = $1 and listing_id > $2 and listing_id <= $3
     returning id, type, listing_id as listing, version`,
    [run, after, last],
  );
  await insertEvents(client, events, new Map(rows.map((row) => [keyOf(row.type, row.listing, row.version), row.id])));
}

/** @param ids ids of events that are written again */
export async function insertEvents(
  client: pg.ClientBase,
  events: readonly NewEvent[],
  ids: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  await copyIn(
    client,
    `listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type, neighborhood_id,
       price_yearly_sar, previous_price_yearly_sar)`,
    events.map(({ type, listing, version, line }) => line(ids.get(keyOf(type, listing, version)) ?? newEventId())),
  );
}

export function countEvents(counts: EventCounts, events: readonly { type: EventType }[], by = 1): void {
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + by;
}
