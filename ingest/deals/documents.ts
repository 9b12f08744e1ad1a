import { toDocument } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { writeDeal } from '#domain/listings/stored-form.ts';
import type { Comparison } from '#domain/statistics/deals.ts';

const FILTERS = [
  ...(['id', 'city', 'listing_type', 'listing_category', 'property_type', 'neighborhood_id', 'location'] as const),
  ...(['lat', 'lng', 'compound', 'price', 'area', 'beds', 'bathrooms', 'livings', 'age', 'updated_at'] as const),
];

/** The stored listing, its comparison, and the fields for filters and sorts. */
export function dealDocument(stored: StoredListing, comparison: Comparison): string {
  const { filter, stats } = toDocument(stored);
  const { plausible_typed, plausible_pooled } = stats;
  return writeDeal(stored, comparison, {
    filter: Object.fromEntries(FILTERS.map((name) => [name, filter[name]])),
    stats: { plausible_typed, plausible_pooled, deal_gap_pct: comparison.gap_pct },
  });
}
