import { flatMeters } from '#domain/geography/distance.ts';
import type { Ad, AdSet } from './ads.ts';

/** Two ads with at least this score are taken to be of one property. */
export const SAME_PROPERTY = 6;
/** Two ads with a lower score are never joined, whatever other ads say. */
export const DIFFERENT_PROPERTY = -2;

/**
 * How much speaks for two ads of one city, listing type and property type being of one property. Each comparison adds or
 * takes points, roughly the binary logarithm of how much likelier its outcome is between two ads of one property than
 * between two properties of one neighborhood. A comparison with what is not stated adds nothing. Pure and symmetric.
 *
 * | compared | for | against |
 * |---|---|---|
 * | area | equal 3, within 2.5 m² or 1% 2 | 3% -2, more -8, a digit too many -3 |
 * | price | equal 3, within 1% 2.5, 3% 2 | 10% -0.5, 20% -2.5, more -6, a digit too many -3 |
 * | distance | 50 m 3, 130 m 2 | 250 m -2, 600 m -4, more -8 |
 * | bathrooms, living rooms | equal 1, 0.5 | different -3, -2 |
 * | age | equal 1 | a year -1.5, four -3, more -5 |
 * | block | | each doubling beyond the typical number of ads -1 |
 * | bedrooms, floor | equal 0.5, 1.5 | different: another flat of the building -8, -30 |
 * | words | from a fifth in common, up to 5 | nearly none -0.5 |
 * | advertiser | the same on two sources 1.5 | the same on one source, so two units -5, and -30 unless text and photos are repeated whole |
 * | photos | one in common 3, half of them 5 | none -1 |
 * | source | | the same, which lists a property once -3 |
 */
export function similarity(set: AdSet, i: number, j: number): number {
  const a = set.ads[i] as Ad;
  const b = set.ads[j] as Ad;
  if (areTwoUnits(set, i, j)) return TWO_UNITS;
  let score = areaPoints(a.area, b.area) + pricePoints(a.price, b.price) - set.blockPenalty(i, j);
  if (score < -12) return score;
  score += locationPoints(a, b);
  score += neighborhoodPoints(a.neighborhood, b.neighborhood);
  score += bedroomPoints(a.bedrooms, b.bedrooms);
  score += equality(a.bathrooms, b.bathrooms, 1, -3);
  score += equality(a.livings, b.livings, 0.5, -2);
  score += agePoints(a.age, b.age);
  score += floorPoints(a.floor, b.floor);
  score += sourcePoints(a.source === b.source, a.advertiser !== null && a.advertiser === b.advertiser);
  score += textPoints(set.textSimilarity(i, j));
  return score + photoPoints(a.photos, b.photos);
}

/** The score of two ads that say themselves that they are of two units. */
const TWO_UNITS = -30;

/**
 * Whether two ads name different floors; or are listed at the same time, under two ids, by one advertiser of one source,
 * who lists a property once. An ad that was posted again beside its old self repeats that whole.
 */
function areTwoUnits(set: AdSet, i: number, j: number): boolean {
  const a = set.ads[i] as Ad;
  const b = set.ads[j] as Ad;
  if (a.floor !== b.floor && a.floor !== null && b.floor !== null && isExactFloor(a.floor) && isExactFloor(b.floor))
    return true;
  if (a.source !== b.source || a.advertiser === null || a.advertiser !== b.advertiser) return false;
  const isRepeat = a.photos.length > 0 && a.photos.join(' ') === b.photos.join(' ') && set.textSimilarity(i, j) === 1;
  return !isRepeat;
}

export function areaPoints(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const meters = Math.abs(a - b);
  if (meters < 0.5) return 3;
  const apart = meters / Math.max(a, b);
  // Advertisers round: a couple of meters say little, whatever the size.
  if (meters <= 2.5 || apart <= 0.01) return 2;
  return apart <= 0.03 ? -2 : apart < EXTRA_DIGIT ? -8 : -3;
}

export function pricePoints(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  if (a === b) return 3;
  const apart = Math.abs(a - b) / Math.max(a, b);
  if (apart <= 0.03) return apart <= 0.01 ? 2.5 : 2;
  return apart <= 0.1 ? -0.5 : apart <= 0.2 ? -2.5 : apart < EXTRA_DIGIT ? -6 : -3;
}

/** Numbers this far apart, as a share of the larger, differ by a digit too many rather than by the home. */
const EXTRA_DIGIT = 0.85;

function locationPoints(a: Ad, b: Ad): number {
  if (Number.isNaN(a.lat) || Number.isNaN(b.lat)) return 0;
  return distancePoints(flatMeters(a, b));
}

export function distancePoints(meters: number): number {
  return meters <= 50 ? 3 : meters <= 130 ? 2 : meters <= 250 ? -2 : meters <= 600 ? -4 : -8;
}

/** 0 is none. */
export function neighborhoodPoints(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  return a === b ? 0.5 : -2;
}

export function sourcePoints(sameSource: boolean, sameAdvertiser: boolean): number {
  return (sameSource ? -3 : 0) + (sameAdvertiser ? (sameSource ? -2 : 1.5) : 0);
}

export function bedroomPoints(a: number, b: number): number {
  return equality(a, b, 0.5, a < 20 && b < 20 ? -8 : -2);
}

export function equality(a: number, b: number, equal: number, different: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  return a === b ? equal : different;
}

export function agePoints(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const years = Math.abs(a - b);
  return years === 0 ? 1 : years === 1 ? -1.5 : years <= 4 ? -3 : -5;
}

function floorPoints(a: string | null, b: string | null): number {
  if (a === null || b === null) return 0;
  // "upper" and a list of floors may include the floor that the other names.
  return a === b ? 1.5 : 0;
}

/** Whether a text names exactly one floor. */
export function isExactFloor(floor: string): boolean {
  return EXACT_FLOOR.test(floor);
}

const EXACT_FLOOR = /^(?:-?\d+|ground|basement|roof)$/;

export function textPoints(similar: number): number {
  if (Number.isNaN(similar)) return 0;
  if (similar < 0.08) return -0.5;
  return similar < 0.2 ? 0 : Math.min(5, (similar - 0.2) * 10);
}

function photoPoints(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  let shared = 0;
  for (const key of a) if (b.includes(key)) shared++;
  if (shared === 0) return -1;
  return shared * 2 >= Math.min(a.length, b.length) ? 5 : 3;
}
