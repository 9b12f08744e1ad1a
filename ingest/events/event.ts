/** What may become of a listing that could be seen. */
export const EVENT_TYPES = ['listing.created', 'listing.price_changed', 'listing.delisted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A listing's state before a run and now, as far as events are concerned. */
export interface Transition {
  wasServed: boolean;
  served: boolean;
  /** Whether one price became another in this run. */
  priceMoved: boolean;
}

/** The event that a run makes of a listing, if any. Pure. */
export function eventOf({ wasServed, served, priceMoved }: Transition): EventType | null {
  if (served && !wasServed) return 'listing.created';
  if (!served && wasServed) return 'listing.delisted';
  return served && priceMoved ? 'listing.price_changed' : null;
}

/**
 * The id of an event: the same however often the event is made, because a listing has one event of a type and version.
 * Reads as type, listing and version in hexadecimal digits.
 */
export function eventId(type: EventType, listingId: number, version: number): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `evt_${hex(EVENT_TYPES.indexOf(type) + 1, 2)}${hex(listingId, 14)}${hex(version, 8)}`;
}
