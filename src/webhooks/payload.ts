import type { EventType } from '#domain/listings/events.ts';
import { isoSeconds } from '#domain/timestamps.ts';

export interface ListingEvent {
  id: string;
  type: EventType;
  at: Date;
  listing_id: number;
  city: string;
  listing_type: string;
  property_type: string;
  price_yearly_sar: number | null;
  previous_price_yearly_sar: number | null;
}

export interface PayloadOptions {
  siteUrl: string;
  /** Sequence number, counted per endpoint from 1 without gaps. */
  sequence: number;
  test?: boolean;
}

/** Returns the body of an event, which is the same for every attempt. */
export function eventBody(event: ListingEvent, { siteUrl, sequence, test = false }: PayloadOptions): string {
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
