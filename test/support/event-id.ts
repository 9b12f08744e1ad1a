import { LOGGED_TYPES } from '#domain/listings/events.ts';

type LoggedType = (typeof LOGGED_TYPES)[number] | 'listing.moved';

/** Returns an event id that is equal for equal events only. Ids of the service are random. */
export function eventId(type: LoggedType, listingId: number, version: number): string {
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
  const number = (LOGGED_TYPES as readonly string[]).indexOf(type) + 1;
  return `evt_${hex(number, 2)}${hex(listingId, 14)}${hex(version, 8)}`;
}
