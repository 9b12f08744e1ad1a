import { brokenCap, CAPS, POOLED_CAPS } from '#domain/listings/caps.ts';
import type { ListingCategory, PropertyType } from '#domain/listings/vocabulary.ts';
import { lowMedian } from '#domain/statistics/quantiles.ts';

/** What plausibility is judged by. A price is a yearly rent or the total of a sale, in SAR. */
export interface Judged {
  city: string;
  listing_type: string;
  listing_category: ListingCategory | string;
  property_type: PropertyType | string;
  neighborhood_id: number | null;
  bedrooms: number | null;
  area_sqm: number | null;
  price: number | null;
}

/** `typed` compares with the same property type, `pooled` with all types of a category together. */
export const KINDS = ['typed', 'pooled'] as const;
export type Kind = (typeof KINDS)[number];

/** Fences of each kind; those of `per_sqm` are of the price for each square meter, and count in both. */
export const FENCE_KINDS = [...KINDS, 'per_sqm'] as const;
export type FenceKind = (typeof FENCE_KINDS)[number];

/** Types that are sold and let by the square meter: their prices say little without the area. */
const PRICED_BY_AREA: ReadonlySet<string> = new Set<PropertyType>([
  'land',
  'commercial_land',
  'farm',
  'residential_building',
  'commercial_building',
  'warehouse',
]);

/**
 * Tiers of each kind, from narrow to wide: the first with enough prices gives the fence. `neighborhood` is beside them: it
 * gives the floor.
 */
export const TIERS = ['city_bedrooms', 'city', 'country', 'neighborhood'] as const;
export type Tier = (typeof TIERS)[number];

/** Prices that a cell needs for a fence. */
export const MIN_SAMPLE = 30;
/** Prices that a neighborhood needs for a floor. */
export const MIN_NEIGHBORHOOD_SAMPLE = 10;
/** Half-width of a fence in robust standard deviations (1.4826 MAD) of log price. */
export const WIDTH = 4;
/** The least half-width, for markets in which half of the ads have the same price. */
const MIN_HALF_WIDTH = Math.log(3);
/** Share of the neighborhood median below which a price is implausible. */
export const FLOOR_SHARE = 0.3;

/** A price is plausible in `[low, high]`. */
export interface Fence {
  kind: FenceKind;
  tier: Tier;
  /** Name of the cell: its values joined by `/`. */
  fence: string;
  sample: number;
  median: number;
  /** Median absolute deviation of log price; null for neighborhoods, which make only a floor. */
  mad: number | null;
  low: number;
  high: number | null;
}

/** The cell of a tier that an ad belongs to; null where it lacks a value. */
export function cellName(kind: FenceKind, tier: Tier, ad: Judged): string | null {
  if (kind === 'per_sqm' && (!PRICED_BY_AREA.has(ad.property_type) || (tier !== 'city' && tier !== 'country')))
    return null;
  const type = kind === 'pooled' ? ad.listing_category : ad.property_type;
  const rooms = ad.bedrooms === null ? '-' : Math.min(ad.bedrooms, 10);
  switch (tier) {
    case 'city_bedrooms':
      return `${ad.city}/${ad.listing_type}/${type}/${rooms}`;
    case 'city':
      // Pooled tiers keep what has rooms apart from what has none: homes and land share no price.
      return `${ad.city}/${ad.listing_type}/${type}${kind === 'pooled' ? `/${ad.bedrooms === null ? '-' : '+'}` : ''}`;
    case 'country':
      return `${ad.listing_type}/${type}${kind === 'pooled' ? `/${ad.bedrooms === null ? '-' : '+'}` : ''}`;
    case 'neighborhood':
      if (ad.neighborhood_id === null) return null;
      return `${ad.neighborhood_id}/${ad.listing_type}/${type}${kind === 'pooled' ? `/${rooms}` : ''}`;
  }
}

/** The key by which fences are found. */
export function fenceKey(kind: FenceKind, tier: Tier, cell: string): string {
  return `${kind} ${tier} ${cell}`;
}

/** Makes the fence of one cell from its prices (for each square meter), which it sorts in place; null where they are too few. */
export function makeFence(kind: FenceKind, tier: Tier, cell: string, prices: Float64Array): Fence | null {
  const minSample = tier === 'neighborhood' ? MIN_NEIGHBORHOOD_SAMPLE : MIN_SAMPLE;
  if (prices.length < minSample) return null;
  prices.sort();
  const median = lowMedian(prices);
  const base = { kind, tier, fence: cell, sample: prices.length, median };
  if (tier === 'neighborhood') return { ...base, mad: null, low: median * FLOOR_SHARE, high: null };
  const center = Math.log(median);
  const deviations = prices.map((price) => Math.abs(Math.log(price) - center)).sort();
  const mad = lowMedian(deviations);
  const half = Math.max(WIDTH * 1.4826 * mad, MIN_HALF_WIDTH);
  return { ...base, mad, low: Math.exp(center - half), high: Math.exp(center + half) };
}

/** Why an ad is implausible. */
export interface Implausible {
  rule:
    | 'bedrooms'
    | 'area'
    | 'price_low'
    | 'price_high'
    | 'price_per_sqm_low'
    | 'price_per_sqm_high'
    | 'neighborhood_floor';
  fence: Fence | null;
}

/** The fences that an ad is judged by. They do not depend on its price or area. */
export interface Bounds {
  fence: Fence | undefined;
  /** That of the neighborhood, whose `low` is the floor. */
  floor: Fence | undefined;
  perSqm: Fence | undefined;
}

/** Finds the fence of the narrowest tier that has one, and that of the neighborhood. */
export function boundsOf(kind: Kind, ad: Judged, fences: ReadonlyMap<string, Fence>): Bounds {
  const find = (of: FenceKind, tier: Tier): Fence | undefined => {
    const cell = cellName(of, tier, ad);
    return cell === null ? undefined : fences.get(fenceKey(of, tier, cell));
  };
  return {
    fence: find(kind, 'city_bedrooms') ?? find(kind, 'city') ?? find(kind, 'country'),
    floor: find(kind, 'neighborhood'),
    perSqm: find('per_sqm', 'city') ?? find('per_sqm', 'country'),
  };
}

/**
 * Judges one ad by caps, fences and neighborhood floor. An ad without a price is judged by the caps alone.
 * @returns why it is implausible; null when it is plausible
 */
export function judge(kind: Kind, ad: Judged, fences: ReadonlyMap<string, Fence>): Implausible | null {
  return judgeWithin(kind, ad, boundsOf(kind, ad, fences));
}

/** `judge` with known bounds: many ads share them. */
export function judgeWithin(kind: Kind, ad: Judged, { fence, floor, perSqm }: Bounds): Implausible | null {
  const caps = kind === 'typed' ? (CAPS[ad.property_type as PropertyType] ?? POOLED_CAPS) : POOLED_CAPS;
  const cap = brokenCap(caps, ad.bedrooms, ad.area_sqm);
  if (cap) return { rule: cap, fence: null };
  if (ad.price === null) return null;
  if (fence !== undefined) {
    if (ad.price < fence.low) return { rule: 'price_low', fence };
    if (fence.high !== null && ad.price > fence.high) return { rule: 'price_high', fence };
  }
  if (perSqm !== undefined && ad.area_sqm) {
    const rate = ad.price / ad.area_sqm;
    if (rate < perSqm.low) return { rule: 'price_per_sqm_low', fence: perSqm };
    if (perSqm.high !== null && rate > perSqm.high) return { rule: 'price_per_sqm_high', fence: perSqm };
  }
  return floor !== undefined && ad.price < floor.low ? { rule: 'neighborhood_floor', fence: floor } : null;
}

/**
 * Whether the price of a sale is one for each square meter: as the price of the whole it lies far below its market, and
 * as that of a square meter within it.
 */
export function isPricePerSqm(price: number, area: number, perSqm: Fence): boolean {
  return price / area < perSqm.low && price >= perSqm.low && perSqm.high !== null && price <= perSqm.high;
}
