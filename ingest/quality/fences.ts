import { brokenCap, CAPS } from '#domain/listings/caps.ts';
import { LAND_TYPES, type ListingCategory, type PropertyType } from '#domain/listings/vocabulary.ts';
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

/** Tiers of fences, from narrow to wide: the first with enough prices, and not too wide to say anything, gives the fence. */
const FENCE_TIERS = ['city_bedrooms', 'city', 'country'] as const;
/** Tiers of the floor, from narrow to wide. Pooled, they are of as many bedrooms, of about as many, and of any number. */
const FLOOR_TIERS = ['neighborhood', 'neighborhood_band', 'neighborhood_rooms'] as const;
export const TIERS = [...FENCE_TIERS, ...FLOOR_TIERS] as const;
export type Tier = (typeof TIERS)[number];
type FloorTier = (typeof FLOOR_TIERS)[number];

/** What is priced by its area has no rooms to be compared by. */
const PER_SQM_TIERS: ReadonlySet<Tier> = new Set(['city', 'country', 'neighborhood']);

const isFloor = (tier: Tier): tier is FloorTier => (FLOOR_TIERS as readonly Tier[]).includes(tier);

/** Prices that a cell needs for a fence. */
export const MIN_SAMPLE = 30;
/** Prices that a neighborhood needs for a floor. */
export const MIN_NEIGHBORHOOD_SAMPLE = 10;
/** Half-width of a fence in robust standard deviations (1.4826 MAD) of log price. */
export const WIDTH = 4;
/** The least half-width, for markets in which half of the ads have the same price. */
const MIN_HALF_WIDTH = Math.log(3);
/** A fence whose highest price is more than so many times its lowest says nothing, where a wider tier has another. */
const MAX_SPAN = 1_000;
/** Share of the neighborhood median below which a price is implausible. */
export const FLOOR_SHARE = 0.3;

/** A price is plausible in `[low, high]`. */
export interface Range {
  low: number;
  high: number | null;
}

/** The range of prices that a cell of the market makes plausible. */
export interface Fence extends Range {
  kind: FenceKind;
  tier: Tier;
  /** Name of the cell: its values joined by `/`. */
  fence: string;
  sample: number;
  median: number;
  /** Median absolute deviation of log price; null for neighborhoods, which make only a floor. */
  mad: number | null;
}

/** The cell of a tier that an ad belongs to; null where it lacks a value. */
export function cellName(kind: FenceKind, tier: Tier, ad: Judged): string | null {
  if (kind === 'per_sqm' && !(PRICED_BY_AREA.has(ad.property_type) && PER_SQM_TIERS.has(tier))) return null;
  const pooled = kind === 'pooled';
  const market = `${ad.listing_type}/${pooled ? ad.listing_category : ad.property_type}`;
  const bedrooms = roomsOf(ad);
  const rooms = bedrooms === null ? '-' : Math.min(bedrooms, 10);
  // Pooled tiers keep what has rooms apart from what has none: homes and land share no price.
  const withRooms = pooled ? `/${bedrooms === null ? '-' : '+'}` : '';
  if (isFloor(tier) && (ad.neighborhood_id === null || (!pooled && tier !== 'neighborhood'))) return null;
  switch (tier) {
    case 'city_bedrooms':
      return `${ad.city}/${market}/${rooms}`;
    case 'city':
      return `${ad.city}/${market}${withRooms}`;
    case 'country':
      return `${market}${withRooms}`;
    case 'neighborhood':
      return `${ad.neighborhood_id}/${market}${pooled ? `/${rooms}` : ''}`;
    case 'neighborhood_band':
      return `${ad.neighborhood_id}/${market}/${bandOf(bedrooms)}`;
    case 'neighborhood_rooms':
      return `${ad.neighborhood_id}/${market}${withRooms}`;
  }
}

/** Types of which one may have no bedroom: of any other, none says no more than that none is stated. */
const MAY_LACK_BEDROOMS: ReadonlySet<string> = new Set<PropertyType>(['apartment', 'studio', 'room']);

/** The bedrooms that an ad is compared by; null where they say nothing. */
function roomsOf({ property_type: type, bedrooms }: Judged): number | null {
  if (LAND_TYPES.has(type as PropertyType)) return null;
  return bedrooms === 0 && !MAY_LACK_BEDROOMS.has(type) ? null : bedrooms;
}

/** About how many bedrooms. */
function bandOf(bedrooms: number | null): string {
  if (bedrooms === null) return '-';
  return bedrooms <= 1 ? '0-1' : bedrooms <= 3 ? '2-3' : bedrooms <= 5 ? '4-5' : '6+';
}

/** The key by which fences are found. */
export function fenceKey(kind: FenceKind, tier: Tier, cell: string): string {
  return `${kind} ${tier} ${cell}`;
}

/** Makes the fence of one cell from its prices (for each square meter), which it sorts in place; null where they are too few. */
export function makeFence(kind: FenceKind, tier: Tier, cell: string, prices: Float64Array): Fence | null {
  const minSample = isFloor(tier) ? MIN_NEIGHBORHOOD_SAMPLE : MIN_SAMPLE;
  if (prices.length < minSample) return null;
  prices.sort();
  const median = lowMedian(prices);
  const base = { kind, tier, fence: cell, sample: prices.length, median };
  if (isFloor(tier)) return { ...base, mad: null, low: median * FLOOR_SHARE, high: null };
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
export interface Bounds<F extends Range = Fence> {
  fence: F | undefined;
  /** That of the neighborhood, whose `low` is the floor. */
  floor: F | undefined;
  /** The same of the price for each square meter. */
  perSqm: F | undefined;
  perSqmFloor: F | undefined;
}

/** Finds the fence of the narrowest tier that has one, and the floor of the neighborhood likewise. */
export function boundsOf<F extends Range>(kind: Kind, ad: Judged, fences: ReadonlyMap<string, F>): Bounds<F> {
  const find = (of: FenceKind, tiers: readonly Tier[]): F[] =>
    tiers.flatMap((tier) => {
      const cell = cellName(of, tier, ad);
      return cell === null ? [] : (fences.get(fenceKey(of, tier, cell)) ?? []);
    });
  return {
    fence: telling(find(kind, FENCE_TIERS)),
    floor: find(kind, FLOOR_TIERS)[0],
    perSqm: telling(find('per_sqm', FENCE_TIERS)),
    perSqmFloor: find('per_sqm', FLOOR_TIERS)[0],
  };
}

/** The first fence that says anything; where all are too wide, the narrowest of them. */
function telling<F extends Range>(fences: readonly F[]): F | undefined {
  return (
    fences.find((fence) => spanOf(fence) <= MAX_SPAN) ??
    fences.reduce<F | undefined>(
      (narrowest, fence) => (narrowest === undefined || spanOf(fence) < spanOf(narrowest) ? fence : narrowest),
      undefined,
    )
  );
}

const spanOf = ({ low, high }: Range): number => (high ?? Number.POSITIVE_INFINITY) / low;

/**
 * Judges one ad by caps, fences and neighborhood floor. An ad without a price is judged by the caps alone.
 * @returns why it is implausible; null when it is plausible
 */
export function judge(kind: Kind, ad: Judged, fences: ReadonlyMap<string, Fence>): Implausible | null {
  return judgeWithin(ad, boundsOf(kind, ad, fences));
}

/**
 * `judge` with known bounds: many ads share them. What is priced by its area is judged by the price for each square meter
 * alone, where the market says what that is: its price as a whole says no more than how large it is.
 */
export function judgeWithin(ad: Judged, { fence, floor, perSqm, perSqmFloor }: Bounds): Implausible | null {
  const cap = brokenCap(CAPS[ad.property_type as PropertyType], ad.bedrooms, ad.area_sqm);
  if (cap) return { rule: cap, fence: null };
  if (ad.price === null) return null;
  if (perSqm !== undefined && ad.area_sqm) {
    const rate = ad.price / ad.area_sqm;
    if (rate < perSqm.low) return { rule: 'price_per_sqm_low', fence: perSqm };
    if (perSqm.high !== null && rate > perSqm.high) return { rule: 'price_per_sqm_high', fence: perSqm };
    return perSqmFloor !== undefined && rate < perSqmFloor.low
      ? { rule: 'neighborhood_floor', fence: perSqmFloor }
      : null;
  }
  if (fence !== undefined) {
    if (ad.price < fence.low) return { rule: 'price_low', fence };
    if (fence.high !== null && ad.price > fence.high) return { rule: 'price_high', fence };
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
