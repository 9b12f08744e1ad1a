import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/**
 * Aggregates percentiles for one cohort of any size with an HDR histogram of three significant digits, which is
 * accurate to 0.1% and the fastest method for many values.
 */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Aggregates percentiles for many cohorts in one request with t-digests, which are small for small samples. An HDR
 * histogram is always large. The compression is high enough to keep the values in samples of a few hundred listings
 * separate, so that ranks are exact. Prices, whose quartiles must be accurate to 1%, use twice the compression. Each
 * unit of compression costs a quarter of a kilobyte of heap, and each search thread has its own digests. Therefore the
 * listings template allows one thread (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
