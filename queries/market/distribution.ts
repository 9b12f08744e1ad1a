import { DISTRIBUTION_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody } from './cohort.ts';
import { hdrPercentiles } from './percentiles.ts';
import type { Hour } from './window.ts';

/** A field, and the width of its histogram bars in OpenSearch. Displayed bins are multiples of this width. */
export interface Measure {
  field: 'filter.price' | 'filter.area';
  bar: number;
}

/** Rents differ by thousands of SAR, but sale prices by tens of thousands. */
export const priceMeasure = (listingType: unknown): Measure => ({
  field: 'filter.price',
  bar: listingType === 'rent' ? 1_000 : 10_000,
});
export const AREA: Measure = { field: 'filter.area', bar: 5 };

/** Builds a histogram request with narrow bars, which are merged into bins once the value range is known. */
export function distributionBody({ field, bar }: Measure, filters: FilterValues, hour: Hour): Record<string, unknown> {
  return cohortBody(filters, hour, {
    bars: { histogram: { field, interval: bar, min_doc_count: 1 } },
    percentiles: hdrPercentiles(field, DISTRIBUTION_PERCENTS),
    values: { stats: { field } },
  });
}
