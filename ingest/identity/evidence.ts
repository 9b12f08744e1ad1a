import { METERS_PER_DEGREE } from '#domain/geography/distance.ts';
import { SIGNATURE_SIZE } from '../normalize/signature.ts';
import type { ComparableAd } from './ads.ts';
import { COMMON } from './sharing.ts';

export interface Evidence {
  part: string;
  outcome: string;
  points: number;
}

export interface Part {
  name: string;
  points: Readonly<Record<string, number>>;
  most: number;
  /** Returns null if the part is not stated, or is no evidence. */
  compare: (a: ComparableAd, b: ComparableAd) => string | null;
  /** Whether copiers fill in the part themselves, so that it is no evidence if one text repeats the other. */
  isDetail: boolean;
}

/**
 * The points are about the binary logarithm of the likelihood ratio between two ads for one property and ads for two
 * properties in one neighborhood. `docs/identity.md` describes the validation.
 */
function part<Outcome extends string>(
  name: string,
  points: Readonly<Record<Outcome, number>>,
  compare: (a: ComparableAd, b: ComparableAd) => NoInfer<Outcome> | null,
  isDetail = false,
): Part {
  return { name, points, most: Math.max(0, ...Object.values<number>(points)), compare, isDetail };
}

const detail: typeof part = (name, points, compare) => part(name, points, compare, true);

const shareApart = (a: number, b: number): number => Math.abs(a - b) / Math.max(a, b);

/** From this difference on, as a share of the larger value, a digit too many is likelier than another home. */
const EXTRA_DIGIT = 0.85;

function hasExtraDigit(a: number, b: number): boolean {
  const digits = Math.abs(Math.log10(a / b));
  return Math.abs(digits - Math.round(digits)) <= 0.1;
}

const isOneArea = (a: number, b: number): boolean => Math.abs(a - b) <= Math.max(2.5, 0.01 * Math.max(a, b));

const haveCommonReading = (a: ComparableAd, b: ComparableAd): boolean =>
  isOneArea(a.textArea, b.textArea) ||
  isOneArea(a.textArea, b.area) ||
  isOneArea(a.area, b.textArea) ||
  isOneArea(a.plotArea, b.area) ||
  isOneArea(a.area, b.plotArea);

const isRounding = (whole: number, exact: number): boolean =>
  (whole % 10 === 0 && Math.abs(whole - exact) <= 5) || (whole % 25 === 0 && Math.abs(whole - exact) <= 12.5);

/** A shorter payment period costs more per year. */
function isOtherPeriod(a: ComparableAd, b: ComparableAd): boolean {
  if (a.payments === b.payments) return false;
  const more = a.payments > b.payments ? a.price / b.price : b.price / a.price;
  const isDailyOrWeekly = Math.max(a.payments, b.payments) > 12;
  return more >= 0.92 && more <= (isDailyOrWeekly ? 2.5 : 1.3);
}

/** Returns meters; NaN if either ad has no point. */
function distance(a: ComparableAd, b: ComparableAd): number {
  const north = (a.lat - b.lat) * METERS_PER_DEGREE;
  const east = ((a.lng - b.lng) * (a.eastward + b.eastward)) / 2;
  return Math.sqrt(north * north + east * east);
}

/** Equal signature positions, those of up to `FEW_HOMES` homes, and the sum of rarity weights. */
interface SharedText {
  equal: number;
  few: number;
  rare: number;
}

/** Up to this number of homes, a shared value yields candidates. */
export const FEW_HOMES = 8;

/** Returns null if either ad has no text. */
function sharedText(a: ComparableAd, b: ComparableAd): SharedText | null {
  const [left, right] = a.type === b.type ? [a.words, b.words] : [a.wordsOfAll, b.wordsOfAll];
  if (left === null || right === null) return null;
  const shared = { equal: 0, few: 0, rare: 0 };
  for (let place = 0; place < SIGNATURE_SIZE; place++) {
    const sharing = left[place];
    if (sharing === undefined || sharing !== right[place]) continue;
    shared.equal++;
    if (sharing.homes <= FEW_HOMES) shared.few++;
    shared.rare += sharing.rarity;
  }
  return shared;
}

/** In signature positions. */
const REPEATED = 0.6 * SIGNATURE_SIZE;
const WHOLE = 0.95 * SIGNATURE_SIZE;
const REPEATED_FEW = 2;
const REPEATED_RARE = 0.12 * SIGNATURE_SIZE;

const isRepeatedBy = ({ equal, few, rare }: SharedText): boolean =>
  equal >= REPEATED && few >= REPEATED_FEW && (equal >= WHOLE || rare >= REPEATED_RARE);

export function isRepetition(a: ComparableAd, b: ComparableAd): boolean {
  const shared = sharedText(a, b);
  return shared !== null && isRepeatedBy(shared);
}

const isFew = (bits: number): boolean => (bits & (bits - 1)) === 0;

/** Ordered by the number of pairs that they exclude, most first. */
export const PARTS: readonly Part[] = [
  part(
    'photos',
    {
      half: 9,
      half_of_two: 7.75,
      half_of_few: -0.75,
      half_seen_elsewhere: -3.25,
      one_seen_elsewhere: -2.5,
      none: -3,
    },
    (a, b) => {
      const fewest = Math.min(a.ownPhotos, b.ownPhotos);
      if (fewest === 0) return null;
      const shared = a.photos.filter((photo) => b.photos.includes(photo));
      if (shared.length === 0) return 'none';
      const homes = Math.min(...shared.map((photo) => photo.homes));
      if (homes >= COMMON) return null;
      const isHalf = shared.length * 2 >= fewest;
      // Photos that more homes show are of a building, or placeholders.
      if (homes > 6) return isHalf ? 'half_seen_elsewhere' : 'one_seen_elsewhere';
      if (!isHalf) return null;
      return homes === 1 ? 'half' : homes === 2 ? 'half_of_two' : 'half_of_few';
    },
  ),
  // Different floors are no evidence, because `upper` or a list of floors may include the floor of the other ad.
  part('floor', { equal: 2.75 }, (a, b) => (a.floor !== null && a.floor === b.floor ? 'equal' : null)),
  part('unit', { equal: 8.5 }, (a, b) => (a.unit !== null && a.unit === b.unit ? 'equal' : null)),
  part('before', { one_property: 3 }, (a, b) => (a.leader === b.leader ? 'one_property' : null)),
  part(
    'seller',
    { same_elsewhere: 0.75, same_repeated: -4, same_changed: -6, other_on_source: -1.25, unsigned_on_source: -6.25 },
    (a, b) => {
      const isSame = a.advertiser !== null && a.advertiser === b.advertiser;
      if (a.source !== b.source) return isSame ? 'same_elsewhere' : null;
      // Two ads of one advertiser on one source are two units unless one repeats the other.
      if (isSame)
        return a.price === b.price && a.area === b.area && isRepetition(a, b) ? 'same_repeated' : 'same_changed';
      return a.advertiser === b.advertiser ? 'unsigned_on_source' : 'other_on_source';
    },
  ),
  part('type', { other: -2.25 }, (a, b) => (a.type === b.type ? null : 'other')),
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
    (one, other) => {
      const [a, b] = [one.area, other.area];
      const meters = Math.abs(a - b);
      if (Number.isNaN(meters)) return null;
      if (meters < 0.5) {
        const share = Math.max(one.areaShare, other.areaShare);
        return share < 0.006 ? 'equal_rare' : share < 0.03 ? 'equal' : 'equal_common';
      }
      const apart = shareApart(a, b);
      // Advertisers round, so a difference of a few meters is weak evidence for any size.
      if (meters <= 2.5 || apart <= 0.01) return 'close';
      if (haveCommonReading(one, other)) return 'other_reading';
      if (apart > EXTRA_DIGIT) return 'extra_digit';
      const rounded = isRounding(a, b) || isRounding(b, a);
      if (apart <= 0.05) return rounded ? 'rounded' : 'within_5_percent';
      if (rounded && apart <= 0.08) return 'rounded_widely';
      // One of the areas may be the plot's, unless both texts state the home's area.
      const mayBePlot = one.hasPlot && other.hasPlot && apart <= 0.65;
      return mayBePlot && Number.isNaN(one.textArea + other.textArea) ? 'apart_plot' : 'apart';
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
    (one, other) => {
      const [a, b] = [one.price, other.price];
      if (a === b) return Math.max(one.priceShare, other.priceShare) < 0.002 ? 'equal_rare' : 'equal';
      const apart = shareApart(a, b);
      if (Number.isNaN(apart) || apart <= 0.01) return null;
      if (apart <= 0.03) return 'within_3_percent';
      // One source may still show the other's previous price, and some prices alternate.
      if (
        shareApart(one.previousPrice, b) <= 0.01 ||
        shareApart(a, other.previousPrice) <= 0.01 ||
        shareApart(one.previousPrice, other.previousPrice) <= 0.01
      )
        return 'earlier_price';
      if (isOtherPeriod(one, other)) return 'other_period';
      if (apart <= 0.1) return apart <= 0.06 ? 'within_6_percent' : 'within_10_percent';
      if (apart <= 0.2) return 'within_20_percent';
      return apart >= EXTRA_DIGIT && hasExtraDigit(a, b) ? 'extra_digit' : 'apart';
    },
  ),
  detail(
    'distance',
    { m50: 2.5, m50_crowded: 0.5, m130: 0.75, m250: -0.5, m600: -1.25, m1500: -4, far: -9 },
    (a, b) => {
      const meters = distance(a, b);
      if (Number.isNaN(meters)) return null;
      // A location with more homes is a building, or a point for a whole neighborhood.
      if (meters <= 50) return Math.max(a.crowd, b.crowd) > 5 ? 'm50_crowded' : 'm50';
      if (meters <= 130) return 'm130';
      if (meters <= 600) return meters <= 250 ? 'm250' : 'm600';
      return meters <= 1_500 ? 'm1500' : 'far';
    },
  ),
  detail('bedrooms', { different: -12, implausible: -1.25 }, (a, b) => {
    if (!(Math.abs(a.bedrooms - b.bedrooms) > 1)) return null;
    // From 20 bedrooms on, the number counts as a typing error.
    return Math.max(a.bedrooms, b.bedrooms) >= 20 ? 'implausible' : 'different';
  }),
  detail('age', { equal: 0.75, one_off: -2.25, some_years: -3, different: -6 }, (a, b) => {
    const years = Math.abs(a.age - b.age);
    if (Number.isNaN(years)) return null;
    return years === 0 ? 'equal' : years === 1 ? 'one_off' : years <= 4 ? 'some_years' : 'different';
  }),
  detail('bathrooms', { different: -3 }, (a, b) => (Math.abs(a.bathrooms - b.bathrooms) > 0 ? 'different' : null)),
  detail('livings', { equal: 0.5 }, (a, b) => (a.livings === b.livings ? 'equal' : null)),
  detail('street', { equal: 2.25, different: -0.5 }, (a, b) => {
    const meters = Math.abs(a.streetWidth - b.streetWidth);
    return Number.isNaN(meters) ? null : meters < 0.5 ? 'equal' : 'different';
  }),
  detail(
    'amenities',
    { alike_rare: 4.5, alike: 3.5, alike_common: 2.5, similar: 1, different: -1, very_different: -3 },
    (a, b) => {
      if (isFew(a.amenities) || isFew(b.amenities)) return null;
      const both = a.amenities & b.amenities;
      let sum = 0;
      for (let bits = a.amenities | b.amenities; bits !== 0; bits &= bits - 1) {
        const bit = 31 - Math.clz32(bits & -bits);
        sum += ((both >> bit) & 1 ? a.amenityPoints.shared : a.amenityPoints.alone)[bit] as number;
      }
      // Units of a compound have the same amenities.
      if (sum >= -1 && Math.max(a.amenityHomes, b.amenityHomes) > 2) return null;
      if (sum >= 1) return sum >= 4 ? 'alike_rare' : sum >= 2.5 ? 'alike' : 'alike_common';
      if (sum >= -3) return sum >= -1 ? 'similar' : null;
      return sum >= -5 ? 'different' : 'very_different';
    },
  ),
  detail('facing', { equal: 2, different: -4 }, (a, b) =>
    a.facing === 0 || b.facing === 0 ? null : a.facing === b.facing ? 'equal' : 'different',
  ),
  part('neighborhood', { different: -6.5 }, (a, b) => {
    if (a.neighborhood !== 0 && b.neighborhood !== 0) return a.neighborhood === b.neighborhood ? null : 'different';
    return distance(a, b) > 3_000 ? 'different' : null;
  }),
  part('text', { other_words: -0.5, some: 1.25, repeated: 4.25, whole: 7.5 }, (a, b) => {
    const shared = sharedText(a, b);
    if (shared === null) return null;
    const { equal } = shared;
    const rare = shared.rare / SIGNATURE_SIZE;
    if (isRepeatedBy(shared)) return equal >= WHOLE ? 'whole' : 'repeated';
    if (rare >= 0.05 || equal >= REPEATED) return 'some';
    return rare < 0.02 && equal < 0.25 * SIGNATURE_SIZE ? 'other_words' : null;
  }),
];
