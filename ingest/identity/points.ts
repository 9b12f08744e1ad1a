/**
 * What each outcome of a comparison of two ads gives, roughly the binary logarithm of how much likelier it is between two
 * ads of one property than between two properties of one neighborhood. What is not stated gives nothing. How the points
 * were held against truth is in `docs/identity.md`.
 */
export const POINTS = {
  area: {
    equal_rare: 5,
    equal: 3.5,
    equal_common: 2.5,
    close: 2.5,
    rounded: 0.5,
    rounded_widely: -2.5,
    within_5_percent: -6.5,
    extra_digit: -2,
    apart: -10,
  },
  price: {
    equal: 2.5,
    within_1_percent: 2,
    within_3_percent: 1,
    earlier_price: 1,
    within_6_percent: 0,
    within_10_percent: -1.5,
    within_20_percent: -5.5,
    extra_digit: -1,
    apart: -9,
  },
  distance: { m50: 3, m50_crowded: 0.5, m130: 1, m250: -1.5, m600: -1.5, m1500: -6, far: -9 },
  bedrooms: { equal: 0.5, one_off: -1, different: -11, implausible: -2 },
  bathrooms: { equal: 0.5, different: -3 },
  livings: { equal: 0.5, different: -0.5 },
  age: { equal: 0.5, one_off: -2, some_years: -3.5, different: -5 },
  floor: { equal: 3 },
  unit: { equal: 6 },
  neighborhood: { equal: 0.5, different: -4 },
  seller: { same_elsewhere: 0.5, same_repeated: 1, other_on_source: -5, unsigned_on_source: -7 },
  text: { other_words: -1, some: 1, much: 2, most: 4, all: 5 },
  photos: { half: 8, one: 2.5, half_seen_elsewhere: 0, one_seen_elsewhere: -2, none: -1 },
  before: { one_property: 3 },
  type: { other: -4 },
} as const;

export type Part = keyof typeof POINTS;

/** Two ads with at least this score are taken to be of one property. */
export const SAME_PROPERTY = 5.5;
/** Two ads with a lower score are never joined, whatever other ads say. */
export const DIFFERENT_PROPERTY = -2;
/** The score of two ads that say themselves that they are of two units. */
export const TWO_UNITS = -30;

const MOST = Object.fromEntries(
  Object.entries(POINTS).map(([part, outcomes]) => [part, Math.max(0, ...Object.values(outcomes))]),
) as Record<Part, number>;

/** The most that a part can give. */
export const mostOf = (part: Part): number => MOST[part];
