import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import type { Ad, AdSet } from './ads.ts';
import {
  agePoints,
  areaPoints,
  bedroomPoints,
  distancePoints,
  equality,
  isExactFloor,
  neighborhoodPoints,
  pricePoints,
  SAME_PROPERTY,
  sourcePoints,
  textPoints,
} from './score.ts';

/** The most points that each part of the score gives. */
const MAX = {
  distance: 3,
  text: 5,
  photos: 5,
  /** Advertiser, bathrooms, living rooms, neighborhood and floor together. */
  details: 1.5 + 1 + 0.5 + 0.5 + 1.5,
  bedroomsAndAge: 0.5 + 1,
};
/** A little lower, because points are added in another order than `similarity` adds them, and rounded differently. */
const MIN_SCORE = SAME_PROPERTY - 1e-6;
/** Distances are shortened a little, because the meters in a degree of longitude are those at one of the two ads. */
const SHORTENED = 0.999;

/**
 * An upper bound of `similarity`, which rules out nearly all candidate pairs at little cost: what is cheap to compare
 * counts as it is, the rest with the most it can give. It runs for millions of pairs, so its values lie in arrays.
 */
export class ScoreBound {
  readonly #set: AdSet;
  readonly #area: Float64Array;
  readonly #price: Float64Array;
  readonly #blockPenalty: Float32Array;
  readonly #bedrooms: Float64Array;
  readonly #bathrooms: Float64Array;
  readonly #livings: Float64Array;
  readonly #age: Float64Array;
  /** Floors and advertisers as numbers, 0 for none. */
  readonly #floor: Int32Array;
  readonly #hasExactFloor: Uint8Array;
  readonly #advertiser: Int32Array;
  readonly #source: Int32Array;
  readonly #neighborhood: Int32Array;
  readonly #hasPhotos: Uint8Array;
  /** Meters north, degrees east, and meters in a degree east. */
  readonly #north: Float64Array;
  readonly #lng: Float64Array;
  readonly #eastward: Float64Array;

  constructor(set: AdSet) {
    const { ads } = set;
    this.#set = set;
    this.#area = Float64Array.from(ads, (ad) => ad.area);
    this.#price = Float64Array.from(ads, (ad) => ad.price);
    this.#blockPenalty = Float32Array.from(ads, (_, index) => set.blockPenalty(index, index));
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

  /** Whether the similarity of two ads may be `SAME_PROPERTY` or more. False is certain. */
  allows(i: number, j: number): boolean {
    const photos = this.#hasPhotos[i] === 1 && this.#hasPhotos[j] === 1 ? MAX.photos : 0;
    let score =
      areaPoints(this.#area[i] as number, this.#area[j] as number) +
      pricePoints(this.#price[i] as number, this.#price[j] as number) -
      Math.max(this.#blockPenalty[i] as number, this.#blockPenalty[j] as number) +
      photos;
    const unknown = MAX.details + MAX.text;
    if (score + MAX.bedroomsAndAge + MAX.distance + unknown < MIN_SCORE) return false;
    score += bedroomPoints(this.#bedrooms[i] as number, this.#bedrooms[j] as number);
    score += agePoints(this.#age[i] as number, this.#age[j] as number);
    if (score + MAX.distance + unknown < MIN_SCORE) return false;
    score += this.#maxDistancePoints(i, j);
    if (score + unknown < MIN_SCORE) return false;
    score += this.#details(i, j);
    if (score + MAX.text < MIN_SCORE) return false;
    return score + textPoints(this.#set.textSimilarity(i, j)) >= MIN_SCORE;
  }

  #maxDistancePoints(i: number, j: number): number {
    const north = (this.#north[i] as number) - (this.#north[j] as number);
    const east = ((this.#lng[i] as number) - (this.#lng[j] as number)) * (this.#eastward[i] as number);
    const meters = Math.sqrt(north * north + east * east) * SHORTENED;
    // NaN where a location is missing.
    return Number.isNaN(meters) ? MAX.distance : distancePoints(meters);
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
