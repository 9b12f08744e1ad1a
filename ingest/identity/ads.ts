import { metersPerDegreeEast } from '#domain/geography/distance.ts';
import { PROPERTY_TYPES, type PropertyType } from '#domain/listings/vocabulary.ts';
import { doubled } from '../doubled.ts';
import { AMENITY_BITS } from '../normalize/features.ts';
import { SIGNATURE_SIZE, unpackSignature } from '../normalize/signature.ts';
import { areaStep, HomeOrder, numbers } from './home-order.ts';
import { SharedPhotos } from './photos.ts';
import { COMMON, countSlots, rarityOf } from './rarity.ts';

/** An ad as compared with other ads; missing numbers are NaN. */
export interface Ad {
  id: number;
  source: number;
  /** Index of the property type in `TYPES`. */
  type: number;
  /** Numeric id of the neighborhood; 0 if not stated. */
  neighborhood: number;
  bedrooms: number;
  bathrooms: number;
  livings: number;
  age: number;
  floor: string | null;
  /** Unit number within the building, as stated in the text. */
  unit: string | null;
  area: number;
  /** Areas of the home and of the plot, as stated in the text. */
  textArea: number;
  plotArea: number;
  streetWidth: number;
  /** Amenities and the side that the home faces, as bits (`featuresOf`); 0 if not stated. */
  features: number;
  price: number;
  /** Payments per year for a rent; 1 for other prices. */
  payments: number;
  previousPrice: number;
  lat: number;
  lng: number;
  advertiser: string | null;
  /** Whether the ad can be served: it has photos, or its property type needs none. */
  servable: boolean;
  /** Id of the ad that represented this property in the last comparison, possibly this ad's own id. */
  leader: number;
}

/** Property types that sources confuse, so that ads with different types may be for one property. */
const CONFUSABLE: readonly PropertyType[] = ['apartment', 'floor', 'villa', 'duplex', 'townhouse'];
const TYPES: readonly PropertyType[] = PROPERTY_TYPES;
/** Types for which some ads state the area of the plot instead of the home. */
const WITH_PLOT: ReadonlySet<number> = new Set(
  (['floor', 'villa', 'duplex', 'townhouse'] as const).map((type) => TYPES.indexOf(type)),
);

/** Returns the kind of property for a type. Only ads of the same kind are compared. */
export const kindOf = (type: string): string => (CONFUSABLE.includes(type as PropertyType) ? 'home' : type);

export const KIND = `case when property_type in (${CONFUSABLE.map((type) => `'${type}'`).join(', ')}) then 'home' else property_type end`;

export const typeNumber = (type: string): number => TYPES.indexOf(type as PropertyType);

/** Typical number of homes in a block: homes with the same neighborhood, type and number of bedrooms. */
const TYPICAL_BLOCK = 24;
/** Maximum points that a pair gains in a small block, because further similar ads may not have been posted yet. */
const MAX_BLOCK_BONUS = 1.5;
/** Minimum number of ads to which shares of equal areas and prices are relative, for small sets. */
const MIN_SET_SIZE = 256;

/** The live ads with the same city, listing type and kind of property, among which one property's ads are. */
export class AdSet {
  readonly ads: Ad[] = [];
  #signatures = new Uint16Array(SIGNATURE_SIZE * 256);
  readonly #hasText: boolean[] = [];
  readonly #isCommon: (photo: number) => boolean;
  readonly #photoOf: (key: string) => number | null;
  readonly #photos: (readonly number[])[] = [];
  readonly #commonPhotos: number[] = [];
  readonly #photoLists: number[] = [];
  #columns: Columns | null = null;
  /** Result object of `sharedText`, reused to avoid allocations for millions of pairs. */
  readonly #sharedText: SharedText = { equal: 0, few: 0, rare: 0 };

  /**
   * @param isCommon whether a photo is on too many ads in the city to be evidence
   * @param photoOf returns the photo's number for a key; null if the photo is not evidence
   */
  constructor(isCommon: (photo: number) => boolean = () => false, photoOf: (key: string) => number | null = photoHash) {
    this.#isCommon = isCommon;
    this.#photoOf = photoOf;
  }

  get size(): number {
    return this.ads.length;
  }

  // @param photos keys of the ad's photos
  add(ad: Ad, photos: readonly string[], signature: string): void {
    const offset = this.ads.length * SIGNATURE_SIZE;
    if (offset + SIGNATURE_SIZE > this.#signatures.length) this.#signatures = doubled(this.#signatures);
    this.#columns = null;
    this.#hasText.push(unpackSignature(signature, this.#signatures, offset));
    const own: number[] = [];
    const common = new Set<number>();
    let list = 0;
    for (const key of photos) {
      const photo = this.#photoOf(key);
      if (photo === null) continue;
      list = ((list === 0 ? 7 : list) * 31 + photo) % 0x1fffffffffff;
      if (own.includes(photo)) continue;
      if (this.#isCommon(photo)) common.add(photo);
      else own.push(photo);
    }
    this.#commonPhotos.push(common.size);
    this.#photos.push(own.length === 0 ? NO_PHOTOS : own);
    this.#photoLists.push(list);
    this.ads.push(ad);
  }

  /** The compared values of all ads, as one array per value, for fast access in millions of comparisons. */
  get columns(): Columns {
    this.#columns ??= columnsOf(this.ads, this.#photos, this.#signatures, this.#hasText);
    return this.#columns;
  }

  /** Returns how many of the ad's photos are on too many ads in the city to be evidence. */
  commonPhotos(ad: number): number {
    return this.#commonPhotos[ad] as number;
  }

  // Returns the number of the ad's photos, including common ones.
  photoCount(ad: number): number {
    return this.commonPhotos(ad) + (this.columns.photos.counts[ad] as number);
  }

  /** Returns whether two ads have the same photos in the same order, with at least one photo. */
  samePhotos(a: number, b: number): boolean {
    return this.#photoLists[a] !== 0 && this.#photoLists[a] === this.#photoLists[b];
  }

  /** Returns the overlap of two signatures, in an object that is reused; null if either ad has no text. */
  sharedText(a: number, b: number): Readonly<SharedText> | null {
    if (!this.#hasText[a] || !this.#hasText[b]) return null;
    const { slotCounts, slotCountsOfAll, type } = this.columns;
    const counts = type[a] === type[b] ? slotCounts : slotCountsOfAll;
    let equal = 0;
    let few = 0;
    let rare = 0;
    const left = a * SIGNATURE_SIZE;
    const right = b * SIGNATURE_SIZE;
    for (let place = 0; place < SIGNATURE_SIZE; place++) {
      if (this.#signatures[left + place] !== this.#signatures[right + place]) continue;
      const homes = counts[left + place] as number;
      equal++;
      if (homes <= FEW_HOMES) few++;
      rare += RARITIES[homes] as number;
    }
    const shared = this.#sharedText;
    shared.equal = equal;
    shared.few = few;
    shared.rare = rare;
    return shared;
  }

  get signatures(): Uint16Array {
    return this.#signatures;
  }
}

/** Overlap of two signatures: equal positions, those of up to `FEW_HOMES` homes, and the sum of rarity weights. */
export interface SharedText {
  equal: number;
  few: number;
  rare: number;
}

/** The bits of `features` for amenities. */
export const AMENITY_MASK = (1 << AMENITY_BITS) - 1;

/** Maximum number of homes that share a value for the value to yield candidates. */
export const FEW_HOMES = 8;
const NO_PHOTOS: readonly number[] = [];
const RARITIES = Float64Array.from({ length: COMMON + 1 }, (_, count) => rarityOf(Math.max(1, count)));

/** Ad fields that are compared without conversion. */
const NUMBERS = [
  ...(['area', 'textArea', 'plotArea', 'streetWidth', 'price', 'previousPrice', 'payments', 'leader'] as const),
  ...(['bedrooms', 'bathrooms', 'livings', 'age', 'lat', 'lng'] as const),
] as const satisfies (keyof Ad)[];

export interface Columns extends Readonly<Record<(typeof NUMBERS)[number], Float64Array>> {
  /** 1 for ads whose stated area may be that of the plot. */
  hasPlot: Uint8Array;
  /** Number of homes of the same type with the same area, to the meter, as a share of the ads of the type. */
  areaShare: Float32Array;
  /** Number of homes of the same type with the same price, to the riyal, as a share of the ads of the type. */
  priceShare: Float32Array;
  /** Numeric ids for floors, units and advertisers; 0 if not stated. */
  floor: Int32Array;
  exactFloor: Uint8Array;
  unit: Int32Array;
  advertiser: Int32Array;
  source: Int32Array;
  type: Uint8Array;
  neighborhood: Int32Array;
  /** Meters per degree of longitude at the ad's latitude. */
  eastward: Float64Array;
  /** Number of different homes of the same type in the ad's cell of about 100 m; 0 if the ad has no point. */
  crowd: Int32Array;
  /** Points subtracted per doubling of similar homes in a block beyond `TYPICAL_BLOCK`, or added below it. */
  blockPenalty: Float32Array;
  /** As `blockPenalty`, for similar homes in the whole set: for pairs without two neighborhoods or two points. */
  cityPenalty: Float32Array;
  features: Int32Array;
  /** Number of different homes of the type in the neighborhood with the same amenities, such as units of a compound. */
  amenityHomes: Int32Array;
  /** By amenity, the points for a pair that shares it, and for a pair of which one ad states it. */
  amenityShared: Float64Array;
  amenityAlone: Float64Array;
  /** Indexes of ads in the order of `HomeOrder`, for all ads and by type. */
  byHome: Int32Array;
  byType: ReadonlyMap<number, readonly number[]>;
  /** By signature position, the homes with the same value among ads of the type, and among all ads (`countSlots`). */
  slotCounts: Uint8Array;
  slotCountsOfAll: Uint8Array;
  photos: SharedPhotos;
}

function columnsOf(
  ads: readonly Ad[],
  photos: readonly (readonly number[])[],
  signatures: Uint16Array,
  hasText: readonly boolean[],
): Columns {
  const homes = new HomeOrder(ads);
  const byHome = homes.order;
  // Several ads for one home count once, so that many advertisers do not make a home appear common.
  const rooms = countHomes(ads, roomsOf);
  const blocks = countHomes(ads, blockOf);
  const places = countHomes(
    ads.filter(({ lat }) => !Number.isNaN(lat)),
    placeOf,
  );
  const amenities = countHomes(ads, amenitiesOf);
  const areas = countHomes(ads, areaOf);
  const prices = countHomes(ads, exactPriceOf);
  const byType = Map.groupBy(byHome, (at) => (ads[at] as Ad).type);
  const slotCountsOfAll = countSlots(signatures, hasText, homes, [byHome]);
  const beyond = (count: number | undefined): number =>
    Math.max(-MAX_BLOCK_BONUS, Math.log2((count ?? 1) / TYPICAL_BLOCK));
  const { length } = ads;
  // A loop, because `Float64Array.from` uses an iterator and is slower.
  const into = <Array extends Float64Array | Float32Array | Int32Array | Uint8Array>(
    column: Array,
    read: (ad: Ad) => number,
  ): Array => {
    for (let at = 0; at < length; at++) column[at] = read(ads[at] as Ad);
    return column;
  };
  const floats = (read: (ad: Ad) => number): Float64Array => into(new Float64Array(length), read);
  const shares = (read: (ad: Ad) => number): Float32Array => into(new Float32Array(length), read);
  const integers = (read: (ad: Ad) => number): Int32Array => into(new Int32Array(length), read);
  const unconverted = Object.fromEntries(NUMBERS.map((name) => [name, floats((ad) => ad[name])]));
  return {
    ...(unconverted as Record<(typeof NUMBERS)[number], Float64Array>),
    hasPlot: into(new Uint8Array(length), ({ type }) => (WITH_PLOT.has(type) ? 1 : 0)),
    areaShare: shares((ad) => (areas.get(areaOf(ad)) ?? 0) / Math.max(byType.get(ad.type)?.length ?? 0, MIN_SET_SIZE)),
    priceShare: shares(
      (ad) => (prices.get(exactPriceOf(ad)) ?? 0) / Math.max(byType.get(ad.type)?.length ?? 0, MIN_SET_SIZE),
    ),
    floor: numbers(ads.map(({ floor }) => floor)),
    exactFloor: into(new Uint8Array(length), ({ floor }) => (floor !== null && isExactFloor(floor) ? 1 : 0)),
    unit: numbers(ads.map(({ unit }) => unit)),
    advertiser: numbers(ads.map(({ advertiser }) => advertiser)),
    source: integers(({ source }) => source),
    type: into(new Uint8Array(length), ({ type }) => type),
    neighborhood: integers(({ neighborhood }) => neighborhood),
    eastward: floats(({ lat }) => metersPerDegreeEast(lat)),
    crowd: integers((ad) => places.get(placeOf(ad)) ?? 0),
    blockPenalty: shares((ad) => beyond((ad.neighborhood === 0 ? rooms : blocks).get(blockOf(ad)))),
    cityPenalty: shares((ad) => beyond(rooms.get(roomsOf(ad)))),
    features: integers(({ features }) => features),
    amenityHomes: integers((ad) => amenities.get(amenitiesOf(ad)) ?? 0),
    ...weighAmenities(ads),
    byType,
    slotCounts:
      byType.size < 2 ? slotCountsOfAll : countSlots(signatures, hasText, homes, byType.values(), slotCountsOfAll),
    slotCountsOfAll,
    byHome,
    photos: new SharedPhotos(photos, homes),
  };
}

/** Probability that an ad states an amenity that another ad for the home states. */
const STATED_AGAIN = 0.65;
/** Bounds for the share of ads with an amenity, so that a small set does not make one appear unique. */
const [LEAST_SHARE, MOST_SHARE] = [0.02, 0.9];
/** Number of ads that are assumed to have each amenity at `USUAL_SHARE`, in addition to those of the set. */
const ASSUMED_ADS = 40;
const USUAL_SHARE = 0.25;

/** Returns for each amenity the binary logarithms of the likelihood ratio if two ads share it, and if one states it. */
function weighAmenities(ads: readonly Ad[]): Pick<Columns, 'amenityShared' | 'amenityAlone'> {
  const counts = new Float64Array(AMENITY_BITS).fill(ASSUMED_ADS * USUAL_SHARE);
  let stating = ASSUMED_ADS;
  for (const { features } of ads) {
    if ((features & AMENITY_MASK) === 0) continue;
    stating++;
    for (let bit = 0; bit < AMENITY_BITS; bit++) if ((features >> bit) & 1) counts[bit] = (counts[bit] as number) + 1;
  }
  const shares = counts.map((count) => Math.min(MOST_SHARE, Math.max(LEAST_SHARE, count / stating)));
  return {
    amenityShared: shares.map((share) => Math.max(0, Math.log2(STATED_AGAIN / share))),
    amenityAlone: shares.map((share) => Math.min(0, Math.log2((1 - STATED_AGAIN) / (1 - share)))),
  };
}

/** Counts the distinct homes in each group. Ads in the same area step and the same 5% price step count as one home. */
function countHomes(ads: readonly Ad[], key: (ad: Ad) => number): Map<number, number> {
  const counts = new Map<number, number>();
  const groups = new Map<number, number>();
  const seen = new Set<number>();
  for (const ad of ads) {
    const of = key(ad);
    const group = groups.get(of) ?? groups.size;
    groups.set(of, group);
    const home = group * HOMES + Math.min(areaStep(ad), AREAS - 1) * PRICES + priceOf(ad);
    if (seen.has(home)) continue;
    seen.add(home);
    counts.set(of, (counts.get(of) ?? 0) + 1);
  }
  return counts;
}

const PRICES = 512;
const AREAS = 1_024;
const HOMES = AREAS * PRICES;
const priceOf = ({ price }: Ad): number =>
  price > 0 ? Math.min(PRICES - 1, Math.max(1, Math.round(Math.log(price) / 0.05))) : 0;

/** Upper limit for type indexes. */
export const MAX_TYPES = 32;

const roomsOf = ({ bedrooms, type }: Ad): number =>
  (Number.isNaN(bedrooms) ? 999 : Math.min(bedrooms, 998)) * MAX_TYPES + type;

/** Returns the key of the ad's block: neighborhood, type and number of bedrooms. */
const blockOf = (ad: Ad): number => ad.neighborhood * 1_000 * MAX_TYPES + roomsOf(ad);

const amenitiesOf = ({ neighborhood, type, features }: Ad): number =>
  (neighborhood * MAX_TYPES + type) * (AMENITY_MASK + 1) + (features & AMENITY_MASK);

const placeOf = ({ lat, lng, type }: Ad): number =>
  (Math.round(lat * 1_000) * 1_000_000 + Math.round(lng * 1_000)) * MAX_TYPES + type;

const exactPriceOf = ({ type, price }: Ad): number => price * MAX_TYPES + type;
const areaOf = ({ area, type }: Ad): number => Math.round(area) * MAX_TYPES + type;

/** Returns whether a text states exactly one floor. */
function isExactFloor(floor: string): boolean {
  return EXACT_FLOOR.test(floor);
}

const EXACT_FLOOR = /^(?:-?\d+|ground|basement|roof)$/;

/** Number of hexadecimal characters that are read from a key: more than enough for the 53 bits of the result. */
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
