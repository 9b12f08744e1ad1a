import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/** Percentiles of one cohort of any size: an HDR histogram of three digits, exact to a thousandth and fastest over many values. */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Percentiles of many cohorts in one request: t-digests, which are small for small samples, while every HDR histogram is large
 * from the start. The compression separates the values of a sample of some hundreds, so that ranks are exact; prices, whose
 * quartiles must be within a hundredth, have twice as much. It costs a quarter of a kilobyte of heap for each unit, and each
 * thread that searches a part of the index has its own digests: therefore the template of listings allows one thread
 * (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
