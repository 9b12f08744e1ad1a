import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { DAY, hourOf } from './window.ts';

/** The moment that days on the market are counted to. */
export const countedTo = hourOf;

/**
 * Listings by the day they were first seen, a day being 24 hours back from the last full hour: every bar is one number
 * of whole days on the market, so that its quantiles are exact.
 */
export function vacancyBody(filters: FilterValues, now: number): Record<string, unknown> {
  // A bar has its lower bound inside, and whole days on the market have their upper one: a millisecond sets that right.
  const offset = (countedTo(now) + 1) % DAY;
  return aggregateBody(cohortQuery(filters, now), {
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
