import { flatMeters, METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import {
  AMENITIES,
  type Amenity,
  type ListingType,
  PAYMENTS_PER_YEAR,
  type PropertyType,
  type RentFrequency,
} from '#domain/listing-vocabulary.ts';
import market from './market.json' with { type: 'json' };
import phrases from './phrases.json' with { type: 'json' };
import { hashText, Random, Weighted, weighted } from './random.ts';

/** The true facts of a home, shop or plot. */
export interface Property {
  id: number;
  city: City;
  neighborhood: Neighborhood;
  lat: number;
  lng: number;
  listing_type: ListingType;
  property_type: PropertyType;
  /** Annual rent or sale price in SAR. */
  price: number;
  area: number;
  bedrooms: number | null;
  bathrooms: number | null;
  livings: number | null;
  floor: number | null;
  age: number | null;
  furnished: boolean | null;
  amenities: readonly Amenity[];
  street_width: number | null;
  compound: string | null;
  /** The off-plan project of a unit. */
  project: { id?: number | string; name?: string; developer?: string } | null;
  bank: boolean | null;
  advertiser: Advertiser;
}

interface Advertiser {
  key: string;
  kind: keyof typeof market.advertisers;
}

/** An apartment in the middle of the market. Examples and units of projects state what differs. */
export const APARTMENT = {
  listing_type: 'rent',
  property_type: 'apartment',
  price: 66_000,
  area: 145,
  bedrooms: 3,
  bathrooms: 3,
  livings: 1,
  floor: 2,
  age: 3,
  furnished: false,
  amenities: ['ac', 'kitchen', 'balcony', 'parking', 'lift'],
  street_width: 20,
  compound: null,
  project: null,
  bank: null,
} as const;

/** A property as posted on one source on one day. */
export interface Ad {
  id: string;
  property: Property;
  title: string;
  description: string;
  description_en: string | null;
  /** The posted amount per `frequency`. */
  price: number | null;
  /** Null for a sale. */
  frequency: RentFrequency | null;
  area: number;
  bedrooms: number | null;
  point: LatLng | null;
  photos: readonly string[];
  advertiser: Advertiser;
  verified: boolean;
  pay_later_monthly: number | null;
  /** Epoch seconds. */
  created: number;
  updated: number;
}

type TypeMarket = (typeof market.types)[PropertyType];
const CITY_MARKETS: Readonly<Record<string, (typeof market.cities)['riyadh']>> = market.cities;
/** SAR per square meter of an apartment for sale. */
export const pricePerSqm = (city: string): number => CITY_MARKETS[city]?.sqm ?? 0;
/** Monthly change of prices in percent. */
export const driftOf = ({ city, listing_type }: Property): number =>
  CITY_MARKETS[city.slug]?.[`${listing_type}_drift`] ?? 0;

const RENT_SHARE = 0.52;
/** Share of buildings among groups, and of towers among buildings; number of homes in each. */
const BUILDING = { share: 0.025, towers: 0.12, homes: [4, 10], towerHomes: [10, 16] } as const;
/** Maximum distance of a neighborhood from the center of its city. */
const CITY_REACH_M = 32_000;

const typesFor = (by: ListingType): Weighted<PropertyType> =>
  new Weighted(Object.entries(market.types).map(([type, own]) => [type as PropertyType, own[by]] as const));
const TYPES = { sale: typesFor('sale'), rent: typesFor('rent') };
const BUILDING_TYPES = weighted<PropertyType>(market.types_of_buildings);
const ADVERTISERS = weighted<Advertiser['kind']>(market.advertisers);
const { compounds } = phrases;

export type Market = ReturnType<typeof marketOf>;

/** Returns few neighborhoods of each city, so that even a small sample has enough for every statistic. */
export function marketOf(listings: number) {
  return new Weighted(
    CITIES.flatMap((city) => {
      const weight = CITY_MARKETS[city.slug]?.weight ?? 0;
      const count = Math.max(5, 5 + ((listings * weight) / 100 - 900) / 55);
      const places = weight === 0 ? [] : placesOf(city).slice(0, count);
      return places.length === 0
        ? []
        : [[{ city, places: new Weighted(places.map((place, rank) => [place, 1 / (rank + 8)])) }, weight] as const];
    }),
  );
}

function placesOf(city: City) {
  const centered = neighborhoodsOf(city.slug).flatMap((neighborhood) =>
    neighborhood.center === null ? [] : [{ neighborhood, center: neighborhood.center }],
  );
  return centered.flatMap(({ neighborhood, center }) => {
    if (flatMeters(center, city.center) > CITY_REACH_M) return [];
    const others = centered.filter((other) => other.neighborhood !== neighborhood);
    const reach = Math.min(3000, ...others.map((other) => flatMeters(center, other.center))) / 2;
    const side = neighborhood.direction_id === 1 ? 1.18 : neighborhood.direction_id === 2 ? 0.85 : 1;
    const fixed = new Random(hashText(`${neighborhood.city}/${neighborhood.slug}`), 0);
    return [{ neighborhood, center, reach, level: side * fixed.spread(0.18) }];
  });
}

export function homesOfGroup(random: Random, nextId: () => number, cities: Market): Property[] {
  const { city, places } = cities.pick(random);
  const place = places.pick(random);
  const building = random.chance(BUILDING.share);
  const listing_type: ListingType = random.chance(RENT_SHARE) ? 'rent' : 'sale';
  const property_type = building ? BUILDING_TYPES.pick(random) : TYPES[listing_type].pick(random);
  const type: TypeMarket = market.types[property_type];
  const inBuilding = type.in === 'building';
  const built = type.in !== 'plot';
  const bedrooms =
    type.bedrooms && new Weighted(type.bedrooms.map((weight, count) => [count, weight] as const)).pick(random);
  const tower = building && inBuilding && random.chance(BUILDING.towers);
  const age = built ? ageOf(random, building) : null;
  const inside = Math.sqrt(random.next()) * 0.93 + (random.chance(0.01) ? 0.5 : 0);
  const shared = {
    ...moved(random, place.center, place.reach * inside),
    city,
    neighborhood: place.neighborhood,
    listing_type,
    property_type,
    bedrooms,
    bathrooms: built ? Math.max(1, Math.round((bedrooms ?? 1) * random.between(0.6, 1.1))) : null,
    livings: bedrooms === null || property_type === 'room' ? null : random.chance(0.75) ? 1 : 2,
    age,
    furnished: bedrooms === null || random.chance(0.4) ? null : random.chance(listing_type === 'rent' ? 0.3 : 0.06),
    street_width: random.chance(0.7) ? random.pick([10, 12, 15, 15, 18, 20, 20, 25, 30, 36, 40, 60]) : null,
    compound:
      building && (tower || random.chance(0.7))
        ? `${tower ? 'برج' : random.pick(compounds.first)} ${random.pick(compounds.last)}`
        : null,
    project: building && age === 0 && random.chance(0.5) ? { id: random.int(1, 400) } : null,
    bank: listing_type === 'sale' && random.chance(0.6) ? random.chance(0.8) : null,
    amenities: amenitiesOf(random, type),
    advertiser: building
      ? { key: `d${random.int(1, 300)}`, kind: 'developer' as const }
      : advertiser(random, city.slug),
  };
  const [fewest, most] = tower ? BUILDING.towerHomes : BUILDING.homes;
  const count = building ? random.int(fewest, most) : 1;
  const area = areaOf(random, type, bedrooms);
  const aged = age === null ? 1 : Math.max(0.65, 1.06 - age * 0.012);
  const perSqm =
    pricePerSqm(city.slug) * place.level * type.sqm * aged * (area / type.area) ** -0.15 * random.spread(0.14);
  const lowest = random.int(0, 2);
  return Array.from({ length: count }, (_, at): Property => {
    const ownArea = building ? Math.round(area * (0.8 + ((tower ? 0.7 : 0.4) * at) / count) + at) : area;
    const price = ownArea * perSqm * (building ? random.between(0.97, 1.03) : 1);
    const floor = building
      ? lowest + (at >> 1)
      : Math.min(12, Math.floor(Math.abs(random.normal()) * 2.2) - (random.chance(0.02) ? 1 : 0));
    return {
      ...shared,
      id: nextId(),
      area: ownArea,
      price: posted(listing_type === 'sale' ? price : price * type.yield * random.spread(0.05), null),
      floor: inBuilding ? floor : null,
    };
  });
}

/** Selects an advertiser of a city: one of a few hundred companies, or one of a million owners. */
export function advertiser(random: Random, city: string): Advertiser {
  const kind = ADVERTISERS.pick(random);
  const pool = kind === 'owner' ? 1_000_000 : kind === 'developer' ? 300 : 900;
  return { key: `${kind.charAt(0)}${city.slice(0, 3)}${Math.floor(random.next() ** 2 * pool) + 1}`, kind };
}

/** Returns a point in a random direction, with six decimals. */
export function moved(random: Random, point: LatLng, meters: number): LatLng {
  const angle = random.next() * 2 * Math.PI;
  const six = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
  return {
    lat: six(point.lat + (Math.sin(angle) * meters) / METERS_PER_DEGREE),
    lng: six(point.lng + (Math.cos(angle) * meters) / metersPerDegreeEast(point.lat)),
  };
}

function ageOf(random: Random, building: boolean): number {
  if (building || random.chance(0.28)) return random.chance(0.7) ? 0 : 1;
  return Math.min(45, Math.round(Math.abs(random.normal()) * 10));
}

function areaOf(random: Random, { area, spread, usual }: TypeMarket, bedrooms: number | null): number {
  if (bedrooms === null || usual === 0) return Math.max(12, Math.round(area * random.spread(spread)));
  return Math.round(area * (bedrooms / usual) ** 0.75 * random.spread(spread * 0.6));
}

function amenitiesOf(random: Random, { bedrooms, in: where }: TypeMarket): Amenity[] {
  const shares: Partial<Record<string, number>> = {
    ...market.amenities[where as 'house'],
    ...(bedrooms && market.amenities.home),
  };
  return AMENITIES.filter((amenity) => random.chance(shares[amenity] ?? 0));
}

/** Factor by which a short stay costs more than its share of the yearly rent. */
const STAY_PREMIUM: Partial<Record<RentFrequency, number>> = { daily: 2.4, weekly: 1.7, monthly: 1.15 };

/** Converts an annual price to an amount per period, rounded as advertisers do. */
export function posted(price: number, frequency: RentFrequency | null, stays = false): number {
  const amount = frequency === null ? price : price / PAYMENTS_PER_YEAR[frequency];
  if (stays && frequency !== null) return Math.max(50, Math.round((amount * (STAY_PREMIUM[frequency] ?? 1)) / 10) * 10);
  const step = amount > 400_000 ? 5_000 : amount > 40_000 ? 500 : amount > 8_000 ? 100 : amount > 1_000 ? 10 : 1;
  return Math.max(step, Math.round(amount / step) * step);
}
