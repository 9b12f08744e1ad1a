import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/**
 * For one cohort of any size: an HDR histogram of three significant digits is accurate to 0.1% and the fastest method
 * for many values.
 */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * For many cohorts in one request: t-digests are small for small samples, an HDR histogram always large. The
 * compression keeps the values of a few hundred listings separate, so that ranks are exact. Prices, whose quartiles
 * must be accurate to 1%, use twice the compression. Each unit costs a quarter of a kilobyte of heap, for each search
 * thread. Therefore the listings template allows one thread (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
