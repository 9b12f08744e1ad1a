/**
 * What each outcome of a comparison of two ads gives, roughly the binary logarithm of how much likelier it is between two
 * ads of one property than between two properties of one neighborhood. What is not stated gives nothing. How the points
 * were held against truth is in `docs/identity.md`.
 */
export const POINTS = {
  area: {
    equal_rare: 4,
    equal: 3,
    equal_common: 2,
    close: 2,
    rounded: 0.5,
    within_5_percent: -3,
    extra_digit: -3,
    apart: -10,
  },
  price: {
    equal: 3,
    within_1_percent: 2.5,
    within_3_percent: 2,
    earlier_price: 1.5,
    within_6_percent: 0.5,
    within_10_percent: -1,
    within_20_percent: -3,
    extra_digit: -3,
    apart: -6,
  },
  distance: { m50: 3, m130: 2, m250: -1, m600: -2, m1500: -4.5, far: -8 },
  bedrooms: { equal: 0.5, one_off: -2.5, different: -8 },
  bathrooms: { equal: 1, different: -2 },
  livings: { equal: 0.5, different: -1.5 },
  age: { equal: 1, one_off: -1, some_years: -2.5, different: -4 },
  floor: { equal: 1.5 },
  unit: { equal: 2.5 },
  neighborhood: { equal: 0.5, different: -2 },
  seller: { same_elsewhere: 1.5, same_repeated: 1, other_on_source: -3 },
  text: { other_words: -0.5, some: 1, much: 2.5, most: 4, all: 5 },
  photos: { half: 5, one: 3, half_seen_elsewhere: 2, one_seen_elsewhere: 1, none: -1 },
  before: { one_property: 3 },
} as const;

export type Part = keyof typeof POINTS;

/** Two ads with at least this score are taken to be of one property. */
export const SAME_PROPERTY = 6;
/** Two ads with a lower score are never joined, whatever other ads say. */
export const DIFFERENT_PROPERTY = -4;
/** The score of two ads that say themselves that they are of two units. */
export const TWO_UNITS = -30;

/** The most that a part can give. */
export function mostOf(part: Part): number {
  return Math.max(0, ...Object.values(POINTS[part]));
}
