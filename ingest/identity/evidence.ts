import { METERS_PER_DEGREE } from '#domain/geography/distance.ts';
import { SIGNATURE_SIZE } from '../normalize/signature.ts';
import { type AdSet, AMENITY_MASK, type Columns, type SharedText } from './ads.ts';
import { COMMON } from './rarity.ts';

export interface Evidence {
  readonly part: string;
  readonly outcome: string;
  readonly points: number;
}

/** Compares one part of two ads. Returns null if the part is not stated, or is no evidence. */
type Comparison = (columns: Columns, i: number, j: number, set: AdSet) => Evidence | null;

export interface Part {
  readonly compare: Comparison;
  readonly most: number;
}

/**
 * The points are about the binary logarithm of the likelihood ratio between two ads for one property and ads for two
 * properties in one neighborhood. `docs/identity.md` describes the validation.
 */
function part<Outcome extends string>(
  name: string,
  points: Readonly<Record<Outcome, number>>,
  compare: (outcomes: Readonly<Record<Outcome, Evidence>>) => Comparison,
): Part {
  const outcomes = Object.fromEntries(
    Object.entries<number>(points).map(([outcome, own]) => [outcome, { part: name, outcome, points: own }]),
  ) as Record<Outcome, Evidence>;
  return { compare: compare(outcomes), most: Math.max(0, ...Object.values<number>(points)) };
}

const byDifference = <Outcome extends string>(
  name: string,
  column: 'age' | 'bathrooms' | 'livings' | 'streetWidth',
  points: Readonly<Record<Outcome, number>>,
  outcomeOf: (apart: number, outcomes: Readonly<Record<Outcome, Evidence>>) => Evidence | null,
): Part =>
  part(name, points, (is) => ({ [column]: values }, i, j) => {
    const apart = Math.abs((values[i] as number) - (values[j] as number));
    return Number.isNaN(apart) ? null : outcomeOf(apart, is);
  });

const shareApart = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b);

/**
 * Minimum difference between two areas or prices, as a share of the larger one, that counts as an extra digit rather
 * than another home.
 */
const EXTRA_DIGIT = 0.85;

/** Returns whether one price is about a power of ten times the other. */
function hasExtraDigit(a: number, b: number): boolean {
  const digits = Math.abs(Math.log10(a / b));
  return Math.abs(digits - Math.round(digits)) <= 0.1;
}

const isOneArea = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(2.5, 0.01 * Math.max(a, b));

const haveCommonReading = ({ area, textArea, plotArea }: Columns, i: number, j: number): boolean =>
  isOneArea(textArea[i] as number, textArea[j] as number) ||
  isOneArea(textArea[i] as number, area[j] as number) ||
  isOneArea(area[i] as number, textArea[j] as number) ||
  isOneArea(plotArea[i] as number, area[j] as number) ||
  isOneArea(area[i] as number, plotArea[j] as number);

const isRounding = (whole: number, exact: number): boolean =>
  (whole % 10 === 0 && Math.abs(whole - exact) <= 5) || (whole % 25 === 0 && Math.abs(whole - exact) <= 12.5);

/** Returns whether the prices are of one rent with different payment periods. A shorter period costs more per year. */
function isOtherPeriod(a: number, paymentsOfA: number, b: number, paymentsOfB: number): boolean {
  const more = paymentsOfA > paymentsOfB ? a / b : b / a;
  const isDailyOrWeekly = Math.max(paymentsOfA, paymentsOfB) > 12;
  return more >= 0.92 && more <= (isDailyOrWeekly ? 2.5 : 1.3);
}

/** Returns the squared distance between two ads in square meters; NaN if either has no point. */
function squaredDistance({ lat, lng, eastward }: Columns, i: number, j: number): number {
  const north = ((lat[i] as number) - (lat[j] as number)) * METERS_PER_DEGREE;
  const perDegree = ((eastward[i] as number) + (eastward[j] as number)) / 2;
  const east = ((lng[i] as number) - (lng[j] as number)) * perDegree;
  return north * north + east * east;
}

/** Conditions for a repeated text, in equal signature positions: of all words, of words of few homes, and by rarity. */
const REPEATED = 0.6 * SIGNATURE_SIZE;
const WHOLE = 0.95 * SIGNATURE_SIZE;
const REPEATED_FEW = 2;
const REPEATED_RARE = 0.12 * SIGNATURE_SIZE;

const isRepeatedBy = ({ equal, few, rare }: SharedText): boolean =>
  equal >= REPEATED && few >= REPEATED_FEW && (equal >= WHOLE || rare >= REPEATED_RARE);

/** Returns whether one text repeats the other, judged by words that few homes have. */
export function isRepetition(set: AdSet, i: number, j: number): boolean {
  const shared = set.sharedText(i, j);
  return shared !== null && isRepeatedBy(shared);
}

const isFew = (bits: number): boolean => (bits & (bits - 1)) === 0;

/** Parts of the comparison that identify the unit or the advertiser. */
export const IDENTITY: readonly Part[] = [
  // Different floors are no evidence, because `upper` or a list of floors may include the floor of the other ad.
  part(
    'floor',
    { equal: 2.75 },
    (is) =>
      ({ floor }, i, j) =>
        floor[i] !== 0 && floor[i] === floor[j] ? is.equal : null,
  ),
  part(
    'unit',
    { equal: 8.5 },
    (is) =>
      ({ unit }, i, j) =>
        unit[i] !== 0 && unit[i] === unit[j] ? is.equal : null,
  ),
  part(
    'before',
    { one_property: 3 },
    (is) =>
      ({ leader }, i, j) =>
        leader[i] === leader[j] ? is.one_property : null,
  ),
  part(
    'seller',
    { same_elsewhere: 0.75, same_repeated: -4, same_changed: -6, other_on_source: -1.25, unsigned_on_source: -6.25 },
    (is) =>
      ({ source, advertiser, area, price }, i, j, set) => {
        const same = advertiser[i] !== 0 && advertiser[i] === advertiser[j];
        if (source[i] !== source[j]) return same ? is.same_elsewhere : null;
        // Two ads of one advertiser on one source are two units unless one repeats the other.
        if (same)
          return price[i] === price[j] && area[i] === area[j] && isRepetition(set, i, j)
            ? is.same_repeated
            : is.same_changed;
        return advertiser[i] === advertiser[j] ? is.unsigned_on_source : is.other_on_source;
      },
  ),
  part(
    'type',
    { other: -2.25 },
    (is) =>
      ({ type }, i, j) =>
        type[i] === type[j] ? null : is.other,
  ),
];

/** Parts of the comparison about the offer, which copiers keep. */
const OFFER: readonly Part[] = [
  part(
    'area',
    {
      equal_rare: 4.75,
      equal: 4.25,
      equal_common: 4,
      close: 2.5,
      rounded: -2,
      rounded_widely: -4.25,
      within_5_percent: -7.25,
      other_reading: 3.5,
      extra_digit: -2.25,
      apart_plot: -4,
      apart: -10.75,
    },
    (is) => (columns, i, j) => {
      const { area, areaShare, textArea, hasPlot } = columns;
      const a = area[i] as number;
      const b = area[j] as number;
      const meters = Math.abs(a - b);
      if (Number.isNaN(meters)) return null;
      if (meters < 0.5) {
        const share = Math.max(areaShare[i] as number, areaShare[j] as number);
        return share < 0.006 ? is.equal_rare : share < 0.03 ? is.equal : is.equal_common;
      }
      const apart = meters / Math.max(a, b);
      // Advertisers round, so a difference of a few meters is weak evidence for any size.
      if (meters <= 2.5 || apart <= 0.01) return is.close;
      if (haveCommonReading(columns, i, j)) return is.other_reading;
      if (apart > EXTRA_DIGIT) return is.extra_digit;
      const rounded = isRounding(a, b) || isRounding(b, a);
      if (apart <= 0.05) return rounded ? is.rounded : is.within_5_percent;
      if (rounded && apart <= 0.08) return is.rounded_widely;
      // One of the areas may be the plot's, unless both texts state the home's area.
      const mayBePlot = hasPlot[i] === 1 && hasPlot[j] === 1 && apart <= 0.65;
      return mayBePlot && Number.isNaN((textArea[i] as number) + (textArea[j] as number)) ? is.apart_plot : is.apart;
    },
  ),
  part(
    'price',
    {
      equal_rare: 3,
      equal: 1.5,
      within_3_percent: -1.25,
      earlier_price: 1,
      within_6_percent: -0.75,
      within_10_percent: -1.5,
      within_20_percent: -5,
      other_period: -1,
      extra_digit: -1,
      apart: -11,
    },
    (is) =>
      ({ price, priceShare, previousPrice, payments }, i, j) => {
        const a = price[i] as number;
        const b = price[j] as number;
        if (a === b)
          return Math.max(priceShare[i] as number, priceShare[j] as number) < 0.002 ? is.equal_rare : is.equal;
        const apart = shareApart(a, b);
        if (Number.isNaN(apart) || apart <= 0.01) return null;
        if (apart <= 0.03) return is.within_3_percent;
        // One source may still show the other's previous price, and some prices alternate.
        if (
          shareApart(previousPrice[i] as number, b) <= 0.01 ||
          shareApart(a, previousPrice[j] as number) <= 0.01 ||
          shareApart(previousPrice[i] as number, previousPrice[j] as number) <= 0.01
        )
          return is.earlier_price;
        if (payments[i] !== payments[j] && isOtherPeriod(a, payments[i] as number, b, payments[j] as number))
          return is.other_period;
        if (apart <= 0.1) return apart <= 0.06 ? is.within_6_percent : is.within_10_percent;
        if (apart <= 0.2) return is.within_20_percent;
        return apart >= EXTRA_DIGIT && hasExtraDigit(a, b) ? is.extra_digit : is.apart;
      },
  ),
];

/**
 * Parts of the comparison that copiers fill in themselves, so that they are no evidence if one text repeats the other.
 */
const DETAILS: readonly Part[] = [
  part(
    'distance',
    { m50: 2.5, m50_crowded: 0.5, m130: 0.75, m250: -0.5, m600: -1.25, m1500: -4, far: -9 },
    (is) => (columns, i, j) => {
      const square = squaredDistance(columns, i, j);
      if (Number.isNaN(square)) return null;
      if (square <= 50 ** 2) {
        // A location with more homes is a building, or a point for a whole neighborhood.
        const isCrowded = Math.max(columns.crowd[i] as number, columns.crowd[j] as number) > 5;
        return isCrowded ? is.m50_crowded : is.m50;
      }
      if (square <= 130 ** 2) return is.m130;
      if (square <= 600 ** 2) return square <= 250 ** 2 ? is.m250 : is.m600;
      return square <= 1_500 ** 2 ? is.m1500 : is.far;
    },
  ),
  part('bedrooms', { different: -12, implausible: -1.25 }, (is) => ({ bedrooms }, i, j) => {
    const a = bedrooms[i] as number;
    const b = bedrooms[j] as number;
    if (!(Math.abs(a - b) > 1)) return null;
    // From 20 bedrooms on, the number counts as a typing error.
    return Math.max(a, b) >= 20 ? is.implausible : is.different;
  }),
  byDifference('age', 'age', { equal: 0.75, one_off: -2.25, some_years: -3, different: -6 }, (years, is) =>
    years === 0 ? is.equal : years === 1 ? is.one_off : years <= 4 ? is.some_years : is.different,
  ),
  byDifference('bathrooms', 'bathrooms', { different: -3 }, (apart, is) => (apart === 0 ? null : is.different)),
  byDifference('livings', 'livings', { equal: 0.5 }, (apart, is) => (apart === 0 ? is.equal : null)),
  byDifference('street', 'streetWidth', { equal: 2.25, different: -0.5 }, (meters, is) =>
    meters < 0.5 ? is.equal : is.different,
  ),
  part(
    'amenities',
    { alike_rare: 4.5, alike: 3.5, alike_common: 2.5, similar: 1, different: -1, very_different: -3 },
    (is) =>
      ({ features, amenityHomes, amenityShared, amenityAlone }, i, j) => {
        const a = (features[i] as number) & AMENITY_MASK;
        const b = (features[j] as number) & AMENITY_MASK;
        if (isFew(a) || isFew(b)) return null;
        let sum = 0;
        for (let bit = 0; a >> bit !== 0 || b >> bit !== 0; bit++) {
          const stated = ((a >> bit) & 1) + ((b >> bit) & 1);
          if (stated !== 0) sum += (stated === 2 ? amenityShared : amenityAlone)[bit] as number;
        }
        // Units of a compound have the same amenities.
        if (sum >= -1 && Math.max(amenityHomes[i] as number, amenityHomes[j] as number) > 2) return null;
        if (sum >= 1) return sum >= 4 ? is.alike_rare : sum >= 2.5 ? is.alike : is.alike_common;
        if (sum >= -3) return sum >= -1 ? is.similar : null;
        return sum >= -5 ? is.different : is.very_different;
      },
  ),
  part('facing', { equal: 2, different: -4 }, (is) => ({ features }, i, j) => {
    const a = (features[i] as number) & ~AMENITY_MASK;
    const b = (features[j] as number) & ~AMENITY_MASK;
    return a === 0 || b === 0 ? null : a === b ? is.equal : is.different;
  }),
];

const PLACE: readonly Part[] = [
  part('neighborhood', { different: -6.5 }, (is) => (columns, i, j) => {
    const { neighborhood } = columns;
    if (neighborhood[i] !== 0 && neighborhood[j] !== 0)
      return neighborhood[i] === neighborhood[j] ? null : is.different;
    return squaredDistance(columns, i, j) > 3_000 ** 2 ? is.different : null;
  }),
];

/** Parts of the comparison: all, and those that count if one text repeats the other. */
export const FACTS: readonly Part[] = [...OFFER, ...DETAILS, ...PLACE];
export const FACTS_OF_COPIES: readonly Part[] = [...OFFER, ...PLACE];

/** Maximum points for the texts of two ads without a repetition. */
export const SOME_WORDS = 1.25;

export const TEXT = part(
  'text',
  { other_words: -0.5, some: SOME_WORDS, repeated: 4.25, whole: 7.5 },
  (is) => (_, i, j, set) => {
    const shared = set.sharedText(i, j);
    if (shared === null) return null;
    const { equal } = shared;
    const rare = shared.rare / SIGNATURE_SIZE;
    if (isRepeatedBy(shared)) return equal >= WHOLE ? is.whole : is.repeated;
    if (rare >= 0.05 || equal >= REPEATED) return is.some;
    return rare < 0.02 && equal < 0.25 * SIGNATURE_SIZE ? is.other_words : null;
  },
);

export const PHOTOS = part(
  'photos',
  {
    half: 9,
    half_of_two: 7.75,
    half_of_few: -0.75,
    half_seen_elsewhere: -3.25,
    one_seen_elsewhere: -2.5,
    none: -3,
  },
  (is) =>
    ({ photos }, i, j) => {
      const fewest = Math.min(photos.counts[i] as number, photos.counts[j] as number);
      if (fewest === 0) return null;
      const right = photos.of(j);
      let shared = 0;
      let homes = COMMON;
      for (const photo of photos.of(i)) {
        if (!right.includes(photo)) continue;
        shared++;
        homes = Math.min(homes, photos.homesOf(photo));
      }
      if (shared === 0) return is.none;
      if (homes >= COMMON) return null;
      const half = shared * 2 >= fewest;
      // Photos that more homes show are of a building, or placeholders.
      if (homes > 6) return half ? is.half_seen_elsewhere : is.one_seen_elsewhere;
      if (!half) return null;
      return homes === 1 ? is.half : homes === 2 ? is.half_of_two : is.half_of_few;
    },
);
