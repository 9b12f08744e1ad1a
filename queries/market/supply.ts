import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { DAY, hourOf } from './window.ts';

/** Days of the spans that are held against the same number of days before them. */
export const SPANS = [7, 30] as const;

/** When the spans end: with the last full hour, so that both of a pair are of one length. */
export const spansEnd = hourOf;

/** Listings by when they were first seen. */
export function supplyBody(filters: FilterValues, now: number): Record<string, unknown> {
  const end = spansEnd(now);
  return aggregateBody(cohortQuery(filters, now), {
    first_seen: {
      date_range: {
        field: 'filter.first_seen_at',
        keyed: true,
        ranges: SPANS.flatMap((days) => [
          { key: `last_${days}`, from: end - days * DAY, to: end },
          { key: `before_${days}`, from: end - 2 * days * DAY, to: end - days * DAY },
        ]),
      },
    },
  });
}
