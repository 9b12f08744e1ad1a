import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from './cohort.ts';
import { DAY, type Hour } from './window.ts';

/**
 * Counts listings by the day on which they were first seen. A day is 24 hours, counted back from the full hour, so each
 * bucket holds one number of whole days on the market and quantiles in days are exact.
 */
export function vacancyBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  // A bucket includes its lower bound, but an interval of whole days on the market includes its upper bound. Therefore
  // the offset is one millisecond higher.
  const offset = (hour + 1) % DAY;
  return cohortBody(filters, hour, {
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
