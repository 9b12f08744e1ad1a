import { metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { PropertyType } from '#domain/listing-vocabulary.ts';
import { AMENITY_BITS } from '../normalize/features.ts';
import { slotsOf } from '../normalize/signature.ts';
import { areaStep, byHome, type SharedValue, shareValues } from './sharing.ts';

/** An ad; missing numbers are NaN. */
export interface Ad {
  id: number;
  source: string;
  type: string;
  /** 0 if not stated. */
  neighborhood: number;
  bedrooms: number;
  bathrooms: number;
  livings: number;
  age: number;
  floor: string | null;
  /** As stated in the text. */
  unit: string | null;
  area: number;
  /** Areas of the home and of the plot, as stated in the text. */
  textArea: number;
  plotArea: number;
  streetWidth: number;
  /** As `featuresOf` returns it. */
  features: number;
  price: number;
  /** Payments per year for a rent; 1 for other prices. */
  payments: number;
  previousPrice: number;
  lat: number;
  lng: number;
  advertiser: string | null;
  /** Whether the ad has the photos that its type needs. */
  servable: boolean;
  /** Id of the ad that represented this property in the last comparison. */
  leader: number;
  /** Keys, as in `photo_images`. */
  photos: readonly string[];
  /** By `textSignature`. */
  signature: string;
}

/** Types that sources confuse. */
const CONFUSABLE: readonly string[] = ['apartment', 'floor', 'villa', 'duplex', 'townhouse'] satisfies PropertyType[];
/** Types for which some ads state the area of the plot instead of the home. */
const WITH_PLOT: readonly string[] = ['floor', 'villa', 'duplex', 'townhouse'] satisfies PropertyType[];

/** Only ads of the same kind are compared. */
export const kindOf = (type: string): string => (CONFUSABLE.includes(type) ? 'home' : type);

export const KIND = `case when property_type in (${CONFUSABLE.map((type) => `'${type}'`).join(', ')}) then 'home' else property_type end`;

export interface ComparableAd extends Omit<Ad, 'photos' | 'signature' | 'features'> {
  /** Position in the set, which is sorted by home. */
  at: number;
  exactFloor: boolean;
  /** Whether the stated area may be that of the plot. */
  hasPlot: boolean;
  /** Meters per degree of longitude at the ad's latitude. */
  eastward: number;
  /** Homes of the type with the same area, to the meter, as a share of its ads. */
  areaShare: number;
  /** Homes of the type with the same price, to the riyal, as a share of its ads. */
  priceShare: number;
  /** Different homes of the type in the ad's cell of about 100 m. */
  crowd: number;
  /** Points subtracted per doubling of similar homes in a block beyond `TYPICAL_BLOCK`, or added below it. */
  blockPenalty: number;
  /** As `blockPenalty`, for similar homes in the whole set: for pairs without two neighborhoods or two points. */
  cityPenalty: number;
  amenities: number;
  facing: number;
  /** Different homes of the type in the neighborhood with the same amenities, such as units of a compound. */
  amenityHomes: number;
  amenityPoints: AmenityPoints;
  /** Shared photos, without common ones. */
  photos: readonly SharedValue[];
  /** Number of distinct photos, without common ones. */
  ownPhotos: number;
  commonPhotos: number;
  photoList: string;
  /** By signature position, the ads of the same type and of all types with the same value; null without a text. */
  words: readonly (SharedValue | undefined)[] | null;
  wordsOfAll: readonly (SharedValue | undefined)[] | null;
}

/** Typical number of homes with the same neighborhood, type and number of bedrooms. */
const TYPICAL_BLOCK = 24;
/** Maximum points that a pair gains in a small block, because further similar ads may not have been posted yet. */
const MAX_BLOCK_BONUS = 1.5;
/** Minimum number of ads to which shares of equal areas and prices are relative, for small sets. */
const MIN_SET_SIZE = 256;
const AMENITY_MASK = (1 << AMENITY_BITS) - 1;
const EXACT_FLOOR = /^(?:-?\d+|ground|basement|roof)$/;

export interface PhotoEvidence {
  /** Returns whether a photo is on too many ads in the city to be evidence. */
  isCommon?: (photo: number) => boolean;
  /** Returns null if the photo is not evidence. */
  photoOf?: (key: string) => number | null;
}

/**
 * Prepares the live ads with the same city, listing type and kind of property for comparison. Returns them sorted by
 * home.
 */
export function adSet(
  stated: readonly Ad[],
  { isCommon = () => false, photoOf = photoHash }: PhotoEvidence = {},
): ComparableAd[] {
  const ads = stated.toSorted(byHome);
  const ofType = Map.groupBy(ads, ({ type }) => type);
  const rooms = countHomes(ads, roomsOf);
  const blocks = countHomes(ads, blockOf);
  const places = countHomes(ads, placeOf);
  const compounds = countHomes(ads, compoundOf);
  const areas = countHomes(ads, areaOf);
  const prices = countHomes(ads, priceOf);
  const beyond = (count = 1): number => Math.max(-MAX_BLOCK_BONUS, Math.fround(Math.log2(count / TYPICAL_BLOCK)));
  const photoLists = ads.map(({ photos }) => photos.map(photoOf).filter((photo) => photo !== null));
  const [common, own] = [true, false].map((wanted) =>
    photoLists.map((list) => [...new Set(list)].filter((photo) => isCommon(photo) === wanted)),
  ) as [number[][], number[][]];
  const photos = shareValues(ads, own);
  const slots = ads.map(({ signature }) => slotsOf(signature));
  const types = [...ofType.keys()];
  const words = shareValues(
    ads,
    ads.map(({ type }, at) => (slots[at] as number[]).map((slot) => slot * types.length + types.indexOf(type))),
  );
  const wordsOfAll = types.length < 2 ? words : shareValues(ads, slots);
  const amenityPoints = weighAmenities(ads);
  return ads.map((ad, at): ComparableAd => {
    const size = Math.max(ofType.get(ad.type)?.length ?? 0, MIN_SET_SIZE);
    const hasText = ad.signature !== '';
    const cityPenalty = beyond(rooms.get(roomsOf(ad)));
    return {
      ...ad,
      at,
      exactFloor: ad.floor !== null && EXACT_FLOOR.test(ad.floor),
      hasPlot: WITH_PLOT.includes(ad.type),
      eastward: metersPerDegreeEast(ad.lat),
      areaShare: (areas.get(areaOf(ad)) ?? 0) / size,
      priceShare: (prices.get(priceOf(ad)) ?? 0) / size,
      crowd: places.get(placeOf(ad)) ?? 0,
      blockPenalty: ad.neighborhood === 0 ? cityPenalty : beyond(blocks.get(blockOf(ad))),
      cityPenalty,
      amenities: ad.features & AMENITY_MASK,
      facing: ad.features & ~AMENITY_MASK,
      amenityHomes: compounds.get(compoundOf(ad)) ?? 0,
      amenityPoints,
      photos: (photos[at] ?? []).filter((sharing) => sharing !== undefined),
      ownPhotos: own[at]?.length ?? 0,
      commonPhotos: common[at]?.length ?? 0,
      photoList: photoLists[at]?.join(' ') ?? '',
      words: hasText ? (words[at] ?? null) : null,
      wordsOfAll: hasText ? (wordsOfAll[at] ?? null) : null,
    };
  });
}

/**
 * Counts homes, not ads, so that many advertisers do not make a home appear common. Ads in the same area step and the
 * same 5% price step count as one home.
 */
function countHomes(ads: readonly Ad[], keyOf: (ad: Ad) => string): Map<string, number> {
  const homes = new Map<string, Set<string>>();
  for (const ad of ads) {
    const step = ad.price > 0 ? Math.max(1, Math.round(Math.log(ad.price) / 0.05)) : 0;
    const key = keyOf(ad);
    homes.set(key, (homes.get(key) ?? new Set()).add(`${areaStep(ad)} ${step}`));
  }
  return new Map(Array.from(homes, ([key, { size }]) => [key, size]));
}

const roomsOf = ({ bedrooms, type }: Ad): string => `${type} ${bedrooms}`;
const blockOf = (ad: Ad): string => `${ad.neighborhood} ${roomsOf(ad)}`;
const compoundOf = ({ neighborhood, type, features }: Ad): string =>
  `${neighborhood} ${type} ${features & AMENITY_MASK}`;
const placeOf = ({ lat, lng, type }: Ad): string => `${Math.round(lat * 1_000)} ${Math.round(lng * 1_000)} ${type}`;
const priceOf = ({ type, price }: Ad): string => `${type} ${price}`;
const areaOf = ({ area, type }: Ad): string => `${type} ${Math.round(area)}`;

/** Probability that an ad states an amenity that another ad for the home states. */
const STATED_AGAIN = 0.65;
/** Bounds for the share of ads with an amenity, so that a small set does not make one appear unique. */
const [LEAST_SHARE, MOST_SHARE] = [0.02, 0.9];
/** Ads that are assumed to have each amenity at `USUAL_SHARE`. */
const ASSUMED_ADS = 40;
const USUAL_SHARE = 0.25;

/** By amenity, the binary logarithms of the likelihood ratio if two ads share it, and if one states it. */
interface AmenityPoints {
  shared: readonly number[];
  alone: readonly number[];
}

function weighAmenities(ads: readonly Ad[]): AmenityPoints {
  const stating = ads.filter(({ features }) => (features & AMENITY_MASK) !== 0);
  const shares = Array.from({ length: AMENITY_BITS }, (_, bit) => {
    const count = ASSUMED_ADS * USUAL_SHARE + stating.filter(({ features }) => (features >> bit) & 1).length;
    return Math.min(MOST_SHARE, Math.max(LEAST_SHARE, count / (ASSUMED_ADS + stating.length)));
  });
  return {
    shared: shares.map((share) => Math.max(0, Math.log2(STATED_AGAIN / share))),
    alone: shares.map((share) => Math.min(0, Math.log2((1 - STATED_AGAIN) / (1 - share)))),
  };
}

/** More than enough for the 53 bits of the result. */
const KEY_READ = 24;

/** Returns a 53-bit number for a photo's key, which is already a hash. */
export function photoHash(key: string): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  const end = Math.min(key.length, KEY_READ);
  for (let at = 0; at < end; at++) {
    const code = key.charCodeAt(at);
    low = Math.imul(low ^ code, 0x9e3779b1);
    high = Math.imul(high ^ code, 0x5f356495);
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b);
  high = Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
