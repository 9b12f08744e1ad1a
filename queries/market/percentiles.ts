import { QUARTILE_PERCENTS, SHORT_QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import type { Clause } from '../clause.ts';

/** Requests percentiles of one cohort of any size: accurate to 0.1% and the fastest for many values. */
export const hdrPercentiles = (field: string, percents: readonly number[] = QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, hdr: { number_of_significant_value_digits: 3 } },
});

/**
 * Requests percentiles of many cohorts: digests of small samples are small, HDR histograms always large. The
 * compression keeps a few hundred values separate, so that ranks are exact. Prices, whose quartiles must be accurate to
 * 1%, use twice the compression. Each unit costs a quarter of a kilobyte of heap per search thread; therefore the
 * listings template allows one (`max_slice_count`).
 */
export const tdigestPercentiles = (field: string, percents: readonly number[] = SHORT_QUARTILE_PERCENTS): Clause => ({
  percentiles: { field, percents, keyed: false, tdigest: { compression: field === 'filter.price' ? 1_000 : 500 } },
});
