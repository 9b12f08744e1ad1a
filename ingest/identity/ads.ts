import { metersPerDegreeEast } from '#domain/geography/distance.ts';
import { PROPERTY_TYPES, type PropertyType } from '#domain/listings/vocabulary.ts';
import { doubled } from '../doubled.ts';
import { SIGNATURE_SIZE, unpackSignature } from '../normalize/signature.ts';
import { areaStep, HomeOrder, numbers } from './home-order.ts';
import { SharedPhotos } from './photos.ts';
import { COMMON, countSlots, rarityOf } from './rarity.ts';

/** An ad for comparison; NaN for a missing number. */
export interface Ad {
  id: number;
  /** Index of the ad's source. */
  source: number;
  /** Index of the property type in `TYPES`. */
  type: number;
  /** 0 if not stated. */
  neighborhood: number;
  bedrooms: number;
  bathrooms: number;
  livings: number;
  age: number;
  floor: string | null;
  /** Number of the unit in its building, as stated in the text. */
  unit: string | null;
  area: number;
  /** Areas of the home and of the plot, as stated in the text. */
  textArea: number;
  plotArea: number;
  streetWidth: number;
  price: number;
  /** Payments per year of a posted rent; 1 for other prices. */
  payments: number;
  /** The previous price. */
  previousPrice: number;
  lat: number;
  lng: number;
  advertiser: string | null;
  /** Whether the ad can be served: it has photos, or its property type needs none. */
  servable: boolean;
  /** The id of the ad that represented its property at the last comparison, possibly its own. */
  leader: number;
}

/** Property types that sources confuse: their ads may be of one property. */
const CONFUSABLE: readonly PropertyType[] = ['apartment', 'floor', 'villa', 'duplex', 'townhouse'];
const TYPES: readonly PropertyType[] = PROPERTY_TYPES;
/** Types for which some ads state the area of the plot. */
const WITH_PLOT: ReadonlySet<number> = new Set(
  (['floor', 'villa', 'duplex', 'townhouse'] as const).map((type) => TYPES.indexOf(type)),
);

/** Returns the kind of property within which ads of a type are compared. */
export const kindOf = (type: string): string => (CONFUSABLE.includes(type as PropertyType) ? 'home' : type);

/** SQL expression for `kindOf(property_type)`. */
export const KIND = `case when property_type in (${CONFUSABLE.map((type) => `'${type}'`).join(', ')}) then 'home' else property_type end`;

export const typeNumber = (type: string): number => TYPES.indexOf(type as PropertyType);

/** Typical number of ads in a block: the ads of one neighborhood, type and number of bedrooms. */
const TYPICAL_BLOCK = 24;
/** Maximum points that a pair gains in a small block. Not all similar ads may have been posted yet. */
const MAX_BLOCK_BONUS = 1.5;
/** Minimum number of ads that shares of a set are computed from. */
const MIN_SET_SIZE = 256;

/**
 * The live ads of one city, listing type and kind of property: ads of one property are always in one set. Typical values are
 * those of the property type.
 */
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
  /** Result object of `sharedText`, reused for millions of pairs. */
  readonly #sharedText: SharedText = { equal: 0, few: 0, rare: 0 };

  /**
   * @param isCommon whether a photo is on too many ads of the city to be evidence
   * @param photoOf the number of a key's photo; null if it is not evidence
   */
  constructor(isCommon: (photo: number) => boolean = () => false, photoOf: (key: string) => number | null = photoHash) {
    this.#isCommon = isCommon;
    this.#photoOf = photoOf;
  }

  get size(): number {
    return this.ads.length;
  }

  /** @param photos keys of the ad's photos */
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

  /** The compared values of all ads as arrays by value, which are read for millions of pairs. */
  get columns(): Columns {
    this.#columns ??= columnsOf(this.ads, this.#photos, this.#signatures, this.#hasText);
    return this.#columns;
  }

  /** Number of photos of an ad that are on too many ads of the city to be evidence. */
  commonPhotos(ad: number): number {
    return this.#commonPhotos[ad] as number;
  }

  /** Number of photos of an ad, including common ones. */
  photoCount(ad: number): number {
    return this.commonPhotos(ad) + (this.columns.photos.counts[ad] as number);
  }

  /** Returns whether two ads have the same photos in the same order, and at least one. */
  samePhotos(a: number, b: number): boolean {
    return this.#photoLists[a] !== 0 && this.#photoLists[a] === this.#photoLists[b];
  }

  /** Returns the overlap of two signatures, in one object reused for all pairs. Null if one ad has no text. */
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

/** Number of equal positions of two signatures, the number of them that few homes have, and their sum weighted by rarity. */
export interface SharedText {
  equal: number;
  few: number;
  rare: number;
}

/** Maximum number of homes with a common value for finding candidates. */
export const FEW_HOMES = 8;
const NO_PHOTOS: readonly number[] = [];
const RARITIES = Float64Array.from({ length: COMMON + 1 }, (_, count) => rarityOf(Math.max(1, count)));

/** Values of ads that are compared without conversion. */
const NUMBERS = [
  ...(['area', 'textArea', 'plotArea', 'streetWidth', 'price', 'previousPrice', 'payments', 'leader'] as const),
  ...(['bedrooms', 'bathrooms', 'livings', 'age', 'lat', 'lng'] as const),
] as const satisfies (keyof Ad)[];

export interface Columns extends Readonly<Record<(typeof NUMBERS)[number], Float64Array>> {
  /** 1 for ads whose area may be that of the plot. */
  hasPlot: Uint8Array;
  /** Share of the ads of its type with this area, to the meter. */
  areaShare: Float32Array;
  /** Share of the ads of its type with this price, to the riyal. */
  priceShare: Float32Array;
  /** Floors, units and advertisers as numbers, 0 for none. */
  floor: Int32Array;
  exactFloor: Uint8Array;
  unit: Int32Array;
  advertiser: Int32Array;
  source: Int32Array;
  type: Uint8Array;
  neighborhood: Int32Array;
  /** Meters per degree of longitude. */
  eastward: Float64Array;
  /** Number of ads at about the same location, including this one. */
  crowd: Int32Array;
  /**
   * Points that a pair loses for many similar ads, or gains for few: the more ads of one neighborhood and number of
   * bedrooms, the more are similar by chance. One point per doubling beyond `TYPICAL_BLOCK`.
   */
  blockPenalty: Float32Array;
  /** The same penalty over the whole set, for pairs without evidence that they are close to each other. */
  cityPenalty: Float32Array;
  /** Ads in the order of `HomeOrder`, and the ads of each type. */
  byHome: Int32Array;
  byType: ReadonlyMap<number, readonly number[]>;
  /**
   * For each position of the signatures, the number of ads of the same type with its value, and of all ads: see
   * `countSlots`.
   */
  slotCounts: Uint8Array;
  slotCountsOfAll: Uint8Array;
  /** Photos that are not common. */
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
  // Several ads of one home count once: a home with many advertisers is not more common.
  const rooms = countHomes(ads, roomsOf);
  const blocks = countHomes(ads, blockOf);
  const places = countHomes(
    ads.filter(({ lat }) => !Number.isNaN(lat)),
    placeOf,
  );
  const areas = countHomes(ads, areaOf);
  const prices = countHomes(ads, exactPriceOf);
  const byType = Map.groupBy(byHome, (at) => (ads[at] as Ad).type);
  const slotCountsOfAll = countSlots(signatures, hasText, homes, [byHome]);
  const beyond = (count: number | undefined): number =>
    Math.max(-MAX_BLOCK_BONUS, Math.log2((count ?? 1) / TYPICAL_BLOCK));
  const { length } = ads;
  // A loop, because `Float64Array.from` uses an iterator, which is slower.
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
    byType,
    slotCounts:
      byType.size < 2 ? slotCountsOfAll : countSlots(signatures, hasText, homes, byType.values(), slotCountsOfAll),
    slotCountsOfAll,
    byHome,
    photos: new SharedPhotos(photos, homes),
  };
}

/** Counts the homes of each group that differ in area or, beyond usual negotiation, in price. */
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
/** Price in steps of 5%, 0 if missing. */
const priceOf = ({ price }: Ad): number =>
  price > 0 ? Math.min(PRICES - 1, Math.max(1, Math.round(Math.log(price) / 0.05))) : 0;

/** Upper limit of type indexes. */
export const MAX_TYPES = 32;

/** Groups ads of a type by bedrooms. Ads without bedrooms form their own group. */
const roomsOf = ({ bedrooms, type }: Ad): number =>
  (Number.isNaN(bedrooms) ? 999 : Math.min(bedrooms, 998)) * MAX_TYPES + type;

/** A block contains the ads of one neighborhood, type and number of bedrooms. */
const blockOf = (ad: Ad): number => ad.neighborhood * 1_000 * MAX_TYPES + roomsOf(ad);

/** Groups ads of a type by location, in cells of about 100 m. */
const placeOf = ({ lat, lng, type }: Ad): number =>
  (Math.round(lat * 1_000) * 1_000_000 + Math.round(lng * 1_000)) * MAX_TYPES + type;

const exactPriceOf = ({ type, price }: Ad): number => price * MAX_TYPES + type;
const areaOf = ({ area, type }: Ad): number => Math.round(area) * MAX_TYPES + type;

/** Returns whether a text states exactly one floor. */
function isExactFloor(floor: string): boolean {
  return EXACT_FLOOR.test(floor);
}

const EXACT_FLOOR = /^(?:-?\d+|ground|basement|roof)$/;

/** Number of hexadecimal characters read of a key: more than the 53 bits of the result. */
const KEY_READ = 24;

/** Returns a number of 53 bits for the key of a photo, which is itself a hash. */
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
