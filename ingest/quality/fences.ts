import { LAND_TYPES, type ListingCategory, type PropertyType } from '#domain/listing-vocabulary.ts';
import { brokenCap, CAPS } from '#domain/listings/caps.ts';
import { lowMedian } from '#domain/statistics/quantiles.ts';
import * as sql from '#stores/postgres/rows.ts';

/** The price is an annual rent or a sale price, in SAR. */
export interface PlausibilityFacts {
  city: string;
  listing_type: string;
  listing_category: ListingCategory | string;
  property_type: PropertyType | string;
  neighborhood_id: number | null;
  bedrooms: number | null;
  area_sqm: number | null;
  price: number | null;
}

/** `typed` compares with the same property type, `pooled` with all types in a category. */
export const KINDS = ['typed', 'pooled'] as const;
export type Kind = (typeof KINDS)[number];

/** `per_sqm`: price ranges per square meter for one type, which apply to both other kinds. */
export const FENCE_KINDS = [...KINDS, 'per_sqm'] as const;
export type FenceKind = (typeof FENCE_KINDS)[number];

/** A total price is not comparable without the area. */
const PRICED_BY_AREA: ReadonlySet<string> = new Set<PropertyType>([
  'land',
  'commercial_land',
  'farm',
  'residential_building',
  'commercial_building',
  'warehouse',
]);

export const isPricedByArea = (type: string): boolean => PRICED_BY_AREA.has(type);

/** Narrow to wide. The first with enough prices and a meaningful width is used. */
const FENCE_TIERS = ['neighborhood_fence', 'city_bedrooms', 'city', 'country'] as const;
/** Narrow to wide, for price floors (`FLOOR_SHARE`). */
const FLOOR_TIERS = ['neighborhood_bedrooms', 'neighborhood'] as const;
export const TIERS = [...FENCE_TIERS, ...FLOOR_TIERS] as const;
export type Tier = (typeof TIERS)[number];

const isFloor = (tier: Tier): boolean => (FLOOR_TIERS as readonly Tier[]).includes(tier);

/** Prices in a cell, for a fence. */
const MIN_SAMPLE = 30;
/** Prices in a neighborhood, for a floor or a fence. */
const MIN_NEIGHBORHOOD_SAMPLE = 10;
/** Half width in robust standard deviations (1.4826 MAD) of the log price. */
const WIDTH = 4;
/** A factor of 3 in price, for markets in which half of the ads have the same price. */
const MIN_HALF_WIDTH = Math.log(3);
/** Within a factor of 4 of the median per square meter, a home of any size fits. */
const MIN_HALF_WIDTH_PER_SQM = Math.log(4);
/** Upper to lower bound. A wider fence is used only if no tier has a narrower one. */
const MAX_SPAN = 1_000;
/** Floor as a share of the neighborhood's median price. */
const FLOOR_SHARE = 0.3;

/** `[low, high]`. */
interface Range {
  low: number;
  high: number | null;
}

/** The plausible range of prices in a market cell. */
export type Fence = sql.RowOf<typeof FENCE>;
export const FENCE = {
  kind: sql.oneOf(FENCE_KINDS),
  tier: sql.textAs<Tier>(),
  /** The attributes that the cell's ads share, joined by `/`. */
  fence: sql.text,
  sample: sql.integer,
  median: sql.number,
  /** Median absolute deviation of the log price; null for a floor. */
  mad: sql.nullable(sql.number),
  low: sql.number,
  high: sql.nullable(sql.number),
};

/** Returns the cell; null if the ad lacks a value, or the kind lacks the tier. */
export function cellName(kind: FenceKind, tier: Tier, ad: PlausibilityFacts): string | null {
  const pooled = kind === 'pooled';
  const market = `${ad.listing_type}/${pooled ? ad.listing_category : ad.property_type}`;
  const bedrooms = roomsOf(ad);
  const rooms = bedrooms === null ? '-' : Math.min(bedrooms, 10);
  // Prices of homes and land are not comparable.
  const withRooms = pooled ? `/${bedrooms === null ? '-' : '+'}` : '';
  const byArea = isPricedByArea(ad.property_type);
  switch (tier) {
    case 'neighborhood_fence':
      // Plots in one neighborhood differ more than homes, because some may have higher buildings.
      return kind === 'per_sqm' && !byArea ? inNeighborhood(ad, market) : null;
    case 'city_bedrooms':
      return kind === 'per_sqm' ? null : `${ad.city}/${market}/${rooms}`;
    case 'city':
      return `${ad.city}/${market}${withRooms}`;
    case 'country':
      return `${market}${withRooms}`;
    case 'neighborhood_bedrooms':
      return kind === 'typed' ? inNeighborhood(ad, `${market}/${rooms}`) : null;
    case 'neighborhood':
      return kind === 'typed' || (kind === 'per_sqm' && byArea) ? inNeighborhood(ad, market) : null;
  }
}

const inNeighborhood = ({ neighborhood_id: id }: PlausibilityFacts, market: string): string | null =>
  id === null ? null : `${id}/${market}`;

/** 0 bedrooms is a valid number. For other types, it means unknown. */
const MAY_LACK_BEDROOMS: ReadonlySet<string> = new Set<PropertyType>(['apartment', 'studio', 'room']);

/** Returns bedrooms; null for land, or if unknown. */
function roomsOf({ property_type: type, bedrooms }: PlausibilityFacts): number | null {
  if (LAND_TYPES.has(type as PropertyType)) return null;
  return bedrooms === 0 && !MAY_LACK_BEDROOMS.has(type) ? null : bedrooms;
}

export function fenceKey(kind: FenceKind, tier: Tier, cell: string): string {
  return `${kind} ${tier} ${cell}`;
}

/** Sorts the prices in place. Null if there are too few. */
export function makeFence(kind: FenceKind, tier: Tier, cell: string, prices: Float64Array): Fence | null {
  const near = isFloor(tier) || tier === 'neighborhood_fence';
  if (prices.length < (near ? MIN_NEIGHBORHOOD_SAMPLE : MIN_SAMPLE)) return null;
  prices.sort();
  const median = lowMedian(prices);
  const base = { kind, tier, fence: cell, sample: prices.length, median };
  if (isFloor(tier)) return { ...base, mad: null, low: median * FLOOR_SHARE, high: null };
  const center = Math.log(median);
  const deviations = prices.map((price) => Math.abs(Math.log(price) - center)).sort();
  const mad = lowMedian(deviations);
  const half = Math.max(WIDTH * 1.4826 * mad, kind === 'per_sqm' ? MIN_HALF_WIDTH_PER_SQM : MIN_HALF_WIDTH);
  return { ...base, mad, low: Math.exp(center - half), high: Math.exp(center + half) };
}

export type ViolatedRule = 'bedrooms' | 'area' | Fence;

/** Bounds that apply regardless of price and area. */
export interface Bounds {
  fence: Fence | undefined;
  /** The fence whose `low` is the price floor. */
  floor: Fence | undefined;
  /** Fence of the price per square meter, and the fence whose `low` is its floor. */
  perSqm: Fence | undefined;
  perSqmFloor: Fence | undefined;
}

/**
 * The narrowest tier that has a fence, and the floor of the neighborhood. Pooled bounds only add to those of the type:
 * the typed fence is widened to include the pooled one, and a type without a fence has no pooled one either. So a
 * listing that a search of its type shows is shown by every search that covers the type.
 */
export function boundsOf(kind: Kind, ad: PlausibilityFacts, fences: ReadonlyMap<string, Fence>): Bounds {
  const find = (of: FenceKind, tiers: readonly Tier[]): Fence[] =>
    tiers.flatMap((tier) => {
      const cell = cellName(of, tier, ad);
      return cell === null ? [] : (fences.get(fenceKey(of, tier, cell)) ?? []);
    });
  const typed = firstMeaningful(find('typed', FENCE_TIERS));
  return {
    fence:
      kind === 'typed' || typed === undefined ? typed : envelope(firstMeaningful(find('pooled', FENCE_TIERS)), typed),
    floor: find('typed', FLOOR_TIERS)[0],
    perSqm: firstMeaningful(find('per_sqm', FENCE_TIERS)),
    perSqmFloor: find('per_sqm', FLOOR_TIERS)[0],
  };
}

function envelope(first: Fence | undefined, second: Fence): Fence {
  if (first === undefined) return second;
  const high = first.high === null || second.high === null ? null : Math.max(first.high, second.high);
  return { ...first, low: Math.min(first.low, second.low), high };
}

/** Returns the first fence within `MAX_SPAN`, otherwise the narrowest. */
function firstMeaningful(fences: readonly Fence[]): Fence | undefined {
  return (
    fences.find((fence) => spanOf(fence) <= MAX_SPAN) ??
    fences.reduce<Fence | undefined>(
      (narrowest, fence) => (narrowest === undefined || spanOf(fence) < spanOf(narrowest) ? fence : narrowest),
      undefined,
    )
  );
}

const spanOf = ({ low, high }: Range): number => (high ?? Number.POSITIVE_INFINITY) / low;

/**
 * Without a price, only the caps apply. A range per square meter is checked first, and may confirm the total price.
 * Types priced by area are then checked only by it, because their total depends mainly on size.
 * @param bounds precomputed, because many ads share them
 * @returns null if plausible
 */
export function judgeWithin(ad: PlausibilityFacts, { fence, floor, perSqm, perSqmFloor }: Bounds): ViolatedRule | null {
  const cap = brokenCap(CAPS[ad.property_type as PropertyType], ad.bedrooms, ad.area_sqm);
  if (cap) return cap;
  if (ad.price === null) return null;
  const rate = perSqm === undefined || !ad.area_sqm ? null : ad.price / ad.area_sqm;
  if (perSqm !== undefined && rate !== null && !isWithin(rate, perSqm)) return perSqm;
  if (fence !== undefined && !isConfirmedByPricePerSqm(ad, perSqm) && !isWithin(ad.price, fence)) return fence;
  const [value, least] = rate !== null && isPricedByArea(ad.property_type) ? [rate, perSqmFloor] : [ad.price, floor];
  return least !== undefined && !isWithin(value, least) ? least : null;
}

/** Bits: 1 if plausible for its type, 2 for all types. */
export const flagsOf = (ad: PlausibilityFacts, bounds: Readonly<Record<Kind, Bounds>>): number =>
  KINDS.reduce((flags, kind, bit) => (judgeWithin(ad, bounds[kind]) === null ? flags | (1 << bit) : flags), 0);

/** Any total price above the floor is then plausible. */
export function isConfirmedByPricePerSqm(
  { price, area_sqm: area, property_type: type }: PlausibilityFacts,
  perSqm: Range | undefined,
): boolean {
  if (perSqm === undefined || price === null || !area) return false;
  return isWithin(price / area, isPricedByArea(type) ? perSqm : confirmedWithin(perSqm));
}

export const isWithin = (value: number, { low, high }: Range): boolean =>
  low <= value && (high === null || value <= high);

function confirmedWithin({ low, high }: Range): Range {
  if (high === null) return { low, high };
  const middle = Math.sqrt(low * high);
  const half = Math.exp(MIN_HALF_WIDTH_PER_SQM);
  return { low: Math.max(low, middle / half), high: Math.min(high, middle * half) };
}

/** Too low as a total, within the fence per square meter. */
export function isPricePerSqm(price: number, area: number, perSqm: Fence): boolean {
  return price / area < perSqm.low && price >= perSqm.low && perSqm.high !== null && price <= perSqm.high;
}
