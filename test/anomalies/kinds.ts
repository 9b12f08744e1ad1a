import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';

type Random = () => number;
const between = (random: Random, min: number, max: number): number => min + random() * (max - min);

/** Price per m² of a new home in the first and in each further neighborhood, in SAR. A yearly rent is 6% of it. */
const LEVEL = { first: 3_600, step: 850 };
const RENT_SHARE = 0.06;
export const NEIGHBORHOODS = neighborhoodsOf('riyadh').slice(0, 8);

/**
 * Type, purpose, range of areas and area per bedroom in m² (null for types without bedrooms), price level relative to the
 * neighborhood, and number of ordinary homes per neighborhood.
 */
export const SEGMENTS = {
  flat_sale: { type: 'apartment', purpose: 'sale', area: [105, 195], room: 45, level: 1, count: 110 },
  villa_sale: { type: 'villa', purpose: 'sale', area: [250, 430], room: 68, level: 0.95, count: 90 },
  floor_sale: { type: 'floor', purpose: 'sale', area: [180, 300], room: 60, level: 0.85, count: 55 },
  flat_rent: { type: 'apartment', purpose: 'rent', area: [95, 190], room: 45, level: 1, count: 110 },
  villa_rent: { type: 'villa', purpose: 'rent', area: [250, 430], room: 68, level: 0.9, count: 50 },
  studio_rent: { type: 'studio', purpose: 'rent', area: [28, 52], room: null, level: 1.5, count: 25 },
  land_sale: { type: 'land', purpose: 'sale', area: [300, 900], room: null, level: 0.6, count: 35 },
} as const;
export type Segment = keyof typeof SEGMENTS;

/** True facts of a home. Its ad may state different values. */
export interface Home {
  segment: Segment;
  neighborhood: string;
  area: number;
  bedrooms: number | null;
  age: number | null;
  /** Sale price or yearly rent in SAR. */
  price: number;
}

interface HomeChanges {
  age?: number;
  /** Multiple of the largest ordinary area. */
  areas?: number;
  /** Standard deviation of the logarithm of the price around the expected price. */
  spread?: number;
}

/** Rounds a price in SAR to the steps that advertisers use. */
function rounded(price: number): number {
  const step = price >= 2_000_000 ? 10_000 : price >= 200_000 ? 5_000 : price >= 5_000 ? 500 : 10;
  return Math.max(step, Math.round(price / step) * step);
}

/** Creates homes with prices near those of comparable homes. A 25-year-old flat costs 30% less than a new one. */
export function makeHome(random: Random, segment: Segment, at: number, changes: HomeChanges = {}): Home {
  const { type, purpose, area: range, room, level } = SEGMENTS[segment];
  const place = at % NEIGHBORHOODS.length;
  const area = Math.round(changes.areas ? range[1] * changes.areas : between(random, range[0], range[1]));
  const drawn = random() < 0.45 ? 0 : random() < 0.75 ? Math.ceil(random() * 12) : 13 + Math.floor(random() * 17);
  const age = type === 'land' ? null : (changes.age ?? drawn);
  const size = (area / ((range[0] + range[1]) / 2)) ** -0.12;
  const wear = 1 - 0.012 * Math.min(age ?? 0, 30);
  const rate = (LEVEL.first + LEVEL.step * place) * (purpose === 'sale' ? 1 : RENT_SHARE);
  const normal = random() + random() + random() + random() - 2;
  return {
    ...{ segment, neighborhood: NEIGHBORHOODS[place]?.name_ar ?? '', area, age },
    bedrooms: room === null ? null : Math.max(1, Math.round(area / room)),
    price: rounded(rate * level * area * size * wear * Math.exp(normal * 1.73 * (changes.spread ?? 0.11))),
  };
}

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

const times = (share: number) => (home: Home) => ({ price: home.price * share });
const pick = (random: Random, of: readonly number[]): number => of[Math.floor(random() * of.length)] as number;
const oneOf = (prices: readonly number[]) => (_: Home, random: Random) => ({ price: pick(random, prices) });
const toFifty = (price: number): number => Math.round(price / 50) * 50;

/** Ads with wrong numbers. What texts say of them is tested with the readers of texts. */
export const WRONG: Readonly<Record<string, Kind>> = {
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
};

/** Ads whose numbers are right, but unusual. */
export const UNUSUAL: Readonly<Record<string, Kind>> = {
  'large home': { of: ['villa_sale', 'floor_sale', 'villa_rent'], home: { areas: 2.2, age: 2, spread: 0.05 } },
  'old flat at its price': { of: ['flat_sale'], home: { age: 27, spread: 0.04 } },
  luxury: {
    of: SALE,
    home: { age: 0, spread: 0.04 },
    post: (home) => ({ price: rounded(home.price * 1.7) }),
  },
  'small studio': { of: ['studio_rent'], home: { areas: 0.52, spread: 0.05 } },
};
