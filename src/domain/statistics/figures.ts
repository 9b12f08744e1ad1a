import type { Quartiles } from './quantiles.ts';

/** A statistic of fewer listings is marked as a small sample. */
export const SMALL_SAMPLE = 10;

export const isSmall = (sampleSize: number): boolean => sampleSize < SMALL_SAMPLE;

/** Rounds amounts, areas and percentages to hundredths. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100;
const orNull =
  (round: (value: number) => number) =>
  (value: number | null | undefined): number | null =>
    value === null || value === undefined || !Number.isFinite(value) ? null : round(value);

/** Rounds amounts, areas, days and shares to hundredths. Missing and non-finite values become null. */
export const rounded = orNull(hundredths);

/** Returns a share in percent; null if the whole is 0. */
export const percentage = (part: number, whole: number): number | null =>
  whole === 0 ? null : hundredths((part / whole) * 100);

/** Returns the percentage by which a value exceeds a base (negative if below); null if either is missing. */
export function difference(value: number | null, base: number | null): number | null {
  return value === null || base === null || base === 0 ? null : hundredths(((value - base) / base) * 100);
}

/** Returns the percentile rank of a value in percent: values below it plus half of those equal to it. */
export const percentileRank = (below: number, equal: number, all: number): number | null =>
  percentage(below + equal / 2, all);

/** Quartiles of prices, by their names in responses. */
export interface PriceQuartiles {
  median_price_sar: number | null;
  p25_price_sar: number | null;
  p75_price_sar: number | null;
}

export const priceQuartiles = (quartiles: Quartiles | null): PriceQuartiles => ({
  median_price_sar: rounded(quartiles?.median),
  p25_price_sar: rounded(quartiles?.p25),
  p75_price_sar: rounded(quartiles?.p75),
});

/** The basis of prices: yearly rent or total price of a sale. */
export const PRICE_BASES = ['yearly_rent', 'total_price'] as const;
export const priceBasis = (listingType: unknown): (typeof PRICE_BASES)[number] =>
  listingType === 'rent' ? 'yearly_rent' : 'total_price';
