import { flatMeters, METERS_PER_DEGREE, metersPerDegreeEast } from '#domain/geography/distance.ts';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, LatLng, Neighborhood } from '#domain/geography/places.ts';
import {
  AMENITIES,
  type Amenity,
  type ListingType,
  PROPERTY_TYPES,
  type PropertyType,
} from '#domain/listings/vocabulary.ts';
import type { Advertiser, AdvertiserKind, Property } from './ad.ts';
import phrases from './phrases.json' with { type: 'json' };
import { hashText, Random, Weighted, weighted } from './random.ts';

/** Weight of each city in the market, and price per square meter of an apartment for sale, in SAR. */
const CITY_MARKET: Readonly<Record<string, readonly [weight: number, perSqm: number]>> = {
  riyadh: [35, 6200],
  jeddah: [20, 4700],
  dammam: [8, 3600],
  makkah: [7, 4300],
  khobar: [6, 4400],
  madinah: [5.5, 3900],
  taif: [3, 2700],
  khamis_mushait: [2, 2600],
  abha: [2, 2900],
  buraidah: [2, 2500],
  tabuk: [1.7, 2400],
  ahsa: [1.6, 2700],
  jubail: [1.4, 2900],
  qatif: [1.2, 3000],
  hail: [1.1, 2200],
  dhahran: [1, 4200],
  yanbu: [0.8, 2600],
  jazan: [0.7, 2300],
  kharj: [0.5, 2200],
};

/** Returns the price in SAR per square meter of an apartment for sale in a city. */
export const pricePerSqm = (city: string): number => CITY_MARKET[city]?.[1] ?? 0;

interface TypeMarket {
  sale: number;
  rent: number;
  /** Square meters: median, and standard deviation of the logarithm. */
  area: readonly [median: number, deviation: number];
  /** Price per square meter relative to an apartment in the same neighborhood. */
  perSqm: number;
  /** Yearly rent as a share of the price. */
  yield: number;
  bedrooms: readonly (readonly [count: number, weight: number])[] | null;
  inBuilding: boolean;
  built: boolean;
}

/** Returns weights of numbers of bedrooms, from the first number up. */
const rooms = (first: number, ...weights: number[]) => weights.map((weight, at) => [first + at, weight] as const);
const FLAT_ROOMS = rooms(1, 8, 20, 34, 24, 11, 3);
const HOUSE_ROOMS = rooms(3, 8, 26, 34, 20, 9, 3);
const LEISURE_ROOMS = rooms(1, 25, 45, 22, 8);

function kind(
  sale: number,
  rent: number,
  area: TypeMarket['area'],
  perSqm: number,
  yieldShare: number,
  bedrooms: TypeMarket['bedrooms'],
  where: 'building' | 'ground' | 'bare',
): TypeMarket {
  const [inBuilding, built] = [where === 'building', where !== 'bare'];
  return { sale, rent, area, perSqm, yield: yieldShare, bedrooms, inBuilding, built };
}

const TYPE_MARKET: Readonly<Record<PropertyType, TypeMarket>> = {
  apartment: kind(34, 54, [135, 0.25], 1, 0.062, FLAT_ROOMS, 'building'),
  villa: kind(25, 9, [320, 0.24], 1.05, 0.042, HOUSE_ROOMS, 'ground'),
  floor: kind(7, 9, [210, 0.22], 0.95, 0.052, FLAT_ROOMS.slice(1), 'building'),
  duplex: kind(4, 2, [260, 0.2], 1.05, 0.045, HOUSE_ROOMS.slice(0, 4), 'ground'),
  townhouse: kind(3, 1.2, [220, 0.16], 1.2, 0.048, HOUSE_ROOMS.slice(0, 3), 'ground'),
  studio: kind(0.6, 6, [42, 0.2], 1.25, 0.085, [[1, 1]], 'building'),
  room: kind(0, 3, [24, 0.2], 1.1, 0.1, [[1, 1]], 'building'),
  residential_building: kind(3, 0.5, [560, 0.3], 1.4, 0.07, null, 'ground'),
  rest_house: kind(2, 2, [900, 0.4], 0.25, 0.07, LEISURE_ROOMS, 'ground'),
  chalet: kind(0.5, 1.3, [400, 0.35], 0.6, 0.09, LEISURE_ROOMS, 'ground'),
  farm: kind(1.2, 0.3, [9000, 0.7], 0.03, 0.04, LEISURE_ROOMS, 'ground'),
  land: kind(15, 0.2, [480, 0.4], 0.55, 0.02, null, 'bare'),
  commercial_land: kind(2, 0.5, [1100, 0.6], 0.85, 0.025, null, 'bare'),
  commercial_building: kind(0.9, 0.5, [850, 0.4], 1.9, 0.075, null, 'ground'),
  office: kind(0.5, 4, [110, 0.5], 1.2, 0.085, null, 'building'),
  shop: kind(0.4, 4.2, [65, 0.5], 1.7, 0.08, null, 'building'),
  showroom: kind(0.2, 1.2, [220, 0.45], 1.5, 0.075, null, 'building'),
  warehouse: kind(0.5, 1.3, [800, 0.6], 0.35, 0.09, null, 'ground'),
};

/** Share of rents among ads. */
const RENT_SHARE = 0.52;
/** Share of groups that are a building or compound, and minimum and maximum number of homes in one. */
const BUILDING_SHARE = 0.025;
const BUILDING_HOMES: readonly [number, number] = [4, 10];
const TOWER_HOMES: readonly [number, number] = [16, 30];

const weightedTypes = (by: ListingType): Weighted<PropertyType> =>
  new Weighted(PROPERTY_TYPES.map((type) => [type, TYPE_MARKET[type][by]] as const));
const TYPES = { sale: weightedTypes('sale'), rent: weightedTypes('rent') };
const BUILDING_TYPES = weighted<PropertyType>({
  apartment: 70,
  townhouse: 8,
  villa: 10,
  floor: 6,
  office: 3,
  studio: 3,
});
const BEDROOMS = Object.fromEntries(
  Object.entries(TYPE_MARKET).map(([type, market]) => [type, market.bedrooms && new Weighted(market.bedrooms)]),
);
const KINDS = weighted<AdvertiserKind>({ office: 44, agency: 20, owner: 20, agent: 11, developer: 5 });

const { compounds } = phrases;
const TOWER = 'برج';
type Shares = Partial<Record<Amenity, number>>;
const HOME_AMENITIES: Shares = {
  ac: 0.55,
  kitchen: 0.6,
  balcony: 0.18,
  keyless_entry: 0.08,
  parking: 0.42,
  maid_room: 0.22,
  driver_room: 0.12,
  laundry_room: 0.2,
  storage: 0.2,
  roof: 0.15,
  annex: 0.1,
  private_entrance: 0.2,
  security: 0.1,
  majlis: 0.35,
  fibre: 0.3,
  smart_home: 0.06,
  pets_allowed: 0.02,
};
const HOUSE_AMENITIES: Shares = { pool: 0.18, garden: 0.35, internal_stairs: 0.4, fireplace: 0.1, basement: 0.05 };
const BUILDING_AMENITIES: Shares = { lift: 0.55, gym: 0.06, playground: 0.05 };

interface Place {
  neighborhood: Neighborhood;
  center: LatLng;
  /** Meters within which a point is nearer to this center than to any other. */
  reach: number;
  /** Price level relative to the city. */
  level: number;
}

interface CityMarket {
  city: City;
  perSqm: number;
  places: Weighted<Place>;
}

/** Maximum distance in meters between a neighborhood and the center of its city. */
const CITY_REACH_M = 32_000;

/** Distribution of homes, and share of towers among buildings. */
export interface Market {
  cities: Weighted<CityMarket>;
  towers: number;
}

/** Homes across all cities, for benchmarks. */
export const SPREAD_MARKET: Market = { cities: citiesWith((_, even) => even), towers: 0 };

/** Returns the number of neighborhoods with homes: 18 in the largest city, enough for circles on its map, else five. */
const neighborhoodCount = (percent: number): number => (percent > 30 ? 18 : 5);

/** Returns a market with homes in few neighborhoods, so that even a small sample has enough for every statistic. */
export const gatheredMarket = (): Market => ({
  cities: citiesWith((rank, _, weight) => (rank < neighborhoodCount(weight) ? 1 / (rank + 8) : 0)),
  towers: 0.12,
});

/**
 * Creates the city markets.
 * @param weigh returns the weight of a neighborhood from its rank in the city, its weight in `SPREAD_MARKET` and the
 * weight of the city
 */
function citiesWith(weigh: (rank: number, even: number, city: number) => number): Weighted<CityMarket> {
  return new Weighted(
    CITIES.flatMap((city) => {
      const market = CITY_MARKET[city.slug];
      if (market === undefined) return [];
      const places = placesOf(city).map(([place, even], rank) => [place, weigh(rank, even, market[0])] as const);
      return [[{ city, perSqm: market[1], places: new Weighted(places) }, market[0]] as const];
    }),
  );
}

function placesOf(city: City): (readonly [Place, number])[] {
  const centered = neighborhoodsOf(city.slug).flatMap((neighborhood) =>
    neighborhood.center === null ? [] : [{ neighborhood, center: neighborhood.center }],
  );
  return centered.flatMap(({ neighborhood, center }) => {
    if (flatMeters(center, city.center) > CITY_REACH_M) return [];
    const others = centered.filter((other) => other.neighborhood !== neighborhood);
    const nearest = Math.min(3000, ...others.map((other) => flatMeters(center, other.center)));
    const fixed = new Random(hashText(`${neighborhood.city}/${neighborhood.slug}`), 0);
    const side = neighborhood.direction_id === 1 ? 1.18 : neighborhood.direction_id === 2 ? 0.85 : 1;
    const place = { neighborhood, center, reach: nearest / 2, level: side * fixed.spread(0.18) };
    return [[place, fixed.spread(0.8)] as const];
  });
}

/** Generates a home, or sometimes the homes of one building, from the seed and the number of the group. */
export function homesOfGroup(
  random: Random,
  nextId: () => number,
  { cities, towers }: Market = SPREAD_MARKET,
): Property[] {
  const market = cities.pick(random);
  const place = market.places.pick(random);
  const building = random.chance(BUILDING_SHARE);
  const listing_type: ListingType = random.chance(RENT_SHARE) ? 'rent' : 'sale';
  const property_type = building ? BUILDING_TYPES.pick(random) : TYPES[listing_type].pick(random);
  const kinds = TYPE_MARKET[property_type];
  const bedrooms = BEDROOMS[property_type]?.pick(random) ?? null;
  const tower = building && towers > 0 && kinds.inBuilding && random.chance(towers);
  const { lat, lng } = scatter(random, place);
  const age = kinds.built ? ageOf(random, building) : null;
  const shared = {
    city: market.city,
    neighborhood: place.neighborhood,
    lat,
    lng,
    listing_type,
    property_type,
    bedrooms,
    bathrooms: kinds.built ? Math.max(1, Math.round((bedrooms ?? 1) * random.between(0.6, 1.1))) : null,
    livings: bedrooms === null || property_type === 'room' ? null : random.chance(0.75) ? 1 : 2,
    age,
    furnished: bedrooms === null || random.chance(0.4) ? null : random.chance(listing_type === 'rent' ? 0.3 : 0.06),
    street_width: random.chance(0.7) ? random.pick([10, 12, 15, 15, 18, 20, 20, 25, 30, 36, 40, 60]) : null,
    compound:
      building && (tower || random.chance(0.7))
        ? `${tower ? TOWER : random.pick(compounds.first)} ${random.pick(compounds.last)}`
        : null,
    project_id: building && age === 0 && random.chance(0.5) ? random.int(1, 400) : null,
    bank: listing_type === 'sale' && random.chance(0.6) ? random.chance(0.8) : null,
    amenities: kinds.built ? amenitiesOf(random, kinds, property_type) : [],
    advertiser: building
      ? { key: `d${random.int(1, 300)}`, kind: 'developer' as const }
      : advertiser(random, market.city.slug),
  };
  const count = building ? random.int(...(tower ? TOWER_HOMES : BUILDING_HOMES)) : 1;
  const area = areaOf(random, kinds, bedrooms);
  const perSqm =
    market.perSqm * place.level * kinds.perSqm * ageFactor(age) * (area / kinds.area[0]) ** -0.15 * random.spread(0.14);
  const lowest = random.int(0, 2);
  return Array.from({ length: count }, (_, at): Property => {
    // Homes of one building differ in size, floor and price, and each has separate photos.
    const ownArea = building ? Math.round(area * (0.82 + (0.4 * at) / count) + at) : area;
    const price = ownArea * perSqm * (building ? random.between(0.97, 1.03) : 1);
    return {
      ...shared,
      id: nextId(),
      area: ownArea,
      price: roundPrice(listing_type === 'sale' ? price : price * kinds.yield * random.spread(0.05), listing_type),
      floor: kinds.inBuilding
        ? property_type === 'shop' || property_type === 'showroom'
          ? 0
          : building
            ? lowest + (at >> 1)
            : Math.max(-1, Math.min(12, Math.floor(Math.abs(random.normal()) * 2.2) - (random.chance(0.02) ? 2 : 0)))
        : null,
      photos: random.int(3, 9) + (random.chance(0.2) ? random.int(1, 8) : 0),
    };
  });
}

/** Selects an advertiser of a city from a few hundred; owners from a million. */
export function advertiser(random: Random, city: string): Advertiser {
  const kindOf = KINDS.pick(random);
  const pool = kindOf === 'owner' ? 1_000_000 : kindOf === 'developer' ? 300 : 900;
  const square = random.next();
  return { key: `${kindOf.charAt(0)}${city.slice(0, 3)}${Math.floor(square * square * pool) + 1}`, kind: kindOf };
}

/** Returns a point at a distance of `meters` in a random direction, with six decimals. */
export function moved(random: Random, point: LatLng, meters: number): LatLng {
  const angle = random.next() * 2 * Math.PI;
  return {
    lat: six(point.lat + (Math.sin(angle) * meters) / METERS_PER_DEGREE),
    lng: six(point.lng + (Math.cos(angle) * meters) / metersPerDegreeEast(point.lat)),
  };
}

function scatter(random: Random, place: Place): LatLng {
  const inside = Math.sqrt(random.next()) * 0.93;
  return moved(random, place.center, place.reach * (random.chance(0.01) ? inside + 0.5 : inside));
}

function six(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

function ageOf(random: Random, building: boolean): number {
  if (building || random.chance(0.28)) return random.chance(0.7) ? 0 : 1;
  return Math.min(45, Math.round(Math.abs(random.normal()) * 10));
}

function ageFactor(age: number | null): number {
  return age === null ? 1 : Math.max(0.65, 1.06 - age * 0.012);
}

function areaOf(random: Random, kinds: TypeMarket, bedrooms: number | null): number {
  const [median, deviation] = kinds.area;
  const usual = kinds.bedrooms === null ? 1 : kinds.bedrooms.length > 4 ? (kinds.inBuilding ? 3.2 : 4.9) : 0;
  const rooms = bedrooms === null || usual === 0 ? 1 : (bedrooms / usual) ** 0.75;
  const spread = random.spread(bedrooms === null || usual === 0 ? deviation : deviation * 0.6);
  return Math.max(12, Math.round(median * rooms * spread));
}

function amenitiesOf(random: Random, kinds: TypeMarket, type: PropertyType): Amenity[] {
  const offered = new Set<Amenity>();
  const tables = kinds.bedrooms === null ? [] : [HOME_AMENITIES];
  tables.push(kinds.inBuilding ? BUILDING_AMENITIES : HOUSE_AMENITIES);
  if (kinds.bedrooms === null && type !== 'residential_building') tables.length = kinds.inBuilding ? 1 : 0;
  for (const table of tables) {
    for (const [amenity, share] of Object.entries(table) as [Amenity, number][])
      if (random.chance(share)) offered.add(amenity);
  }
  if (kinds.bedrooms === null && random.chance(0.4)) offered.add('parking');
  if (kinds.bedrooms === null && random.chance(0.3)) offered.add('ac');
  return AMENITIES.filter((amenity) => offered.has(amenity));
}

/** Rounds a price as advertisers do: low rents to 500 SAR, higher prices to larger steps. */
export function roundPrice(price: number, listingType: ListingType): number {
  const step =
    listingType === 'rent'
      ? price > 100_000
        ? 5_000
        : price > 20_000
          ? 1_000
          : 500
      : price > 2_000_000
        ? 50_000
        : price > 400_000
          ? 10_000
          : 5_000;
  return Math.max(step, Math.round(price / step) * step);
}
