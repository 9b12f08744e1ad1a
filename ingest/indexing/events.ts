import type pg from 'pg';
import type { EventType } from '#domain/listings/events.ts';
import { eventId, eventOf } from '../events/event.ts';
import { copyIn, copyNumber } from '../postgres/copy-in.ts';
import type { Run } from '../run/run-state.ts';
import type { ListingRow } from './rows.ts';

/** Number of events by type. */
export type EventCounts = Partial<Record<EventType, number>>;

/** An event of a run, as a COPY line. */
export interface EventLine {
  type: EventType;
  line: string;
}

/** Returns the event for the change to a listing in the run; empty if there is none. */
export function eventLine(run: Run, row: ListingRow): EventLine[] {
  const { id, version, price, previousPrice: previous } = row;
  const type = eventOf({
    wasPublished: row.wasServed && row.wasPriced,
    published: row.served && row.priced,
    priceChanged: row.priceChanged === run.at.getTime() / 1000 && price !== null && previous !== null,
  });
  if (type === null) return [];
  const line = [
    run.id,
    id,
    eventId(type, id, version, run.epoch),
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
  return [{ type, line }];
}

export async function insertEvents(client: pg.ClientBase, events: readonly EventLine[]): Promise<void> {
  await copyIn(
    client,
    `listing_events (run_id, listing_id, id, type, version, at, city, listing_type, property_type, neighborhood_id,
       price_yearly_sar, previous_price_yearly_sar)`,
    events.map(({ line }) => line),
  );
}

/** Adds to or subtracts from counts. */
export function countEvents(counts: EventCounts, events: readonly { type: EventType }[], by = 1): void {
  for (const { type } of events) counts[type] = (counts[type] ?? 0) + by;
}
