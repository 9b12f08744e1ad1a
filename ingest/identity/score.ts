import { flatMeters } from '#domain/geography/distance.ts';
import type { Ad, AdSet } from './ads.ts';

/** Two ads are taken to be of one property from this score on. */
export const SAME_PROPERTY = 6;
/** So far below that no third ad can join the two. */
export const DIFFERENT_PROPERTY = -2;

/**
 * How much speaks for two ads of one city, listing type and property type being of one property. Each thing compared
 * adds or takes points, roughly the logarithm (base 2) of how much likelier it is between ads of one property than between two
 * of the same neighborhood; what one of them does not state adds nothing. Pure and symmetric.
 *
 * | compared | for | against |
 * |---|---|---|
 * | area | equal 3, within 2.5 m² or 1% 2 | 3% -2, more -8, a digit too many -3 |
 * | price | equal 3, within 1% 2.5, 3% 2 | 10% -0.5, 20% -2.5, more -6, a digit too many -3 |
 * | distance | 50 m 3, 130 m 2 | 250 m -2, 600 m -4, more -8 |
 * | bathrooms, living rooms | equal 1, 0.5 | different -3, -2 |
 * | age | equal 1 | a year -1.5, four -3, more -5 |
 * | crowd | | each doubling of the ads of like place and size above the usual -1 |
 * | bedrooms, floor | equal 0.5, 1.5 | different: another flat of the building -8 |
 * | words | from a quarter in common, up to 5 | nearly none -0.5 |
 * | advertiser | the same on two sources 1.5 | the same on one source: he has two units -5 |
 * | photos | one in common 3, half of them 5 | none -1 |
 * | source | | one source lists a property once: -3 |
 */
export function similarity(set: AdSet, i: number, j: number): number {
  const a = set.ads[i] as Ad;
  const b = set.ads[j] as Ad;
  let score = areaPoints(a.area, b.area) + pricePoints(a.price, b.price) - set.crowding(i, j);
  if (score < -12) return score;
  score += distancePoints(a, b);
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

export function areaPoints(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  const metres = Math.abs(a - b);
  if (metres < 0.5) return 3;
  const apart = metres / Math.max(a, b);
  // Advertisers measure, round and remember: a couple of metres say little, whatever the size.
  if (metres <= 2.5 || apart <= 0.01) return 2;
  return apart <= 0.03 ? -2 : apart < SLIP ? -8 : -3;
}

export function pricePoints(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return 0;
  if (a === b) return 3;
  const apart = Math.abs(a - b) / Math.max(a, b);
  if (apart <= 0.03) return apart <= 0.01 ? 2.5 : 2;
  return apart <= 0.1 ? -0.5 : apart <= 0.2 ? -2.5 : apart < SLIP ? -6 : -3;
}

/** Numbers as far apart as this are not two homes but one digit too many. */
const SLIP = 0.85;

function distancePoints(a: Ad, b: Ad): number {
  if (Number.isNaN(a.lat) || Number.isNaN(b.lat)) return 0;
  return metresPoints(flatMeters(a, b));
}

export function metresPoints(metres: number): number {
  return metres <= 50 ? 3 : metres <= 130 ? 2 : metres <= 250 ? -2 : metres <= 600 ? -4 : -8;
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
  if (a === b) return 1.5;
  // "upper" and a list of storeys may mean the storey that the other names.
  return isExactFloor(a) && isExactFloor(b) ? -8 : 0;
}

/** Whether a floor names one storey. */
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
