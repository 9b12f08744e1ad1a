import { component } from '../json-schema.ts';

/** Types of the rows of listing changes. `updated` is a change of content or place without another type. */
export const CHANGE_TYPES = component('ChangeType', [
  'created',
  'updated',
  'price_changed',
  'hidden',
  'relisted',
  'delisted',
] as const);
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Why search does not return a listing. */
export const GONE_REASONS = component('GoneReason', [
  'removed_at_source',
  'sold',
  'rented',
  'withdrawn',
  'merged',
  'takedown',
  'no_price',
  'implausible',
  'without_photos',
] as const);
/** Also `relisted` for a price with which search returns a hidden listing again, and `left_filter`. */
export const CHANGE_REASONS = component('ChangeReason', [...GONE_REASONS, 'relisted', 'left_filter', null] as const);
export type ChangeReason = (typeof CHANGE_REASONS)[number];

/** `hidden` listings are still advertised. */
export const GONE_STATES = component('GoneState', ['hidden', 'gone'] as const);

/** Days for which the price history of a delisted listing is returned. */
export const GONE_HISTORY_DAYS = 90;
