import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from './cohort.ts';
import { DAY, type Hour } from './window.ts';

/** Window lengths in days. Each window is compared with the preceding window of the same length. */
export const SPANS = [7, 30] as const;

/**
 * Counts listings by the time at which they were first seen. Windows end at a full hour, so both windows in a pair have
 * the same length.
 */
export function supplyBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  return cohortBody(filters, hour, {
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
