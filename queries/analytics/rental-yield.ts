import { HOME_TYPES } from '#domain/listings/vocabulary.ts';
import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from '../market/cohort.ts';
import { hdrPercentiles, tdigestPercentiles } from '../market/percentiles.ts';
import { MAX_NEIGHBORHOODS } from '../market/statistics.ts';
import type { Hour } from '../market/window.ts';

/**
 * Returns the requested types, or homes: plots and farms are sold but rarely rented, so a yield over all types would
 * divide rents for homes by prices for land. Undefined for commercial property, where every type counts.
 */
export const yieldTypes = ({ property_type, listing_category }: FilterValues): FilterValues['property_type'] =>
  property_type ?? (listing_category === 'commercial' ? undefined : HOME_TYPES);

/** Aggregates yearly rents and total sale prices separately. */
export const yieldSides = (median: Clause): Record<string, Clause> => ({
  property_types: {
    terms: { field: 'filter.property_type', size: 100 },
    aggs: {
      rent: { filter: { term: { 'filter.listing_type': 'rent' } }, aggs: { price: median } },
      sale: { filter: { term: { 'filter.listing_type': 'sale' } }, aggs: { price: median } },
    },
  },
});

export function rentalYieldBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  const property_type = yieldTypes(filters);
  return cohortBody({ ...filters, ...(property_type ? { property_type } : {}) }, hour, {
    ...yieldSides(hdrPercentiles('filter.price', MEDIAN_PERCENTS)),
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS },
      aggs: yieldSides(tdigestPercentiles('filter.price', MEDIAN_PERCENTS)),
    },
  });
}
