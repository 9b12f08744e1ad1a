import { HOME_TYPES } from '#domain/listing-vocabulary.ts';
import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody, type Hour, hdrPercentiles, hourOf, tdigestPercentiles } from '../market/cohort.ts';
import { MAX_NEIGHBORHOODS } from '../market/statistics.ts';

export const MIN_COMPARED = 2;
export const MAX_COMPARED = 5;

/** For rentals, the cohort includes the same homes for sale, for the yield of the types of `/market/rental-yield`. */
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

/**
 * Returns the requested types, or homes: plots and farms are rarely rented, so that a yield over all types would mix
 * homes and land. Undefined for commercial property, where every type counts.
 */
const yieldTypes = ({ property_type, listing_category }: FilterValues): FilterValues['property_type'] =>
  property_type ?? (listing_category === 'commercial' ? undefined : HOME_TYPES);

const yieldSides = (median: Clause): Record<string, Clause> => ({
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

export interface PositionInput {
  id: number;
  price: number | null;
  neighborhood: number | null;
  /** Filters without a neighborhood: the cohort covers the whole city. */
  filters: FilterValues;
}

/**
 * Ranks a price in its city and its neighborhood. Ranks are exact counts. `self` shows whether the sample includes the
 * listing.
 */
export function marketPositionBody(
  { id, price, neighborhood, filters }: PositionInput,
  now: number,
): Record<string, unknown> {
  const statistics: Record<string, Clause> = {
    price: hdrPercentiles('filter.price'),
    prices: { stats: { field: 'filter.price' } },
    price_per_sqm: hdrPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
    ...(price === null
      ? {}
      : {
          below: { filter: { range: { 'filter.price': { lt: price } } } },
          equal: { filter: { term: { 'filter.price': price } } },
        }),
  };
  return cohortBody(filters, hourOf(now), {
    self: { filter: { term: { 'filter.id': id } } },
    ...statistics,
    ...(neighborhood === null
      ? {}
      : { neighborhood: { filter: { term: { 'filter.neighborhood_id': neighborhood } }, aggs: statistics } }),
  });
}
