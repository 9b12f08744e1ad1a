import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { manyCohorts } from './percentiles.ts';

/** More than any city has. */
export const MOST_NEIGHBORHOODS = 2_000;

/** The neighborhoods of a city side by side. */
export function neighborhoodsBody(filters: FilterValues, now: number): Record<string, unknown> {
  return aggregateBody(cohortQuery(filters, now), {
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MOST_NEIGHBORHOODS },
      aggs: {
        price: manyCohorts('filter.price'),
        price_per_sqm: manyCohorts('stats.price_per_sqm', MEDIAN_PERCENTS),
      },
    },
  });
}
