import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { LatLng } from '#domain/geography/places.ts';
import type { PropertyType } from '#domain/listings/vocabulary.ts';

export type Random = () => number;
export const between = (random: Random, min: number, max: number): number => min + random() * (max - min);
export const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;

/** Price per m² of a new home by neighborhood, in SAR: sale price and yearly rent. */
const LEVELS: Readonly<Record<string, readonly [sale: number, rent: number]>> = {
  al_malqa: [8_600, 480],
  hittin: [9_600, 520],
  al_yasmin: [7_200, 420],
  al_narjis: [6_600, 380],
  qurtubah: [5_800, 340],
  al_munsiyah: [5_200, 310],
  al_yarmuk: [4_900, 300],
  tuwaiq: [3_600, 230],
};
export const NEIGHBORHOODS = neighborhoodsOf('riyadh').filter(({ slug }) => slug in LEVELS);

interface SegmentShape {
  type: PropertyType;
  purpose: 'sale' | 'rent';
  area: readonly [min: number, max: number];
  /** Area per bedroom in m²; null for types without bedrooms. */
  room: number | null;
  /** Price level relative to the neighborhood. */
  level: number;
  /** Ordinary homes per neighborhood. */
  count: number;
}

export const SEGMENTS = {
  flat_sale: { type: 'apartment', purpose: 'sale', area: [105, 195], room: 45, level: 1, count: 110 },
  villa_sale: { type: 'villa', purpose: 'sale', area: [250, 430], room: 68, level: 0.95, count: 90 },
  floor_sale: { type: 'floor', purpose: 'sale', area: [180, 300], room: 60, level: 0.85, count: 55 },
  flat_rent: { type: 'apartment', purpose: 'rent', area: [95, 190], room: 45, level: 1, count: 110 },
  villa_rent: { type: 'villa', purpose: 'rent', area: [250, 430], room: 68, level: 0.9, count: 50 },
  studio_rent: { type: 'studio', purpose: 'rent', area: [28, 52], room: null, level: 1.5, count: 25 },
  land_sale: { type: 'land', purpose: 'sale', area: [300, 900], room: null, level: 0.6, count: 35 },
} as const satisfies Readonly<Record<string, SegmentShape>>;
export type Segment = keyof typeof SEGMENTS;

/** True facts of a home. Its ad may state different values. */
export interface Home extends LatLng {
  key: string;
  segment: Segment;
  neighborhood: string;
  area: number;
  bedrooms: number | null;
  age: number | null;
  /** Price of comparable homes in SAR: sale price or yearly rent. */
  expected: number;
  price: number;
}

export interface HomeChanges {
  age?: number;
  /** Multiple of the largest ordinary area. */
  areas?: number;
  /** Standard deviation of the logarithm of the price around the expected price. */
  spread?: number;
}

/** Rounds a price in SAR to the steps that advertisers use. */
export function rounded(price: number): number {
  const step = price >= 2_000_000 ? 10_000 : price >= 200_000 ? 5_000 : price >= 5_000 ? 500 : 10;
  return Math.max(step, Math.round(price / step) * step);
}

/** Cells per side of a neighborhood, each with one home. */
const SIDE = 27;
const CELL_DEGREES = 0.0009;
/** Cells between consecutive homes. Coprime to the number of cells, so that every cell is used before any is reused. */
const STRIDE = 239;

function pointOf(center: LatLng, home: number): LatLng {
  const cell = (home * STRIDE) % SIDE ** 2;
  const offset = (line: number): number => (line - (SIDE - 1) / 2) * CELL_DEGREES;
  return { lat: center.lat + offset(Math.floor(cell / SIDE)), lng: center.lng + offset(cell % SIDE) };
}

/** Creates homes with prices near those of comparable homes. A 25-year-old flat costs 30% less than a new one. */
export function homeMaker(random: Random) {
  const built = new Map<string, number>();
  return (key: string, segment: Segment, at: number, changes: HomeChanges = {}): Home => {
    const { type, purpose, area: range, room, level }: SegmentShape = SEGMENTS[segment];
    const neighborhood = NEIGHBORHOODS[at % NEIGHBORHOODS.length] as (typeof NEIGHBORHOODS)[number];
    const number = built.get(neighborhood.slug) ?? 0;
    built.set(neighborhood.slug, number + 1);
    const area = Math.round(changes.areas ? range[1] * changes.areas : between(random, ...range));
    const drawn = random() < 0.45 ? 0 : random() < 0.75 ? Math.ceil(random() * 12) : 13 + Math.floor(random() * 17);
    const age = type === 'land' ? null : (changes.age ?? drawn);
    const [sale, rent] = LEVELS[neighborhood.slug] as readonly [number, number];
    const size = (area / ((range[0] + range[1]) / 2)) ** -0.12;
    const wear = 1 - 0.012 * Math.min(age ?? 0, 30);
    const expected = (purpose === 'sale' ? sale : rent) * level * area * size * wear;
    const normal = random() + random() + random() + random() - 2;
    return {
      key,
      segment,
      neighborhood: neighborhood.name_ar,
      ...pointOf(neighborhood.center ?? { lat: 24.7, lng: 46.7 }, number),
      area,
      bedrooms: room === null ? null : Math.max(1, Math.round(area / room)),
      age,
      expected,
      price: rounded(expected * Math.exp(normal * 1.73 * (changes.spread ?? 0.11))),
    };
  };
}
