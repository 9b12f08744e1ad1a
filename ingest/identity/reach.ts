import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { Ad, AdSet } from './ads.ts';
import {
  agePoints,
  areaPoints,
  bedroomPoints,
  equality,
  isExactFloor,
  metresPoints,
  neighborhoodPoints,
  pricePoints,
  SAME_PROPERTY,
  sourcePoints,
  textPoints,
} from './score.ts';

/** The most that each part of the score gives. */
const MOST = {
  distance: 3,
  text: 5,
  photos: 5,
  /** Advertiser, bathrooms, living rooms, neighborhood and floor together. */
  details: 1.5 + 1 + 0.5 + 0.5 + 1.5,
};
const MAX_OF_ROOMS_AND_AGE = 0.5 + 1;
/** Sums are not made in the order of `similarity`: what rounding may make of that is left to it. */
const LEAST = SAME_PROPERTY - 1e-6;
/** Distances are taken a little short: the meters in a degree of longitude are those at one of the two ads. */
const SHORT = 0.999;

/**
 * Tells pairs that cannot be of one property: nearly all of those that lie near each other or are alike in size. It adds
 * up what is cheap to compare and the most that the rest can give. What is asked for millions of times lies in arrays.
 */
export class Reach {
  readonly #set: AdSet;
  readonly #area: Float64Array;
  readonly #price: Float64Array;
  readonly #crowding: Float32Array;
  readonly #bedrooms: Float64Array;
  readonly #bathrooms: Float64Array;
  readonly #livings: Float64Array;
  readonly #age: Float64Array;
  /** Numbers for floors and advertisers, 0 for none. */
  readonly #floor: Int32Array;
  readonly #hasExactFloor: Uint8Array;
  readonly #advertiser: Int32Array;
  readonly #source: Int32Array;
  readonly #neighborhood: Int32Array;
  readonly #hasPhotos: Uint8Array;
  /** Metres north and degrees east; metres in a degree east. */
  readonly #north: Float64Array;
  readonly #lng: Float64Array;
  readonly #eastward: Float64Array;

  constructor(set: AdSet) {
    const { ads } = set;
    this.#set = set;
    this.#area = Float64Array.from(ads, (ad) => ad.area);
    this.#price = Float64Array.from(ads, (ad) => ad.price);
    this.#crowding = Float32Array.from(ads, (_, index) => set.crowding(index, index));
    this.#bedrooms = Float64Array.from(ads, (ad) => ad.bedrooms);
    this.#bathrooms = Float64Array.from(ads, (ad) => ad.bathrooms);
    this.#livings = Float64Array.from(ads, (ad) => ad.livings);
    this.#age = Float64Array.from(ads, (ad) => ad.age);
    this.#floor = numbered(ads, (ad) => ad.floor);
    this.#hasExactFloor = Uint8Array.from(ads, ({ floor }) => (floor !== null && isExactFloor(floor) ? 1 : 0));
    this.#advertiser = numbered(ads, (ad) => ad.advertiser);
    this.#source = Int32Array.from(ads, (ad) => ad.source);
    this.#neighborhood = Int32Array.from(ads, (ad) => ad.neighborhood);
    this.#hasPhotos = Uint8Array.from(ads, (ad) => (ad.photos.length > 0 ? 1 : 0));
    this.#north = Float64Array.from(ads, (ad) => ad.lat * METERS_PER_DEGREE);
    this.#lng = Float64Array.from(ads, (ad) => ad.lng);
    this.#eastward = Float64Array.from(ads, (ad) => metersPerDegreeEast(ad.lat));
  }

  /** Whether `similarity` of two ads may come to `SAME_PROPERTY`. False is certain. */
  reaches(i: number, j: number): boolean {
    const photos = this.#hasPhotos[i] === 1 && this.#hasPhotos[j] === 1 ? MOST.photos : 0;
    let score =
      areaPoints(this.#area[i] as number, this.#area[j] as number) +
      pricePoints(this.#price[i] as number, this.#price[j] as number) -
      Math.max(this.#crowding[i] as number, this.#crowding[j] as number) +
      photos;
    const open = MOST.details + MOST.text;
    if (score + MAX_OF_ROOMS_AND_AGE + MOST.distance + open < LEAST) return false;
    score += bedroomPoints(this.#bedrooms[i] as number, this.#bedrooms[j] as number);
    score += agePoints(this.#age[i] as number, this.#age[j] as number);
    if (score + MOST.distance + open < LEAST) return false;
    score += this.#mostOfDistance(i, j);
    if (score + open < LEAST) return false;
    score += this.#details(i, j);
    if (score + MOST.text < LEAST) return false;
    return score + textPoints(this.#set.textSimilarity(i, j)) >= LEAST;
  }

  #mostOfDistance(i: number, j: number): number {
    const north = (this.#north[i] as number) - (this.#north[j] as number);
    const east = ((this.#lng[i] as number) - (this.#lng[j] as number)) * (this.#eastward[i] as number);
    const metres = Math.sqrt(north * north + east * east) * SHORT;
    // Of an unknown distance, which is not a number, nothing is known.
    return Number.isNaN(metres) ? MOST.distance : metresPoints(metres);
  }

  #details(i: number, j: number): number {
    let score = equality(this.#bathrooms[i] as number, this.#bathrooms[j] as number, 1, -3);
    score += equality(this.#livings[i] as number, this.#livings[j] as number, 0.5, -2);
    const sameAdvertiser = this.#advertiser[i] !== 0 && this.#advertiser[i] === this.#advertiser[j];
    score += sourcePoints(this.#source[i] === this.#source[j], sameAdvertiser);
    score += neighborhoodPoints(this.#neighborhood[i] as number, this.#neighborhood[j] as number);
    if (this.#floor[i] !== 0 && this.#floor[i] === this.#floor[j]) score += 1.5;
    else if (this.#hasExactFloor[i] === 1 && this.#hasExactFloor[j] === 1) score -= 8;
    return score;
  }
}

/** Equal texts as equal numbers, 0 for none. */
function numbered(ads: readonly Ad[], read: (ad: Ad) => string | null): Int32Array {
  const numbers = new Map<string | null, number>([[null, 0]]);
  return Int32Array.from(ads, (ad) => {
    const text = read(ad);
    let number = numbers.get(text);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(text, number);
    }
    return number;
  });
}
