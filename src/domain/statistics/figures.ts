import type { Quartiles } from './quantiles.ts';

/** A statistic of fewer listings says little: it is served, and marked as a small sample. */
export const SMALL_SAMPLE = 10;

export const isSmall = (sampleSize: number): boolean => sampleSize < SMALL_SAMPLE;

/** The one rounding of amounts, areas and percentages. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100;
const orNull =
  (round: (value: number) => number) =>
  (value: number | null | undefined): number | null =>
    value === null || value === undefined || !Number.isFinite(value) ? null : round(value);

/** Rounds amounts, areas, days and shares to hundredths. Missing and non-finite values become null. */
export const rounded = orNull(hundredths);

/** A share of a whole in percent; null when the whole is 0. */
export const percentage = (part: number, whole: number): number | null =>
  whole === 0 ? null : hundredths((part / whole) * 100);

/** How much a value is above (or, negative, below) a base, in percent; null when either is missing. */
export function difference(value: number | null, base: number | null): number | null {
  return value === null || base === null || base === 0 ? null : hundredths(((value - base) / base) * 100);
}

/** The percentile rank of a value: the values below it and half of those equal to it, in percent. */
export const percentileRank = (below: number, equal: number, all: number): number | null =>
  percentage(below + equal / 2, all);

/** The quartiles of prices by the names they have in every response. */
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
