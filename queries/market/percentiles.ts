import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/**
 * Requests percentiles of one cohort of any size: an HDR histogram of three digits, exact to 0.1% and fastest over many
 * values.
 */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Requests percentiles of many cohorts: t-digests, which are small for small samples, while every HDR histogram is large
 * from the start. The compression separates the values of samples of a few hundred, so that ranks are exact; prices, whose
 * quartiles must be within 1%, have twice as much. It costs 256 bytes of heap per unit, and each thread that searches a part
 * of the index has its own digests: the template of listings therefore allows one thread (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
