import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/** Percentiles of one cohort of any size: an HDR histogram of three digits, exact to a thousandth and fastest over many values. */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Percentiles of many cohorts in one request: t-digests, which are small where samples are small, while every HDR
 * histogram is large from the start. The compression keeps the values of a sample of some hundreds apart, so that ranks
 * are exact; prices, whose quartiles are to be within a hundredth, have twice as much. It costs a quarter of a kilobyte
 * of heap for each unit, and each thread that searches a part of the index has digests of its own: that is why the
 * template of listings allows one (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
