import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from '../market/cohort.ts';
import { tdigestPercentiles } from '../market/percentiles.ts';
import type { Hour } from '../market/window.ts';
import { yieldSides, yieldTypes } from './rental-yield.ts';

export const MIN_COMPARED = 2;
export const MAX_COMPARED = 5;

/**
 * Requests the statistics of a cohort. For rentals, also those of the same cohort for sale, for the yield of the
 * property types of `/market/rental-yield`.
 */
export function compareBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  const { listing_type, ...others } = filters;
  const median = tdigestPercentiles('filter.price', MEDIAN_PERCENTS);
  const types = yieldTypes(filters);
  const yields: Record<string, Clause> =
    listing_type === 'rent'
      ? {
          yield: {
            filter: types ? { terms: { 'filter.property_type': types } } : { match_all: {} },
            aggs: yieldSides(median),
          },
        }
      : {};
  return cohortBody(listing_type === 'rent' ? others : filters, hour, {
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_COMPARED },
      aggs: {
        asked: {
          filter: { term: { 'filter.listing_type': listing_type } },
          aggs: {
            price: tdigestPercentiles('filter.price'),
            price_per_sqm: tdigestPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
            area: tdigestPercentiles('filter.area', MEDIAN_PERCENTS),
            mean_price: { avg: { field: 'filter.price' } },
            amenities: { terms: { field: 'filter.amenities', size: 100 } },
            bedrooms: { terms: { field: 'filter.beds', size: 1_000, order: { _key: 'asc' } } },
            property_types: { terms: { field: 'filter.property_type', size: 100 } },
          },
        },
        ...yields,
      },
    },
  });
}
