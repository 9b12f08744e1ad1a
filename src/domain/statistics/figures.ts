import type { Quartiles } from './quantiles.ts';

/** Below so many listings a statistic says little: it is given, and marked. */
export const SMALL_SAMPLE = 10;

export const isSmall = (sampleSize: number): boolean => sampleSize < SMALL_SAMPLE;

/** The one rounding of amounts, areas and percentages. */
export const hundredths = (value: number): number => Math.round(value * 100) / 100;
const orNull =
  (round: (value: number) => number) =>
  (value: number | null | undefined): number | null =>
    value === null || value === undefined || !Number.isFinite(value) ? null : round(value);

/** Amounts in SAR, areas, days and shares: to the hundredth; null stays null. */
export const rounded = orNull(hundredths);

/** A share of a whole in percent; null of nothing. */
export const percentage = (part: number, whole: number): number | null =>
  whole === 0 ? null : hundredths((part / whole) * 100);

/** How much a value lies above (or, negative, below) a base, in percent; null where either is missing. */
export function difference(value: number | null, base: number | null): number | null {
  return value === null || base === null || base === 0 ? null : hundredths(((value - base) / base) * 100);
}

/** Where a value stands among others in percent: those below it, and half of its equals. */
export const percentileRank = (below: number, equal: number, all: number): number | null =>
  percentage(below + equal / 2, all);

/** The quartiles of prices by the names they have everywhere. */
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

/** What a price is: of a year to rent, of the whole for sale. */
export const PRICE_BASES = ['yearly_rent', 'total_price'] as const;
export const priceBasis = (listingType: unknown): (typeof PRICE_BASES)[number] =>
  listingType === 'rent' ? 'yearly_rent' : 'total_price';
