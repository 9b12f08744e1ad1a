import { between, type Home, type HomeChanges, pick, type Random, rounded, type Segment } from './market.ts';

/**
 * Expected outcome for the ads of a kind. Only baits and bargains can be deals.
 *
 * - `hidden`: at most 2 of 12 are shown as posted. A corrected ad has the true figures.
 * - `flagged`: may be shown as posted, with a quality flag.
 * - `bait`: shown with a quality flag. A deal only if it is at most 45% below the median of its band.
 * - `control`: correct as posted, and shown.
 * - `bargain`: correct as posted, shown, and a deal in at least half of the cases.
 */
export type Expectation = 'hidden' | 'flagged' | 'bait' | 'control' | 'bargain';

export interface Kind {
  /** Segments of the planted homes, in rotation. */
  of: readonly Segment[];
  home?: HomeChanges;
  /** Returns the facts that the ad states incorrectly. */
  post?: (home: Home, random: Random) => Partial<Pick<Home, 'price' | 'area' | 'bedrooms'>>;
}

const SALE: readonly Segment[] = ['flat_sale', 'villa_sale', 'floor_sale'];
const RENT: readonly Segment[] = ['flat_rent', 'villa_rent'];
const HOMES: readonly Segment[] = [...SALE, 'flat_rent'];
const FLATS: readonly Segment[] = ['flat_sale', 'floor_sale'];

/** Returns a random price between `min` and `max` times the correct price. */
const atShare = (min: number, max: number) => (home: Home, random: Random) => ({
  price: rounded(home.price * between(random, min, max)),
});
const times = (share: number) => (home: Home) => ({ price: home.price * share });
const oneOf = (prices: readonly number[]) => (_: Home, random: Random) => ({ price: pick(random, prices) });
const toFifty = (price: number): number => Math.round(price / 50) * 50;

/** Ads whose numbers are wrong, or look wrong. What texts say of them is tested with the readers of texts. */
export const KINDS: Readonly<Record<Expectation, Readonly<Record<string, Kind>>>> = {
  bait: {
    'bait 45% below': { of: HOMES, home: { spread: 0.04 }, post: atShare(0.53, 0.57) },
    'bait 55% below': { of: HOMES, home: { spread: 0.04 }, post: atShare(0.43, 0.47) },
    'bait 65% below': { of: HOMES, home: { spread: 0.04 }, post: atShare(0.33, 0.37) },
    'area doubled': { of: FLATS, home: { spread: 0.04 }, post: (home) => ({ area: home.area * 2 }) },
  },
  hidden: {
    'price per m2 as total': {
      of: [...SALE, 'land_sale'],
      post: (home) => ({ price: Math.round(home.price / home.area) }),
    },
    'monthly rent as yearly': { of: RENT, post: (home) => ({ price: toFifty(home.price / 12) }) },
    'daily rent as yearly': {
      of: [...RENT, 'studio_rent'],
      post: (home) => ({ price: Math.max(150, Math.round(home.price / 200 / 10) * 10) }),
    },
    'weekly rent as yearly': { of: RENT, post: (home) => ({ price: toFifty(home.price / 40) }) },
    'sale price posted as rent': { of: RENT, post: times(17) },
    'monthly rent posted as sale': { of: SALE, post: (home) => ({ price: toFifty((home.price * 0.055) / 12) }) },
    'price in halalas': { of: HOMES, post: times(100) },
    'thousands dropped': { of: HOMES, post: (home) => ({ price: Math.round(home.price / 1_000) }) },
    'price with an extra digit': { of: HOMES, post: times(10) },
    'price with a digit missing': { of: HOMES, post: times(0.1) },
    'placeholder of few digits': { of: HOMES, post: oneOf([1, 10, 100, 111, 123, 1_000, 1_234]) },
    'placeholder of one digit repeated': {
      of: SALE,
      post: oneOf([111_111, 99_999_999, 9_999_999, 11_111_111, 99_999]),
    },
    'telephone number as price': {
      of: HOMES,
      post: (_, random) => ({ price: 500_000_000 + Math.floor(random() * 99_999_999) }),
    },
    'area with a digit missing': { of: HOMES, post: (home) => ({ area: Math.max(8, Math.floor(home.area / 10)) }) },
    'area in square feet': { of: HOMES, post: (home) => ({ area: Math.round(home.area * 10.764) }) },
    'area in thousands': { of: FLATS, post: (home) => ({ area: home.area * 1_000 }) },
    'area of one': { of: SALE, post: (_, random) => ({ area: pick(random, [1, 2, 5]) }) },
    'area of the plot for a flat': {
      of: ['flat_sale', 'flat_rent'],
      post: (home, random) => ({ area: Math.round(home.area * between(random, 5, 7)) }),
    },
    'price and area swapped': { of: HOMES, post: (home) => ({ price: home.area, area: home.price }) },
    'bedrooms typed twice': { of: HOMES, post: (home) => ({ bedrooms: (home.bedrooms ?? 3) * 11 }) },
  },
  // A price in dollars is 27% of that in SAR. Without a word for it, only the distance to comparable homes reveals it.
  flagged: {
    'price in dollars': { of: SALE, post: (home) => ({ price: Math.round(home.price / 3.75 / 1_000) * 1_000 }) },
  },
  control: {
    'large home': { of: ['villa_sale', 'floor_sale', 'villa_rent'], home: { areas: 2.2, age: 2, spread: 0.05 } },
    'old flat at its price': { of: ['flat_sale'], home: { age: 27, spread: 0.04 } },
    luxury: {
      of: SALE,
      home: { age: 0, spread: 0.04 },
      post: (home) => ({ price: rounded(home.price * 1.7) }),
    },
    'small studio': { of: ['studio_rent'], home: { areas: 0.52, spread: 0.05 } },
  },
  bargain: {
    'bargain of 25 to 35%': { of: [...SALE, 'flat_rent'], home: { spread: 0.03 }, post: atShare(0.66, 0.74) },
  },
};
