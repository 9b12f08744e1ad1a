import type { RowOf } from '../postgres/column-rows.ts';
import { number, numberOrNull, text } from '../postgres/copy-out.ts';

/** Columns from `listing_months h` and `listings l`. */
export const HISTORY_COLUMNS = {
  listing: number('h.listing_id'),
  firstMonth: number('h.first_month'),
  lastMonth: number('h.last_month'),
  listingType: text('h.listing_type'),
  price: numberOrNull('h.price'),
  newMonth: numberOrNull('h.new_month'),
  newPrice: numberOrNull('h.new_price'),
  /** Bits 1 (by type) and 2 (all types) for `price`, 4 and 8 for `newPrice`. */
  plausible: number('h.plausible'),
  city: text('l.city'),
  propertyType: text('l.property_type'),
  category: text('l.listing_category'),
  neighborhood: numberOrNull('l.neighborhood_id'),
  bedrooms: numberOrNull('l.bedrooms'),
  bathrooms: numberOrNull('l.bathrooms'),
  livings: numberOrNull('l.livings'),
  /** As last stated by the source, in years. */
  age: numberOrNull('l.age_years'),
  area: numberOrNull('l.area_sqm'),
  lat: numberOrNull('l.lat'),
  lng: numberOrNull('l.lng'),
};
export type HistoryRow = RowOf<typeof HISTORY_COLUMNS>;

/** Fields for trends are repeated under each basis, for one query. */
export function historyDocument(row: HistoryRow): string {
  const { price, area, newMonth, newPrice, plausible } = row;
  return JSON.stringify({
    filter: {
      city: row.city,
      listing_type: row.listingType,
      listing_category: row.category,
      property_type: row.propertyType,
      neighborhood_id: row.neighborhood,
      location: row.lat === null || row.lng === null ? null : [row.lng, row.lat],
      lat: row.lat,
      lng: row.lng,
      area,
      beds: row.bedrooms,
      bathrooms: row.bathrooms,
      livings: row.livings,
      age: row.age,
    },
    on_market: basis(row.firstMonth, row.lastMonth, price, area, plausible),
    ...(newMonth === null ? {} : { new_listings: basis(newMonth, newMonth, newPrice, area, plausible >> 2) }),
  });
}

function basis(first: number, last: number, price: number | null, area: number | null, plausible: number) {
  return {
    months: { gte: first, lte: last },
    first_month: first,
    last_month: last,
    price,
    price_per_sqm: price !== null && area ? price / area : null,
    plausible_typed: price !== null && (plausible & 1) === 1,
    plausible_pooled: price !== null && (plausible & 2) === 2,
  };
}
