import { METERS_PER_DEGREE } from '#domain/geography/distance.ts';
import type { AdSet, Columns } from './ads.ts';
import { mostOf, type Part, POINTS, TWO_UNITS } from './points.ts';
import { rarityOf } from './rarity.ts';

/** One comparison of two ads: what came of it, and what that gives. */
export interface Evidence {
  /** A part of the score; `block` for how many ads look alike by chance, `units` for two that say they are two. */
  part: Part | 'block' | 'units';
  outcome: string;
  points: number;
}

type Outcome<P extends Part> = keyof (typeof POINTS)[P] | null;

/** Compares one part of two ads; null where one of them does not state it. */
type Comparison<P extends Part> = (columns: Columns, i: number, j: number, set: AdSet) => Outcome<P>;

/** So many bedrooms are a slip of the pen. */
const IMPLAUSIBLE_BEDROOMS = 20;

const COMPARISONS: { readonly [P in Part]: Comparison<P> } = {
  area: compareAreas,
  price: comparePrices,
  distance: compareDistance,
  bedrooms: ({ bedrooms }, i, j) => {
    const [a, b] = [bedrooms[i] as number, bedrooms[j] as number];
    const apart = Math.abs(a - b);
    if (Number.isNaN(apart)) return null;
    if (apart <= 1) return apart === 0 ? 'equal' : 'one_off';
    return Math.max(a, b) >= IMPLAUSIBLE_BEDROOMS ? 'implausible' : 'different';
  },
  bathrooms: ({ bathrooms }, i, j) => compareNumbers(bathrooms, i, j),
  livings: ({ livings }, i, j) => compareNumbers(livings, i, j),
  age: ({ age }, i, j) => {
    const years = Math.abs((age[i] as number) - (age[j] as number));
    if (Number.isNaN(years)) return null;
    return years === 0 ? 'equal' : years === 1 ? 'one_off' : years <= 4 ? 'some_years' : 'different';
  },
  // "upper" and a list of floors may include the floor that the other names.
  floor: ({ floor }, i, j) => (floor[i] !== 0 && floor[i] === floor[j] ? 'equal' : null),
  unit: ({ unit }, i, j) => (unit[i] !== 0 && unit[i] === unit[j] ? 'equal' : null),
  neighborhood: ({ neighborhood }, i, j) =>
    neighborhood[i] === 0 || neighborhood[j] === 0 ? null : neighborhood[i] === neighborhood[j] ? 'equal' : 'different',
  seller: ({ source, advertiser }, i, j) => {
    const same = advertiser[i] !== 0 && advertiser[i] === advertiser[j];
    // Of one advertiser's ads on one source, only those that repeat each other come so far.
    if (source[i] === source[j])
      return same ? 'same_repeated' : advertiser[i] === advertiser[j] ? 'unsigned_on_source' : 'other_on_source';
    return same ? 'same_elsewhere' : null;
  },
  text: (_, i, j, set) => {
    const rare = set.rareText(i, j);
    if (Number.isNaN(rare)) return null;
    if (rare >= 0.5) return 'all';
    return rare >= 0.31 ? 'most' : rare >= 0.16 ? 'much' : rare >= 0.08 ? 'some' : rare < 0.02 ? 'other_words' : null;
  },
  photos: comparePhotos,
  before: ({ leader }, i, j) => (leader[i] === leader[j] ? 'one_property' : null),
};

/** In the order in which they rule pairs out, the cheap ones first. Words and photos come last: see `Shared`. */
const PARTS: readonly Part[] = [
  'floor',
  'unit',
  'before',
  'seller',
  'area',
  'price',
  'distance',
  'bedrooms',
  'age',
  'bathrooms',
  'livings',
  'neighborhood',
  'text',
  'photos',
];
const STEPS = PARTS.map((part, from) => ({
  compare: COMPARISONS[part] as Comparison<Part>,
  points: POINTS[part] as Readonly<Record<string, number>>,
  /** The most that this part and those behind it can give together, but for words and photos. */
  ahead: PARTS.slice(from, -2).reduce((sum, part) => sum + mostOf(part), 0),
}));
/** The step of the words; that of the photos is the last. */
const WORDS = PARTS.indexOf('text');

/** What is known of two ads before they are compared, so that most pairs need not be compared in all parts. */
export interface Shared {
  /** Whether they share a rare photo; without one photos give nothing. */
  photos: boolean;
  /** Whether they share several rare words; without them words give little. */
  words: boolean;
}

/** What words give two ads at most that share hardly any rare ones. */
const MOST_OF_COMMON_WORDS = POINTS.text.much;
const MAY_SHARE: Shared = { photos: true, words: true };

/**
 * How much speaks for two ads of one city, listing type and property type being of one property: the sum of the points of
 * its parts. Pure and symmetric.
 * @param atLeast a score that cannot be reached is not worked out: what is returned is then some score below it
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
  const words = shared.words ? mostOf('text') : MOST_OF_COMMON_WORDS;
  const photos = shared.photos ? mostOf('photos') : 0;
  let score = -blockPenalty(columns, i, j);
  for (let at = 0; at < STEPS.length; at++) {
    const { compare, points, ahead } = STEPS[at] as (typeof STEPS)[number];
    const most = score + ahead + photos + (at <= WORDS ? words : 0);
    if (most < atLeast) return most;
    const outcome = compare(columns, i, j, set);
    if (outcome !== null) score += points[outcome] as number;
  }
  return score;
}

/** The same, part by part. */
export function evidenceOf(set: AdSet, i: number, j: number): Evidence[] {
  const { columns } = set;
  const evidence: Evidence[] = [];
  for (const part of PARTS) {
    const outcome = COMPARISONS[part](columns, i, j, set);
    if (outcome !== null)
      evidence.push({ part, outcome, points: (POINTS[part] as Record<string, number>)[outcome] as number });
  }
  const penalty = blockPenalty(columns, i, j);
  if (penalty !== 0)
    evidence.push({ part: 'block', outcome: penalty > 0 ? 'many_alike' : 'few_alike', points: -penalty });
  if (areTwoUnits(set, i, j)) evidence.push({ part: 'units', outcome: 'two', points: TWO_UNITS });
  return evidence;
}

/**
 * Whether two ads name different floors or units; or are listed at the same time, under two ids, by one advertiser of one
 * source, who lists a property once. An ad that was posted again beside its old self repeats that whole.
 */
export function areTwoUnits(set: AdSet, i: number, j: number): boolean {
  const { floor, exactFloor, unit, source, advertiser } = set.columns;
  if (exactFloor[i] === 1 && exactFloor[j] === 1 && floor[i] !== floor[j]) return true;
  if (unit[i] !== 0 && unit[j] !== 0 && unit[i] !== unit[j]) return true;
  if (source[i] !== source[j] || advertiser[i] === 0 || advertiser[i] !== advertiser[j]) return false;
  return !isRepeated(set, i, j);
}

/** Share of rare words from which a text is not a template. */
const OWN_WORDS = 0.3;

/** Whether two ads have the same text and photos, and either is their own: a template and a placeholder are on many. */
function isRepeated(set: AdSet, i: number, j: number): boolean {
  if (!set.samePhotos(i, j) || set.textSimilarity(i, j) !== 1) return false;
  return set.photosOf(i).length > 0 || set.rareText(i, j) >= OWN_WORDS;
}

function blockPenalty(columns: Columns, i: number, j: number): number {
  const { blockPenalty: block, cityPenalty: city, neighborhood, lat } = columns;
  // Without a place in common, an ad may be of any home of the city.
  const placed =
    (neighborhood[i] !== 0 && neighborhood[j] !== 0) || !Number.isNaN((lat[i] as number) + (lat[j] as number));
  const penalty = placed ? block : city;
  return Math.max(penalty[i] as number, penalty[j] as number);
}

/** Shares of the ads of a set with one area, beyond which it is no longer rare, and common. */
const RARE_AREA = 0.006;
const COMMON_AREA = 0.03;
/** Small homes differ by more than this from their areas in tens. */
const ROUNDED_APART = 0.08;
/** Numbers this far apart, as a share of the larger, differ by a digit too many rather than by the home. */
const EXTRA_DIGIT = 0.85;

function compareAreas({ area, areaShare }: Columns, i: number, j: number): Outcome<'area'> {
  const [a, b] = [area[i] as number, area[j] as number];
  const meters = Math.abs(a - b);
  if (Number.isNaN(meters)) return null;
  if (meters < 0.5) {
    const share = Math.max(areaShare[i] as number, areaShare[j] as number);
    return share < RARE_AREA ? 'equal_rare' : share < COMMON_AREA ? 'equal' : 'equal_common';
  }
  const apart = meters / Math.max(a, b);
  // Advertisers round: a couple of meters say little, whatever the size.
  if (meters <= 2.5 || apart <= 0.01) return 'close';
  if (apart > EXTRA_DIGIT) return 'extra_digit';
  const rounded = isRounding(a, b) || isRounding(b, a);
  if (apart > 0.05) return rounded && apart <= ROUNDED_APART ? 'rounded_widely' : 'apart';
  return rounded ? 'rounded' : 'within_5_percent';
}

const isRounding = (whole: number, exact: number): boolean =>
  (whole % 10 === 0 && Math.abs(whole - exact) <= 5) || (whole % 25 === 0 && Math.abs(whole - exact) <= 12.5);

function comparePrices({ price, previousPrice }: Columns, i: number, j: number): Outcome<'price'> {
  const [a, b] = [price[i] as number, price[j] as number];
  if (a === b) return 'equal';
  const apart = shareApart(a, b);
  if (Number.isNaN(apart)) return null;
  if (apart <= 0.03) return apart <= 0.01 ? 'within_1_percent' : 'within_3_percent';
  // One source may still have the price that another has changed, and some go up and down.
  if (
    shareApart(previousPrice[i] as number, b) <= 0.01 ||
    shareApart(a, previousPrice[j] as number) <= 0.01 ||
    shareApart(previousPrice[i] as number, previousPrice[j] as number) <= 0.01
  )
    return 'earlier_price';
  if (apart <= 0.1) return apart <= 0.06 ? 'within_6_percent' : 'within_10_percent';
  return apart <= 0.2 ? 'within_20_percent' : apart < EXTRA_DIGIT ? 'apart' : 'extra_digit';
}

const shareApart = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b);

/** Ads of a set at about one place, beyond which it is a building, or a point that a source gives to a whole neighborhood. */
const CROWD = 5;

function compareDistance({ lat, lng, eastward, crowd }: Columns, i: number, j: number): Outcome<'distance'> {
  const north = ((lat[i] as number) - (lat[j] as number)) * METERS_PER_DEGREE;
  const perDegree = ((eastward[i] as number) + (eastward[j] as number)) / 2;
  const east = ((lng[i] as number) - (lng[j] as number)) * perDegree;
  const square = north * north + east * east;
  if (Number.isNaN(square)) return null;
  if (square <= 50 ** 2) return Math.max(crowd[i] as number, crowd[j] as number) > CROWD ? 'm50_crowded' : 'm50';
  if (square <= 130 ** 2) return 'm130';
  if (square <= 600 ** 2) return square <= 250 ** 2 ? 'm250' : 'm600';
  return square <= 1_500 ** 2 ? 'm1500' : 'far';
}

function compareNumbers(column: Float64Array, i: number, j: number): 'equal' | 'different' | null {
  const [a, b] = [column[i] as number, column[j] as number];
  return Number.isNaN(a) || Number.isNaN(b) ? null : a === b ? 'equal' : 'different';
}

/** A photo at least as rare as this is of one property. */
const RARE_PHOTO = 0.6;

function comparePhotos({ photoCounts }: Columns, i: number, j: number, set: AdSet): Outcome<'photos'> {
  const left = set.photosOf(i);
  const right = set.photosOf(j);
  if (left.length === 0 || right.length === 0) return null;
  let shared = 0;
  let rarest = 0;
  for (const photo of left) {
    if (!right.includes(photo)) continue;
    shared++;
    rarest = Math.max(rarest, rarityOf(photoCounts.get(photo) ?? 2));
  }
  if (shared === 0) return 'none';
  if (rarest === 0) return null;
  const half = shared * 2 >= Math.min(left.length, right.length);
  if (rarest >= RARE_PHOTO) return half ? 'half' : 'one';
  return half ? 'half_seen_elsewhere' : 'one_seen_elsewhere';
}
