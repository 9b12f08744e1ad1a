import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { DAY, type Hour } from './window.ts';

/** Lengths in days of the spans that are compared with the same number of days before them. */
export const SPANS = [7, 30] as const;

/** Listings by when they were first seen. Both spans of a pair have the same length, as they end with a full hour. */
export function supplyBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  return aggregateBody(cohortQuery(filters, hour), {
    first_seen: {
      date_range: {
        field: 'filter.first_seen_at',
        keyed: true,
        ranges: SPANS.flatMap((days) => [
          { key: `last_${days}`, from: hour - days * DAY, to: hour },
          { key: `before_${days}`, from: hour - 2 * days * DAY, to: hour - days * DAY },
        ]),
      },
    },
  });
}
