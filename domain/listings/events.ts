import { component } from '../json-schema.ts';
export const EVENT_TYPES = component('EventType', [
  'listing.created',
  'listing.price_changed',
  'listing.delisted',
] as const);
/** Days for which events are retained. An export of listing changes covers at most 366 days. */
export const EVENT_DAYS = 400;
export type EventType = (typeof EVENT_TYPES)[number];
