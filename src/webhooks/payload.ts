import type { EventType } from '#domain/listings/events.ts';
import { isoSeconds } from '#domain/timestamps.ts';
import * as sql from '#stores/postgres/rows.ts';

export const EVENT = {
  id: sql.text,
  type: sql.textAs<EventType>(),
  at: sql.timestamp,
  listing_id: sql.integer,
  city: sql.text,
  listing_type: sql.text,
  property_type: sql.text,
  price_yearly_sar: sql.nullable(sql.amount),
  previous_price_yearly_sar: sql.nullable(sql.amount),
};

/**
 * Returns the body of an event, which is the same for every attempt.
 * @param options.sequence number, counted per endpoint from 1 without gaps
 */
export function eventBody(
  event: sql.RowOf<typeof EVENT>,
  { siteUrl, sequence, test = false }: { siteUrl: string; sequence: number; test?: boolean },
): string {
  const { id, type, at, listing_id, city, listing_type, property_type, price_yearly_sar } = event;
  const moved = type === 'listing.price_changed';
  return JSON.stringify({
    id,
    type,
    created: isoSeconds(at),
    sequence,
    ...(test ? { test } : {}),
    data: {
      listing_id,
      city,
      listing_type,
      property_type,
      price_yearly_sar,
      ...(moved ? { previous_price_yearly_sar: event.previous_price_yearly_sar } : {}),
      url: `${siteUrl}/listings/${listing_id}`,
    },
  });
}
