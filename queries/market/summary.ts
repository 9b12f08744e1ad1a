import { MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from './cohort.ts';
import { hdrPercentiles } from './percentiles.ts';
import { DAY, type Hour } from './window.ts';

/** Maximum number of neighborhoods in a summary. */
const TOP_NEIGHBORHOODS = 10;

/**
 * Builds a request that summarizes one cohort. Its groups are only counted, because a median for each group would take
 * as long as everything else together.
 */
export function summaryBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  return cohortBody(filters, hour, {
    price: hdrPercentiles('filter.price'),
    prices: { stats: { field: 'filter.price' } },
    price_per_sqm: hdrPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
    area: hdrPercentiles('filter.area', MEDIAN_PERCENTS),
    updated: {
      date_range: {
        field: 'filter.updated_at',
        ranges: [{ key: 'week', from: hour - 7 * DAY }],
      },
    },
    last_updated: { max: { field: 'filter.updated_at' } },
    property_types: { terms: { field: 'filter.property_type', size: 100 } },
    neighborhoods: { terms: { field: 'filter.neighborhood_id', size: TOP_NEIGHBORHOODS } },
    sources: { terms: { field: 'filter.source', size: 100 } },
  });
}
