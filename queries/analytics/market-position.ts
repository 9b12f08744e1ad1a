import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from '../market/cohort.ts';
import { hdrPercentiles } from '../market/percentiles.ts';
import { hourOf } from '../market/window.ts';

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
