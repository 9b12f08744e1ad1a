import { component } from '../json-schema.ts';
import type { Quartiles } from './quantiles.ts';

/** Results of fewer listings are marked as a small sample. */
export const SMALL_SAMPLE = 10;

export const isSmall = (sampleSize: number): boolean => sampleSize < SMALL_SAMPLE;

export const hundredths = (value: number): number => Math.round(value * 100) / 100;

/** Rounds to hundredths. Missing and non-finite values become null. */
export const rounded = (value: number | null | undefined): number | null =>
  value === null || value === undefined || !Number.isFinite(value) ? null : hundredths(value);

export const percentage = (part: number, whole: number): number | null =>
  whole === 0 ? null : hundredths((part / whole) * 100);

/** Returns the difference in percent of the base, or null if a value is missing or the base is 0. */
export function difference(value: number | null, base: number | null): number | null {
  return value === null || base === null || base === 0 ? null : hundredths(((value - base) / base) * 100);
}

/** Returns the share of smaller values plus half the share of equal ones, in percent. */
export const percentileRank = (below: number, equal: number, all: number): number | null =>
  percentage(below + equal / 2, all);

export const priceQuartiles = (quartiles: Quartiles | null) => ({
  median_price_sar: rounded(quartiles?.median),
  p25_price_sar: rounded(quartiles?.p25),
  p75_price_sar: rounded(quartiles?.p75),
});

export const PRICE_BASES = component('PriceBasis', ['yearly_rent', 'total_price'] as const);
export const priceBasis = (listingType: unknown): (typeof PRICE_BASES)[number] =>
  listingType === 'rent' ? 'yearly_rent' : 'total_price';
