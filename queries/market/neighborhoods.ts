import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { tdigestPercentiles } from './percentiles.ts';

/** More than any city has. */
export const MAX_NEIGHBORHOODS = 2_000;

/** The neighborhoods of a city side by side. */
export function neighborhoodsBody(filters: FilterValues, now: number): Record<string, unknown> {
  return aggregateBody(cohortQuery(filters, now), {
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS },
      aggs: {
        price: tdigestPercentiles('filter.price'),
        price_per_sqm: tdigestPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
      },
    },
  });
}
