import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from './cohort.ts';
import { tdigestPercentiles } from './percentiles.ts';
import type { Hour } from './window.ts';

/** Maximum number of neighborhoods in a response, more than any city has. */
export const MAX_NEIGHBORHOODS = 2_000;

/** Aggregates the prices in every neighborhood of a city. */
export function neighborhoodsBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  return cohortBody(filters, hour, {
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS },
      aggs: {
        price: tdigestPercentiles('filter.price'),
        price_per_sqm: tdigestPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
      },
    },
  });
}
