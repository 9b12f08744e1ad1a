/**
 * Points for each outcome of comparing two ads: approximately the binary logarithm of the likelihood ratio between two
 * ads for one property and ads for two properties in one neighborhood. Missing values add no points. `docs/identity.md`
 * describes the validation.
 */
export const POINTS = {
  area: {
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
  price: {
    equal_rare: 3,
    equal: 1.5,
    within_1_percent: 0,
    within_3_percent: -1.25,
    earlier_price: 1,
    within_6_percent: -0.75,
    within_10_percent: -1.5,
    within_20_percent: -5,
    other_period: -1,
    extra_digit: -1,
    apart: -11,
  },
  distance: { m50: 2.5, m50_crowded: 0.5, m130: 0.75, m250: -0.5, m600: -1.25, m1500: -4, far: -9 },
  bedrooms: { equal: 0, one_off: 0, different: -12, implausible: -1.25 },
  bathrooms: { equal: 0, different: -3 },
  livings: { equal: 0.5, different: 0 },
  age: { equal: 0.75, one_off: -2.25, some_years: -3, different: -6 },
  floor: { equal: 2.75 },
  unit: { equal: 8.5 },
  street: { equal: 2.25, different: -0.5 },
  amenities: {
    alike_rare: 4.5,
    alike: 3.5,
    alike_common: 2.5,
    similar: 1,
    unlike: 0,
    different: -1,
    very_different: -3,
  },
  facing: { equal: 2, different: -4 },
  neighborhood: { equal: 0, different: -6.5 },
  seller: {
    same_elsewhere: 0.75,
    same_repeated: -4,
    same_changed: -6,
    other_on_source: -1.25,
    unsigned_on_source: -6.25,
  },
  text: { other_words: -0.5, some: 1.25, much: 1.25, repeated: 4.25, whole: 7.5 },
  photos: {
    half: 9,
    half_of_two: 7.75,
    half_of_few: -0.75,
    one: 0,
    half_seen_elsewhere: -3.25,
    one_seen_elsewhere: -2.5,
    none: -3,
  },
  details: { equal: 0, one_differs: 0, two_differ: 0, several_differ: 0 },
  before: { one_property: 3 },
  type: { other: -2.25 },
} as const;

export type Part = keyof typeof POINTS;

/** Minimum score at which two ads count as one property. */
export const SAME_PROPERTY = 3;
/** Pairs with a lower score are never merged, regardless of other ads. */
export const DIFFERENT_PROPERTY = -12;
/** Minimum mean score between the ads of two clusters for merging the clusters. */
export const MIN_MEAN_SCORE = 1;
/** If an ad's scores with ads for two units differ by at most this, the ad is assigned to neither unit. */
export const AMBIGUOUS = 1.5;
/** Score of a pair whose ads state two different units. */
export const TWO_UNITS = -30;

/** Returns the maximum total points for the given parts. */
export const maxPointsOf = (...parts: Part[]): number =>
  parts.reduce((sum, part) => sum + Math.max(0, ...Object.values<number>(POINTS[part])), 0);
