import { toDocument } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { writeDeal } from '#domain/listings/stored-form.ts';
import type { Comparison } from '#domain/statistics/deals.ts';

/** Renders a deal for the index as JSON: the stored listing, its comparison, and the fields for filters and sorts. */
export function dealDocument(stored: StoredListing, comparison: Comparison): string {
  const { filter, stats } = toDocument(stored);
  return writeDeal(stored, comparison, {
    filter: {
      id: filter.id,
      city: filter.city,
      listing_type: filter.listing_type,
      listing_category: filter.listing_category,
      property_type: filter.property_type,
      neighborhood_id: filter.neighborhood_id,
      location: filter.location,
      lat: filter.lat,
      lng: filter.lng,
      compound: filter.compound,
      price: filter.price,
      area: filter.area,
      beds: filter.beds,
      bathrooms: filter.bathrooms,
      livings: filter.livings,
      updated_at: filter.updated_at,
    },
    stats: {
      plausible_typed: stats.plausible_typed,
      plausible_pooled: stats.plausible_pooled,
      deal_gap_pct: comparison.gap_pct,
    },
  });
}
