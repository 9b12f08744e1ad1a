import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/** Of one cohort, however large: a histogram of three digits, right to a thousandth, and the fastest over many values. */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Of many cohorts side by side: digests, small where samples are, while every histogram is large from the start. So
 * fine that the values of a sample of some hundreds stay apart, which is what makes it right to the rank; prices, whose
 * quartiles are held to a hundredth, have twice the fineness. It costs the engine's heap a quarter of a kilobyte for each
 * unit, so the index is gone over by one thread for it (`max_slice_count` in its template): each more has digests of its own.
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
