import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { DAY, type Hour } from './window.ts';

/**
 * Listings by the day they were first seen, where a day is 24 hours counted back from the full hour: each bucket holds
 * one whole number of days on the market, so that quantiles of days are exact.
 */
export function vacancyBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  // A bucket includes its lower bound, while whole days on the market include their upper one, therefore one millisecond.
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
