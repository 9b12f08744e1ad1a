import { component } from '../json-schema.ts';

/** Types that webhooks deliver. */
export const EVENT_TYPES = component('EventType', [
  'listing.created',
  'listing.price_changed',
  'listing.delisted',
] as const);
/**
 * Types in the log, as exports name them: also listings that search hides and returns again, and `updated` for those that moved to
 * another city or listing type, `listing.moved` in the log.
 */
export const LOGGED_TYPES = [...EVENT_TYPES, 'listing.hidden', 'listing.relisted', 'listing.updated'] as const;
/** Days for which events are retained. An export of listing changes covers at most 366 days. */
export const EVENT_DAYS = 400;
export type EventType = (typeof EVENT_TYPES)[number];

/** Returns whether search no longer returns a listing after an event of the type. */
export const isGone = (type: string): boolean => type === 'listing.hidden' || type === 'listing.delisted';
