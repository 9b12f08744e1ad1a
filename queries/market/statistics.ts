import { DISTRIBUTION_PERCENTS, MEDIAN_PERCENTS } from '#domain/statistics/percents.ts';
import type { FilterValues } from '../filters/table.ts';
import { cohortBody, DAY, type Hour, hdrPercentiles, tdigestPercentiles } from './cohort.ts';

/** More than any city has. */
export const MAX_NEIGHBORHOODS = 2_000;

export function neighborhoodsBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  return cohortBody(filters, hour, {
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS },
      aggs: {
        price: tdigestPercentiles('filter.price'),
        price_per_sqm: tdigestPercentiles('stats.price_per_sqm', MEDIAN_PERCENTS),
      },
    },
  });
}

const TOP_NEIGHBORHOODS = 10;

/** Groups are only counted: a median per group would take as long as everything else together. */
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

/** Lengths of windows in days. Each window is compared with the preceding one of the same length. */
export const SPANS = [7, 30] as const;

/** Counts listings by `first_seen_at`. Windows end at a full hour, so that both of a pair have the same length. */
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

/** Groups listings by the day of `first_seen_at`, counted back from the full hour, so that quantiles are exact. */
export function vacancyBody(filters: FilterValues, hour: Hour): Record<string, unknown> {
  // Buckets include the lower bound, intervals of whole days the upper one. Therefore the offset has one more
  // millisecond.
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

/** A field with the width of its bars in OpenSearch, of which displayed bins are multiples. */
export interface Measure {
  field: 'filter.price' | 'filter.area';
  bar: number;
}

/** Rents differ by thousands of SAR, sale prices by tens of thousands. */
export const priceMeasure = (listingType: unknown): Measure => ({
  field: 'filter.price',
  bar: listingType === 'rent' ? 1_000 : 10_000,
});
export const AREA: Measure = { field: 'filter.area', bar: 5 };

/** Requests narrow bars, which are merged into bins once the value range is known. */
export function distributionBody({ field, bar }: Measure, filters: FilterValues, hour: Hour): Record<string, unknown> {
  return cohortBody(filters, hour, {
    bars: { histogram: { field, interval: bar, min_doc_count: 1 } },
    percentiles: hdrPercentiles(field, DISTRIBUTION_PERCENTS),
    values: { stats: { field } },
  });
}
