import { flatMeters } from '#domain/geography/distance.ts';
import { CITIES, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { City, Neighborhood } from '#domain/geography/places.ts';
import { LISTING_TYPES, type ListingType } from '#domain/listing-vocabulary.ts';
import type { Listing } from '#domain/listings/listing.ts';
import type {
  FacetCounts,
  MarketSummary,
  NeighborhoodRanking,
  RegisteredDeals,
  RentalYield,
  Trends,
} from '#src/site-data/responses.ts';
import type { Api } from './api-client.ts';

/** Homes with a row of their own in the table of a place. */
const HOMES: readonly { property_type: string; beds: number | null; offers: readonly ListingType[] }[] = [
  ...[1, 2, 3, 4].map((beds) => ({ property_type: 'apartment', beds, offers: LISTING_TYPES })),
  ...[4, 5, 6].map((beds) => ({ property_type: 'villa', beds, offers: LISTING_TYPES })),
  { property_type: 'floor', beds: null, offers: LISTING_TYPES },
  { property_type: 'land', beds: null, offers: ['sale'] },
];
/** A place with fewer listings has no page. */
export const LEAST_LISTINGS = 20;
const NEWEST = 6;
const NEIGHBORS = 8;
/** Places whose own figures are kept; the least recent goes first. */
const MAX_KEPT = 500;

export interface Place {
  city: City;
  /** Null for the page of a city. */
  neighborhood: Neighborhood | null;
}

type Median = { median: number | null; sample: number };
export type HomeRow = (typeof HOMES)[number] & { rent: Median; sale: Median };

const hyphenated = (slug: string): string => slug.replaceAll('_', '-');

export const placePath = ({
  city,
  neighborhood,
}: {
  city: Pick<City, 'slug'>;
  neighborhood: Pick<Neighborhood, 'slug'> | null;
}): string => `/${hyphenated(city.slug)}${neighborhood === null ? '' : `/${hyphenated(neighborhood.slug)}`}`;

const PLACES: ReadonlyMap<string, Place> = new Map(
  CITIES.flatMap((city): Place[] => [
    { city, neighborhood: null },
    ...neighborhoodsOf(city.slug).map((neighborhood) => ({ city, neighborhood })),
  ]).map((place) => [placePath(place), place]),
);

/** @param path without the language prefix */
export const placeOf = (path: string): Place | undefined => PLACES.get(path);

/**
 * Figures of cities and neighborhoods, each read once per run of ingest, so that crawlers cost nothing. The medians of
 * all neighborhoods of a city come from the same calls as those of the city.
 */
export class PlaceData {
  readonly #runAt: () => number;
  readonly #kept = new Map<string, { runAt: number; value: Promise<unknown> }>();

  /** @param runAt time at which the sources were last read */
  constructor(runAt: () => number) {
    this.#runAt = runAt;
  }

  /** Reads a value once per run of ingest. */
  once<Value>(key: string, read: () => Promise<Value>): Promise<Value> {
    const runAt = this.#runAt();
    const known = this.#kept.get(key);
    if (known?.runAt === runAt) return known.value as Promise<Value>;
    const value = read();
    this.#kept.delete(key);
    this.#kept.set(key, { runAt, value });
    value.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return value;
  }

  /** Listings per neighborhood and offer; those of the city under `null`. */
  counts(api: Api, { slug: city }: City) {
    return this.once(`counts ${city}`, async () => {
      const counts = new Map<number | null, Record<ListingType, number>>();
      for (const offer of LISTING_TYPES) {
        const found = await api.data<FacetCounts>('/v1/listings/facets', {
          city,
          listing_type: offer,
          fields: 'neighborhood_id',
        });
        const add = (id: number | null, count: number) =>
          counts.set(id, { ...(counts.get(id) ?? { rent: 0, sale: 0 }), [offer]: count });
        add(null, found?.total ?? 0);
        for (const { value, count } of found?.facets[0]?.values ?? []) add(Number(value), count);
      }
      return counts;
    });
  }

  /** Paths of all places with a page, cities first. */
  async paths(api: Api): Promise<string[]> {
    const covered = new Set((await api.cities()).map(({ slug }) => slug));
    const found: string[] = [];
    for (const place of PLACES.values())
      if (
        covered.has(place.city.slug) &&
        sum((await this.counts(api, place.city)).get(place.neighborhood?.id ?? null)) >= LEAST_LISTINGS
      )
        found.push(placePath(place));
    return found;
  }

  /** Pages of the city and the neighborhood of a listing. */
  async linksOf(api: Api, location: { city: string; neighborhood_id: number | null }) {
    const city = CITIES.find(({ slug }) => slug === location.city);
    if (!city) return [];
    const counts = await this.counts(api, city);
    const neighborhood = neighborhoodsOf(city.slug).find(({ id }) => id === location.neighborhood_id) ?? null;
    return [null, ...(neighborhood ? [neighborhood] : [])].flatMap((part) =>
      sum(counts.get(part?.id ?? null)) < LEAST_LISTINGS
        ? []
        : {
            path: placePath({ city, neighborhood: part }),
            name_en: (part ?? city).name_en,
            name_ar: (part ?? city).name_ar,
          },
    );
  }

  async #medians(api: Api, { slug: city }: City) {
    return this.once(`medians ${city}`, async () => {
      const found = new Map<string, ReadonlyMap<number | null, Median>>();
      for (const [at, { property_type, beds, offers }] of HOMES.entries())
        for (const listing_type of offers) {
          const query = { city, listing_type, property_type, beds };
          const [whole, parts] = await Promise.all([
            api.data<MarketSummary>('/v1/market/summary', query),
            api.data<NeighborhoodRanking>('/v1/market/neighborhoods', query),
          ]);
          found.set(
            `${at} ${listing_type}`,
            new Map<number | null, Median>([
              [null, { median: whole?.median_price_sar ?? null, sample: whole?.sample_size ?? 0 }],
              ...(parts?.neighborhoods ?? []).map((each): [number, Median] => [
                each.neighborhood_id,
                { median: each.median_price_sar, sample: each.sample_size },
              ]),
            ]),
          );
        }
      return found;
    });
  }

  /** Null for a place with fewer than 20 listings. */
  async read(api: Api, place: Place) {
    const { city, neighborhood } = place;
    const counts = await this.counts(api, city);
    const own = counts.get(neighborhood?.id ?? null) ?? { rent: 0, sale: 0 };
    if (own.rent + own.sale < LEAST_LISTINGS) return null;
    const medians = await this.#medians(api, city);
    const id = neighborhood?.id ?? null;
    const medianOf = (at: number, offer: ListingType): Median =>
      medians.get(`${at} ${offer}`)?.get(id) ?? { median: null, sample: 0 };
    const homes = HOMES.map(
      (home, at): HomeRow => ({ ...home, rent: medianOf(at, 'rent'), sale: medianOf(at, 'sale') }),
    );
    return {
      counts: own,
      homes: homes.filter(({ rent, sale }) => rent.sample + sale.sample > 0),
      around: around(place, counts),
      ...(await this.once(placePath(place), () => readOwn(api, place))),
    };
  }
}

export type PlaceFigures = NonNullable<Awaited<ReturnType<PlaceData['read']>>>;

/** What only this place has: trend, yield, deals and newest listings. */
async function readOwn(api: Api, { city: { slug: city }, neighborhood }: Place) {
  const where = { city, neighborhood_id: neighborhood?.id };
  const [trends, yields, deals, rents, sales] = await Promise.all([
    api.data<Trends>('/v1/market/trends', { ...where, listing_type: 'rent', property_type: 'apartment' }),
    api.data<RentalYield>('/v1/market/rental-yield', { ...where, property_type: 'apartment' }),
    // Of one class, so that each quarter is one row.
    api.data<RegisteredDeals>('/v1/market/transactions', { ...where, land_use_class: 'residential' }),
    ...LISTING_TYPES.map((listing_type) =>
      api.data<Listing[]>('/v1/listings', { ...where, listing_type, sort: 'newest', limit: NEWEST / 2 }),
    ),
  ]);
  const found =
    neighborhood === null
      ? yields?.city
      : yields?.neighborhoods.find((each) => each.neighborhood_id === neighborhood.id);
  return {
    trend: trends?.series[0]?.points ?? [],
    yieldPct: found?.gross_yield_pct ?? null,
    deals,
    newest: [...(rents ?? []), ...(sales ?? [])],
  };
}

/** Returns places of the city with a page: the nearest ones, or for a city all, those with the most listings first. */
function around(
  { city, neighborhood }: Place,
  counts: ReadonlyMap<number | null, Record<ListingType, number>>,
): { neighborhood: Neighborhood; listings: number }[] {
  const all = neighborhoodsOf(city.slug)
    .map((each) => ({ neighborhood: each, listings: sum(counts.get(each.id)) }))
    .filter(({ listings, neighborhood: { id } }) => listings >= LEAST_LISTINGS && id !== neighborhood?.id);
  const center = neighborhood?.center;
  if (neighborhood === null) return all.sort((a, b) => b.listings - a.listings);
  if (!center) return [];
  return all
    .flatMap((each) =>
      each.neighborhood.center ? [{ ...each, far: flatMeters(center, each.neighborhood.center) }] : [],
    )
    .sort((a, b) => a.far - b.far)
    .slice(0, NEIGHBORS);
}

const sum = (counts: Record<ListingType, number> | undefined): number => (counts ? counts.rent + counts.sale : 0);
