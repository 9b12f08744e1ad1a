import type { ComparableAd } from './ads.ts';
import { type Evidence, isRepetition, PARTS, type Part } from './evidence.ts';
import { differ } from './sharing.ts';

export const SAME_PROPERTY = 3;
/** Such ads are never merged, regardless of other ads. */
export const DIFFERENT_PROPERTY = -12;
/** Between the ads of two clusters, for a merge. */
export const MIN_MEAN_SCORE = 1;
/** An ad with at most this between its scores with two units is assigned to neither. */
export const AMBIGUOUS = 1.5;
export const TWO_UNITS = -30;

/** Maximum points of the parts from an index on. */
const MOST_FROM = PARTS.map((_, from) => PARTS.slice(from).reduce((sum, { most }) => sum + most, 0));

/** @param atLeast below this value, any lower score may be returned */
export function similarity(a: ComparableAd, b: ComparableAd, atLeast = Number.NEGATIVE_INFINITY): number {
  if (areTwoUnits(a, b)) return TWO_UNITS;
  // Points are multiples of one quarter and the penalty has 24 bits, so the sum is exact in any order.
  let score = -blockPenalty(a, b);
  let isCopy: boolean | undefined;
  for (let at = 0; at < PARTS.length; at++) {
    const most = score + (MOST_FROM[at] as number);
    if (most < atLeast) return most;
    const { compare, points, isDetail } = PARTS[at] as Part;
    if (isDetail) {
      isCopy ??= isRepetition(a, b);
      if (isCopy) continue;
    }
    const outcome = compare(a, b);
    if (outcome !== null) score += points[outcome] as number;
  }
  return score;
}

export function evidenceOf(a: ComparableAd, b: ComparableAd): Evidence[] {
  const isCopy = isRepetition(a, b);
  const evidence = PARTS.flatMap(({ name, points, compare, isDetail }): Evidence[] => {
    const outcome = isCopy && isDetail ? null : compare(a, b);
    return outcome === null ? [] : [{ part: name, outcome, points: points[outcome] as number }];
  });
  const penalty = blockPenalty(a, b);
  if (penalty !== 0)
    evidence.push({ part: 'block', outcome: penalty > 0 ? 'many_alike' : 'few_alike', points: -penalty });
  if (areTwoUnits(a, b)) evidence.push({ part: 'units', outcome: 'two', points: TWO_UNITS });
  return evidence;
}

/**
 * Two ads are for different units if they state different floors or units, or if one advertiser lists both on one
 * source at the same time and neither repeats the other.
 */
export function areTwoUnits(a: ComparableAd, b: ComparableAd): boolean {
  if (a.exactFloor && b.exactFloor && a.floor !== b.floor) return true;
  if (differ(a.unit, b.unit)) return true;
  if (a.source !== b.source || a.advertiser === null || a.advertiser !== b.advertiser) return false;
  return !isRepeated(a, b);
}

/** Share of the price. */
const REPRICED = 0.1;
/** Square meters. */
const RESTATED = 0.5;

/**
 * A repeated ad of an advertiser has the same area, and either the same price and unit, or about the same price, the
 * same text and at least half of the photos; or, if neither has photos, exactly the same price and floor.
 */
function isRepeated(a: ComparableAd, b: ComparableAd): boolean {
  if (!(Math.abs(a.area - b.area) < RESTATED)) return false;
  // The field of two units is sometimes the same, and the text states which is which.
  if (Math.abs(a.textArea - b.textArea) >= RESTATED) return false;
  if (a.price === b.price && a.unit !== null && a.unit === b.unit) return true;
  if (!(Math.abs(a.price - b.price) / Math.max(a.price, b.price) <= REPRICED)) return false;
  const [left, right] = [a, b].map(({ ownPhotos, commonPhotos }) => ownPhotos + commonPhotos) as [number, number];
  if (!isRepetition(a, b)) return a.price === b.price && a.floor !== null && a.floor === b.floor && left + right === 0;
  if (a.photoList !== '' && a.photoList === b.photoList) return true;
  const shared = a.photos.filter((photo) => b.photos.includes(photo)).length;
  return shared * 2 >= Math.max(left, right);
}

function blockPenalty(a: ComparableAd, b: ComparableAd): number {
  // If the ads state neither two neighborhoods nor two points, they may be for any two homes in the city.
  const isPlaced = (a.neighborhood !== 0 && b.neighborhood !== 0) || !Number.isNaN(a.lat + b.lat);
  return isPlaced ? Math.max(a.blockPenalty, b.blockPenalty) : Math.max(a.cityPenalty, b.cityPenalty);
}
