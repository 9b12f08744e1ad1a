import type { AdSet, Columns } from './ads.ts';
import {
  type Evidence,
  FACTS,
  FACTS_OF_COPIES,
  IDENTITY,
  isRepetition,
  type Part,
  PHOTOS,
  SOME_WORDS,
  TEXT,
} from './evidence.ts';

/** Minimum score of two ads that count as one property. */
export const SAME_PROPERTY = 3;
/** Score below which two ads are never merged, regardless of other ads. */
export const DIFFERENT_PROPERTY = -12;
/** Minimum mean score between the ads of two clusters for a merge. */
export const MIN_MEAN_SCORE = 1;
/** An ad whose scores with two units differ by at most this is assigned to neither. */
export const AMBIGUOUS = 1.5;
export const TWO_UNITS = -30;

/** Evidence that is available before the full comparison, so that most pairs are excluded early. */
export interface Shared {
  /** Whether the ads share a rare photo; otherwise photos add no points. */
  photos: boolean;
  /** Whether the ads share several words that few homes have; otherwise the candidate search found no repeated text. */
  words: boolean;
}

const MAY_SHARE: Shared = { photos: true, words: true };

const mostFrom = (parts: readonly Part[]): number[] =>
  parts.map((_, from) => parts.slice(from).reduce((sum, { most }) => sum + most, 0));
const MOST_FROM = mostFrom(FACTS);
const MOST_FROM_OF_COPIES = mostFrom(FACTS_OF_COPIES);

/**
 * Returns the score of two ads: the sum of the points of all parts. Pure and symmetric. Called for millions of pairs.
 * @param atLeast below this value, any lower score may be returned
 */
export function similarity(
  set: AdSet,
  i: number,
  j: number,
  atLeast = Number.NEGATIVE_INFINITY,
  shared: Shared = MAY_SHARE,
): number {
  if (areTwoUnits(set, i, j)) return TWO_UNITS;
  const { columns } = set;
  const photos = shared.photos ? PHOTOS.most : 0;
  const wordsAndPhotos = photos + (shared.words ? TEXT.most : SOME_WORDS);
  // Points are multiples of one quarter and the penalty has 24 bits, so the sum is exact in any order.
  let score = -blockPenalty(columns, i, j);
  for (const { compare } of IDENTITY) score += compare(columns, i, j, set)?.points ?? 0;
  const isCopy = shared.words && isRepetition(set, i, j);
  const facts = isCopy ? FACTS_OF_COPIES : FACTS;
  const mostFrom = isCopy ? MOST_FROM_OF_COPIES : MOST_FROM;
  for (let at = 0; at < facts.length; at++) {
    const most = score + (mostFrom[at] as number) + wordsAndPhotos;
    if (most < atLeast) return most;
    score += (facts[at] as Part).compare(columns, i, j, set)?.points ?? 0;
  }
  if (score + wordsAndPhotos < atLeast) return score + wordsAndPhotos;
  score += TEXT.compare(columns, i, j, set)?.points ?? 0;
  if (score + photos < atLeast) return score + photos;
  return score + (PHOTOS.compare(columns, i, j, set)?.points ?? 0);
}

/** Returns the evidence for the points that `similarity` adds up, part by part. */
export function evidenceOf(set: AdSet, i: number, j: number): Evidence[] {
  const facts = isRepetition(set, i, j) ? FACTS_OF_COPIES : FACTS;
  const evidence = [...IDENTITY, ...facts, TEXT, PHOTOS].flatMap(
    ({ compare }) => compare(set.columns, i, j, set) ?? [],
  );
  const penalty = blockPenalty(set.columns, i, j);
  if (penalty !== 0)
    evidence.push({ part: 'block', outcome: penalty > 0 ? 'many_alike' : 'few_alike', points: -penalty });
  if (areTwoUnits(set, i, j)) evidence.push({ part: 'units', outcome: 'two', points: TWO_UNITS });
  return evidence;
}

/**
 * Returns whether two ads are for different units: they state different floors or units, or one advertiser lists both
 * on the same source at the same time and neither repeats the other. An advertiser lists a property only once.
 */
export function areTwoUnits(set: AdSet, i: number, j: number): boolean {
  const { floor, exactFloor, unit, source, advertiser } = set.columns;
  if (exactFloor[i] === 1 && exactFloor[j] === 1 && floor[i] !== floor[j]) return true;
  if (unit[i] !== 0 && unit[j] !== 0 && unit[i] !== unit[j]) return true;
  if (source[i] !== source[j] || advertiser[i] === 0 || advertiser[i] !== advertiser[j]) return false;
  return !isRepeated(set, i, j);
}

/** Maximum price difference between repeated ads for one home, as a share of the price. */
const REPRICED = 0.1;
/** Maximum difference in square meters between areas of one home that one advertiser states twice. */
const RESTATED = 0.5;

/**
 * Returns whether one ad of an advertiser repeats the other: the same area, and either the same price and unit, or
 * about the same price, the same text and at least half of the photos; or, if neither has photos, exactly the same
 * price and floor.
 */
function isRepeated(set: AdSet, i: number, j: number): boolean {
  const { unit, floor, area, textArea, price, photos } = set.columns;
  if (!(Math.abs((area[i] as number) - (area[j] as number)) < RESTATED)) return false;
  // The field of two units is sometimes the same, and the text states which is which.
  if (Math.abs((textArea[i] as number) - (textArea[j] as number)) >= RESTATED) return false;
  const [a, b] = [price[i] as number, price[j] as number];
  if (a === b && unit[i] !== 0 && unit[i] === unit[j]) return true;
  if (!(Math.abs(a - b) / Math.max(a, b) <= REPRICED)) return false;
  if (!isRepetition(set, i, j))
    return a === b && floor[i] !== 0 && floor[i] === floor[j] && set.photoCount(i) + set.photoCount(j) === 0;
  if (set.samePhotos(i, j)) return true;
  const left = photos.of(i);
  const shared = photos.of(j).filter((photo) => left.includes(photo)).length;
  return shared * 2 >= Math.max(set.photoCount(i), set.photoCount(j));
}

function blockPenalty(columns: Columns, i: number, j: number): number {
  const { blockPenalty: block, cityPenalty: city, neighborhood, lat } = columns;
  // If the ads state neither two neighborhoods nor two points, they may be for any two homes in the city.
  const placed =
    (neighborhood[i] !== 0 && neighborhood[j] !== 0) || !Number.isNaN((lat[i] as number) + (lat[j] as number));
  const penalty = placed ? block : city;
  return Math.max(penalty[i] as number, penalty[j] as number);
}
