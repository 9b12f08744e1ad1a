/** What can happen to a listing that callers see. */
export const EVENT_TYPES = ['listing.created', 'listing.price_changed', 'listing.delisted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
