import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { DAY, type Hour } from './window.ts';

/**
 * Counts listings by the day of `first_seen_at`, in days of 24 hours back from the full hour: each bucket has one number of
 * whole days on the market, so that quantiles of days are exact.
 */
export function vacancyBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  // Buckets include their lower bound, but whole days on the market include the upper one, hence one millisecond.
  const offset = (hour + 1) % DAY;
  return aggregateBody(cohortQuery(filters, hour), {
    days: {
      date_histogram: {
        field: 'filter.first_seen_at',
        fixed_interval: '1d',
        offset: `+${offset}ms`,
        min_doc_count: 1,
      },
    },
  });
}
