import { randomBytes } from 'node:crypto';
import type { EventType } from '#domain/listings/events.ts';

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
 * Returns a new id of an event. It is random, so that no event has the id of one that a restore of the database has
 * removed. A resumed run keeps the ids of the events that it has written.
 */
export const newEventId = (): string => `evt_${randomBytes(12).toString('hex')}`;
