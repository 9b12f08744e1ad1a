import { EVENT_TYPES, type EventType } from '#domain/listings/events.ts';

/** Returns an event id that is equal for equal events only. Ids of the service are random. */
export function eventId(type: EventType, listingId: number, version: number): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  return `evt_${hex(EVENT_TYPES.indexOf(type) + 1, 2)}${hex(listingId, 14)}${hex(version, 8)}`;
}
