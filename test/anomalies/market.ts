import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { LatLng } from '#domain/geography/places.ts';
import type { PropertyType } from '#domain/listings/vocabulary.ts';
import { between, type Home, type Language, pick, type Random, type Segment } from './home.ts';
import { textOf } from './words.ts';

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

export const SEGMENTS: Readonly<Record<Segment, SegmentShape>> = {
  flat_sale: { type: 'apartment', purpose: 'sale', area: [105, 195], room: 45, level: 1, count: 110 },
  villa_sale: { type: 'villa', purpose: 'sale', area: [250, 430], room: 68, level: 0.95, count: 90 },
  floor_sale: { type: 'floor', purpose: 'sale', area: [180, 300], room: 60, level: 0.85, count: 55 },
  flat_rent: { type: 'apartment', purpose: 'rent', area: [95, 190], room: 45, level: 1, count: 110 },
  villa_rent: { type: 'villa', purpose: 'rent', area: [250, 430], room: 68, level: 0.9, count: 50 },
  studio_rent: { type: 'studio', purpose: 'rent', area: [28, 52], room: null, level: 1.5, count: 25 },
  land_sale: { type: 'land', purpose: 'sale', area: [300, 900], room: null, level: 0.6, count: 35 },
};

export const NEIGHBORHOODS = neighborhoodsOf('riyadh').filter(({ slug }) => slug in LEVELS);

const LANGUAGES: readonly Language[] = ['ar', 'ar', 'ar', 'mixed', 'en'];

/** Rounds a price in SAR to the steps that advertisers use. */
export function rounded(price: number): number {
  const step = price >= 2_000_000 ? 10_000 : price >= 200_000 ? 5_000 : price >= 5_000 ? 500 : 10;
  return Math.max(step, Math.round(price / step) * step);
}

/** Returns the expected price of a home in SAR. A 25-year-old flat costs 30% less than a new one. */
function expectation(home: Pick<Home, 'segment' | 'area' | 'age'>, neighborhood: string): number {
  const { purpose, level, area } = SEGMENTS[home.segment];
  const [sale, rent] = LEVELS[neighborhood] as readonly [number, number];
  const size = (home.area / ((area[0] + area[1]) / 2)) ** -0.12;
  const wear = 1 - 0.012 * Math.min(home.age ?? 0, 30);
  return (purpose === 'sale' ? sale : rent) * level * home.area * size * wear;
}

export interface HomeChanges {
  age?: number;
  statesAge?: boolean;
  /** Multiple of the largest ordinary area. */
  areas?: number;
  language?: Language;
  /** Standard deviation of the logarithm of the price around the expected price. */
  spread?: number;
}

/** Cells per side of a neighborhood. Each cell has one home, so homes are too far apart to be merged as duplicates. */
const SIDE = 27;
const CELL_DEGREES = 0.0009;
/** Cells between consecutive homes. Coprime to the number of cells, so that every cell is used before any cell is reused. */
const STRIDE = 239;

function pointOf(center: LatLng, home: number): LatLng {
  const cell = (home * STRIDE) % SIDE ** 2;
  const offset = (line: number): number => (line - (SIDE - 1) / 2) * CELL_DEGREES;
  return {
    lat: Number((center.lat + offset(Math.floor(cell / SIDE))).toFixed(6)),
    lng: Number((center.lng + offset(cell % SIDE)).toFixed(6)),
  };
}

/**
 * Creates a home of a segment with a price near the price of comparable homes. `built` counts the homes per neighborhood.
 */
export function makeHome(
  key: string,
  segment: Segment,
  at: number,
  built: Map<string, number>,
  random: Random,
  changes: HomeChanges = {},
): Home {
  const { type, purpose, area: range, room } = SEGMENTS[segment];
  const neighborhood = NEIGHBORHOODS[at % NEIGHBORHOODS.length] as (typeof NEIGHBORHOODS)[number];
  const center = neighborhood.center ?? { lat: 24.7, lng: 46.7 };
  const number = built.get(neighborhood.slug) ?? 0;
  built.set(neighborhood.slug, number + 1);
  const area = Math.round(changes.areas ? range[1] * changes.areas : between(random, ...range));
  const drawn = random() < 0.45 ? 0 : random() < 0.75 ? Math.ceil(random() * 12) : 13 + Math.floor(random() * 17);
  const age = type === 'land' ? null : (changes.age ?? drawn);
  const expected = expectation({ segment, area, age }, neighborhood.slug);
  const normal = random() + random() + random() + random() - 2;
  const price = rounded(expected * Math.exp(normal * 1.73 * (changes.spread ?? 0.11)));
  return {
    key,
    segment,
    type,
    purpose,
    neighborhood: { slug: neighborhood.slug, name_ar: neighborhood.name_ar, name_en: neighborhood.name_en },
    ...pointOf(center, number),
    area,
    bedrooms: room === null ? null : Math.max(1, Math.round(area / room)),
    age,
    statesAge: changes.statesAge ?? random() < 0.9,
    expected,
    price,
    style: { language: changes.language ?? pick(random, LANGUAGES), arabicDigits: random() < 0.4 },
  };
}

/** Facts that an ad states in fields other than its text. */
export interface Posting {
  price: number | string | null;
  area: number | string | null;
  bedrooms: number | null;
  title?: string;
  photos?: readonly string[];
}

/** Returns the feed row of a home's ad. `says` are sentences of the ad's text. */
export function rowOf(
  home: Home,
  posting: Posting,
  says: readonly string[],
  random: Random,
  now: number,
  opens = false,
) {
  const { title, description } = textOf(home, says, opens, random);
  const raw = {
    source_listing_id: home.key,
    url: `https://ads.example/${home.key}`,
    title: posting.title ?? title,
    description,
    purpose: home.purpose,
    property_type: home.type,
    price: posting.price,
    ...(home.purpose === 'rent' ? { price_period: 'yearly' } : {}),
    area: posting.area,
    bedrooms: posting.bedrooms,
    bathrooms: home.bedrooms === null ? null : Math.max(1, home.bedrooms - 1),
    age_years: home.statesAge ? home.age : null,
    street_width: random() < 0.6 ? pick(random, [15, 18, 20, 30]) : null,
    city: 'Riyadh',
    neighborhood: home.style.language === 'en' ? home.neighborhood.name_en : home.neighborhood.name_ar,
    lat: home.lat,
    lng: home.lng,
    photos: posting.photos ?? [1, 2, 3].map((number) => `https://photos.example/${home.key}-${number}.jpg`),
    advertiser_key: `advertiser-${Math.floor(random() * 900)}`,
    updated_at: new Date(now - Math.floor(random() * 20) * 86_400_000).toISOString(),
  };
  return { ok: true, raw, row: raw } as const;
}
