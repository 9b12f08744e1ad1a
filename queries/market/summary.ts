import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { hdrPercentiles } from './percentiles.ts';
import { DAY, hourOf } from './window.ts';

/** Neighborhoods a summary names. */
export const TOP_NEIGHBORHOODS = 10;

/** One cohort at a glance. Parts are only counted: medians of each would take as long as all the rest. */
export function summaryBody(filters: FilterValues, now: number): Record<string, unknown> {
  const to = hourOf(now);
  return aggregateBody(cohortQuery(filters, now), {
    price: hdrPercentiles('filter.price'),
    prices: { stats: { field: 'filter.price' } },
    price_per_sqm: hdrPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
    area: hdrPercentiles('filter.area', MEDIAN_PERCENTS),
    updated: {
      date_range: {
        field: 'filter.updated_at',
        ranges: [{ key: 'week', from: to - 7 * DAY }],
      },
    },
    last_updated: { max: { field: 'filter.updated_at' } },
    property_types: { terms: { field: 'filter.property_type', size: 100 } },
    neighborhoods: { terms: { field: 'filter.neighborhood_id', size: TOP_NEIGHBORHOODS } },
    sources: { terms: { field: 'filter.source', size: 100 } },
  });
}
