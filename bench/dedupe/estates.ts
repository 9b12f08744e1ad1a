import { METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import type { ListingType, PropertyType } from '#domain/listings/vocabulary.ts';
import type { Advertiser, AdvertiserKind, Property } from '#ingest/sample/ad.ts';
import { hashText, Random, Weighted } from '#ingest/sample/random.ts';

/**
 * What stands on a plot: one home, several units of one building, villas built alike side by side, or strangers that
 * only look alike.
 */
export type EstateKind = 'home' | 'tower' | 'block' | 'twins' | 'lookalikes';

export interface Home extends Property {
  estate: number;
  estate_kind: EstateKind;
  /** What its door says, where doors are numbered. */
  unit: string | null;
  /** What is particular about it, by number in the lists of `wording.ts`. */
  details: readonly number[];
}

/** Share of the cities, and what a square meter of an apartment costs there. */
const CITY_SHARES: readonly (readonly [slug: string, share: number, perSqm: number])[] = [
  ['riyadh', 46, 5900],
  ['jeddah', 24, 4500],
  ['dammam', 12, 3500],
  ['makkah', 10, 4100],
  ['abha', 8, 2800],
];

interface TypeFacts {
  area: readonly [low: number, high: number];
  bedrooms: readonly [low: number, high: number] | null;
  /** Price of a square meter, relative to an apartment's. */
  perSqm: number;
}

const TYPES: Partial<Record<PropertyType, TypeFacts>> = {
  apartment: { area: [85, 210], bedrooms: [2, 5], perSqm: 1 },
  floor: { area: [150, 300], bedrooms: [3, 6], perSqm: 0.93 },
  villa: { area: [220, 520], bedrooms: [4, 7], perSqm: 1.1 },
  duplex: { area: [210, 360], bedrooms: [4, 6], perSqm: 1.06 },
  townhouse: { area: [160, 260], bedrooms: [3, 5], perSqm: 1.15 },
  studio: { area: [28, 60], bedrooms: [1, 1], perSqm: 1.3 },
  office: { area: [45, 260], bedrooms: null, perSqm: 1.2 },
  shop: { area: [25, 140], bedrooms: null, perSqm: 1.5 },
  land: { area: [300, 900], bedrooms: null, perSqm: 0.6 },
};
const HOME_TYPES = new Weighted<PropertyType>([
  ['apartment', 46],
  ['villa', 20],
  ['floor', 12],
  ['duplex', 5],
  ['townhouse', 4],
  ['studio', 2],
  ['office', 3],
  ['shop', 2],
  ['land', 6],
]);
const ESTATES = new Weighted<EstateKind>([
  ['home', 84],
  ['lookalikes', 6],
  ['twins', 3],
  ['block', 4],
  ['tower', 3],
]);
const FLATS: ReadonlySet<PropertyType> = new Set(['apartment', 'floor', 'studio', 'office']);
const RENTS = 0.48;
const YIELD = 0.058;
const AGENCIES = 140;

const CITIES_BY_SHARE = new Weighted(
  CITY_SHARES.flatMap(([slug, share, perSqm]) => {
    const city = CITIES.find((one) => one.slug === slug);
    if (city === undefined) return [];
    const centered = neighborhoodsOf(slug).flatMap((place) =>
      place.center === null ? [] : [{ place, center: place.center }],
    );
    // A market has its favorite neighborhoods, and those are not the first of an alphabetical list.
    const ranked = centered.toSorted((a, b) => hashText(a.place.slug) - hashText(b.place.slug));
    const places = new Weighted(ranked.map((one, rank) => [one, 1 / (rank + 3)] as const));
    return [[{ city, perSqm, places }, share] as const];
  }),
);

/** The homes of the next plot, all from `random`. */
export function nextEstate(random: Random, estate: number, nextId: () => number): Home[] {
  const { city, perSqm, places } = CITIES_BY_SHARE.pick(random);
  const { place, center } = places.pick(random);
  const kind = ESTATES.pick(random);
  const property_type: PropertyType =
    kind === 'tower' || kind === 'block'
      ? random.chance(0.8)
        ? 'apartment'
        : 'floor'
      : kind === 'twins'
        ? random.pick(['villa', 'duplex', 'townhouse'] as const)
        : HOME_TYPES.pick(random);
  const listing_type: ListingType = property_type === 'land' || random.chance(1 - RENTS) ? 'sale' : 'rent';
  const facts = TYPES[property_type] as TypeFacts;
  const level = new Random(hashText(place.slug), 5).between(0.7, 1.45);
  const bedrooms = facts.bedrooms === null ? null : random.int(...facts.bedrooms);
  const area = areaOf(random, facts, bedrooms);
  const rate = perSqm * facts.perSqm * level * random.between(0.82, 1.2) * (listing_type === 'rent' ? YIELD : 1);
  const placeDetails = sampled(random, 40, 2);
  const base = {
    city,
    neighborhood: place,
    listing_type,
    property_type,
    bedrooms,
    bathrooms: bedrooms === null ? null : Math.max(1, bedrooms - random.int(0, 2)),
    livings: bedrooms === null || random.chance(0.4) ? null : random.int(1, 2),
    age: property_type === 'land' ? null : random.chance(0.35) ? 0 : random.int(1, 28),
    furnished: null,
    amenities: random.chance(0.5) || bedrooms === null ? [] : (['kitchen', 'ac', 'parking'] as const),
    street_width: random.chance(0.6) ? random.pick([12, 15, 16, 20, 25, 30, 40]) : null,
    compound: null,
    project_id: null,
    bank: null,
    estate,
    estate_kind: kind,
  };
  const shape = { random, base, place, center, area, rate, placeDetails, nextId };
  if (kind === 'tower') return units(shape, random.int(5, 11), random.int(2, 4));
  if (kind === 'block') return units(shape, random.int(2, 4), random.int(1, 3));
  if (kind === 'twins') return alike(shape, random.int(2, 4), random.int(12, 30), 0);
  if (kind === 'lookalikes') return alike(shape, random.int(2, 3), random.int(160, 700), 0.03);
  const home: Home = {
    ...base,
    ...around(random, center, 750),
    id: nextId(),
    area,
    price: rounded(area * rate),
    floor: FLATS.has(property_type) ? random.int(0, 6) : null,
    unit: FLATS.has(property_type) && random.chance(0.5) ? String(random.int(1, 24)) : null,
    details: [...placeDetails, ...sampled(random, 120, random.int(2, 4))],
    advertiser: advertiserOf(random, city),
    photos: random.int(4, 12),
  };
  return [home];
}

interface Shape {
  random: Random;
  base: Omit<Home, 'id' | 'lat' | 'lng' | 'area' | 'price' | 'floor' | 'unit' | 'details' | 'advertiser' | 'photos'>;
  place: Neighborhood;
  center: LatLng;
  area: number;
  rate: number;
  placeDetails: readonly number[];
  nextId: () => number;
}

/** Units of one building: a few plans, repeated on every floor; most by the advertiser of the building. */
function units(
  { random, base, center, area, rate, placeDetails, nextId }: Shape,
  floors: number,
  plans: number,
): Home[] {
  const point = around(random, center, 750);
  const owner: Advertiser = { key: `b${base.estate}`, kind: random.chance(0.5) ? 'developer' : 'agency' };
  const details = [...placeDetails, ...sampled(random, 120, 2)];
  const sizes = Array.from({ length: plans }, (_, plan) => Math.round(area * (1 + plan * random.between(0.02, 0.11))));
  const premium = random.pick([0, 0, 0.008, 0.015]);
  const byFloor = random.chance(0.5);
  const homes: Home[] = [];
  for (let floor = 0; floor < floors; floor++)
    for (const [plan, size] of sizes.entries()) {
      if (random.chance(0.45)) continue;
      homes.push({
        ...base,
        ...point,
        id: nextId(),
        area: size,
        bedrooms: base.bedrooms === null ? null : base.bedrooms + (plan === 3 ? 1 : 0),
        price: rounded(size * rate * (1 + premium * floor)),
        floor,
        unit: byFloor ? String((floor + 1) * 100 + plan + 1) : String(floor * plans + plan + 1),
        details: random.chance(0.3) ? [...details, random.int(0, 119)] : details,
        advertiser: random.chance(0.85) ? owner : advertiserOf(random, base.city),
        photos: random.int(3, 9),
      });
    }
  return homes;
}

/** Homes that resemble one another: built alike side by side, or by chance some streets away. */
function alike(
  { random, base, center, area, rate, placeDetails, nextId }: Shape,
  count: number,
  apart: number,
  spread: number,
): Home[] {
  const first = around(random, center, 600);
  const together = spread === 0;
  const one = advertiserOf(random, base.city);
  const details = sampled(random, 120, 3);
  return Array.from({ length: count }, (_, at): Home => {
    const size = at === 0 || together ? area : Math.max(10, Math.round(area * (1 + random.between(-spread, spread))));
    return {
      ...base,
      ...(at === 0 ? first : ring(random, first, apart * (together ? at : 1))),
      id: nextId(),
      area: size,
      price: rounded(size * rate * (together ? 1 : 1 + random.between(-spread, spread))),
      floor: FLATS.has(base.property_type) ? random.int(0, 5) : null,
      unit: together ? String(at + 1) : null,
      age: together ? base.age : base.age === null ? null : random.int(0, 20),
      details: together ? [...placeDetails, ...details] : sampled(random, 120, random.int(3, 5)),
      advertiser: together && random.chance(0.8) ? one : advertiserOf(random, base.city),
      photos: random.int(4, 10),
    };
  });
}

/** Offices and agencies of a city have many homes, owners one. */
export function advertiserOf(random: Random, city: City): Advertiser {
  const kind: AdvertiserKind = random.pick([
    'office',
    'office',
    'office',
    'agency',
    'agent',
    'owner',
    'owner',
  ] as const);
  if (kind === 'owner') return { key: `w${random.int(1, 9_999_999)}`, kind };
  return { key: `${city.slug.slice(0, 2)}${Math.floor(random.next() ** 1.7 * AGENCIES)}`, kind };
}

/** A point `meters` away from another. */
export function ring(random: Random, point: LatLng, meters: number): LatLng {
  const angle = random.between(0, 2 * Math.PI);
  const digits = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return {
    lat: digits(point.lat + (Math.sin(angle) * meters) / METERS_PER_DEGREE),
    lng: digits(point.lng + (Math.cos(angle) * meters) / metersPerDegreeEast(point.lat)),
  };
}

const around = (random: Random, center: LatLng, meters: number): LatLng =>
  ring(random, center, meters * Math.sqrt(random.next()));

function areaOf(random: Random, { area: [low, high], bedrooms: range }: TypeFacts, bedrooms: number | null): number {
  if (range === null || bedrooms === null || range[0] === range[1]) return Math.round(random.between(low, high));
  const share = (bedrooms - range[0] + random.between(-0.4, 1.2)) / (range[1] - range[0] + 1);
  return Math.round(low + (high - low) * Math.min(1, Math.max(0, share)));
}

export function rounded(price: number): number {
  const step = price > 3_000_000 ? 50_000 : price > 300_000 ? 5_000 : price > 60_000 ? 1_000 : price > 5_000 ? 500 : 50;
  return Math.max(step, Math.round(price / step) * step);
}

function sampled(random: Random, below: number, count: number): number[] {
  return Array.from({ length: count }, () => random.int(0, below - 1));
}
