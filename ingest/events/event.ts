import { EVENT_TYPES, type EventType } from '#domain/listings/events.ts';

/** The change to a listing in a run. */
export interface Transition {
  /** Whether the listing was served before the run, and had ever had a price. */
  wasPublished: boolean;
  published: boolean;
  /** Whether the run changed the price from one amount to another. */
  priceChanged: boolean;
}

/** Returns the event type for the change to a listing in a run; null if there is none. Pure. */
export function eventOf({ wasPublished, published, priceChanged }: Transition): EventType | null {
  if (published && !wasPublished) return 'listing.created';
  if (!published && wasPublished) return 'listing.delisted';
  return published && priceChanged ? 'listing.price_changed' : null;
}

/**
 * Returns the id of an event: type, listing and version in hexadecimal digits, and the epoch. A listing has one event
 * per type and version in an epoch, so a repeated event has the same id.
 * @param epoch random id of the last database restore, after which versions may repeat; null if there was none
 */
export function eventId(type: EventType, listingId: number, version: number, epoch: string | null = null): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `evt_${hex(EVENT_TYPES.indexOf(type) + 1, 2)}${hex(listingId, 14)}${hex(version, 8)}${epoch ?? ''}`;
}
