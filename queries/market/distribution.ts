import { BESIDE, QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { aggregateBody, cohortQuery } from './cohort.ts';
import { hdrPercentiles } from './percentiles.ts';

/** What else a distribution tells than the quartiles. */
export const TAIL_PERCENTS = [5, 10, 90, 95] as const;
export type TailPercent = (typeof TAIL_PERCENTS)[number];

/** What to ask for: just beside, so that a sample whose ranks fall on the very percent has one answer. */
export const besideTail = (percent: TailPercent): number => percent + (percent < 50 ? -BESIDE : BESIDE);

/** Which field, and the width of the bars that the engine counts in; the bins shown are multiples of it. */
export interface Measure {
  field: 'filter.price' | 'filter.area';
  bar: number;
}

/** Rents differ by thousands, totals by ten thousands. */
export const priceMeasure = (listingType: unknown): Measure => ({
  field: 'filter.price',
  bar: listingType === 'rent' ? 1_000 : 10_000,
});
export const AREA: Measure = { field: 'filter.area', bar: 5 };

/** Fine bars, of which bins are put together once it is known how far the values spread. */
export function distributionBody({ field, bar }: Measure, filters: FilterValues, now: number): Record<string, unknown> {
  return aggregateBody(cohortQuery(filters, now), {
    bars: { histogram: { field, interval: bar, min_doc_count: 1 } },
    percentiles: hdrPercentiles(
      field,
      [...QUARTILE_PERCENTS, ...TAIL_PERCENTS.map(besideTail)].sort((a, b) => a - b),
    ),
    values: { stats: { field } },
  });
}
