import type { Context } from 'koa';
import { COUNTRY } from '#domain/geography/country.ts';
import { presentRows } from '#domain/listings/present.ts';
import { LISTING_TYPES, type ListingType } from '#domain/listings/vocabulary.ts';
import { presentationOf } from '#endpoints/listings/presentation.ts';
import { boundaries } from '#endpoints/reference/boundaries.ts';
import { enums } from '#endpoints/reference/enums.ts';
import { cities, neighborhoods } from '#endpoints/reference/places.ts';
import { loadDeadline } from '#http/deadlines.ts';
import { ApiError } from '#http/errors/api-error.ts';
import type { AddressLimit } from '#http/limits/address-limit.ts';
import { enforceRateLimit } from '#http/limits/rate-limit.ts';
import { type FacetsResponse, facetsBody, readFacets } from '#queries/listings/facets.ts';
import { searchBody } from '#queries/listings/search.ts';
import { type MapResponse, mapBody, readMap } from '#queries/market/map.ts';
import type { Hour } from '#queries/market/window.ts';
import { cachedAggregation } from '#search/aggregation-cache.ts';
import type { Services } from '#src/services.ts';
import { aggregationRequest, callEndpoint } from './call-endpoint.ts';
import { boxOfMost } from './explorer-place.ts';
import { send } from './send.ts';

/** Filters with counts in the explorer. `price` is counted by range. The API counts at most ten. */
export const COUNTED = [
  'listing_type',
  'property_type',
  'beds',
  'bathrooms',
  'neighborhood_id',
  'rent_frequency',
  'amenities',
  'furnished',
  'advertiser_type',
  'price',
];
/** Filters that the demo follows. */
export const DEMO_FILTERS = ['city', 'listing_type'];
/** Number of listings of each type in a snapshot. */
const DEMO_LISTINGS = 20;
/** Zoom of the clusters, at which a city fits on a screen. */
const DEMO_ZOOM = 11;
/** Margin in degrees of the map around the centers of the neighborhoods. */
const MARGIN = 0.05;
/** Response bodies of the demo by path of the API. */
export interface DemoSnapshot {
  bodies: Readonly<Record<string, unknown>>;
  /** Bodies that depend on the listing type. */
  searches?: Readonly<Record<string, DemoSnapshot['bodies'] | undefined>>;
}

const DEMO_PATH = /^\/explorer\/demo(?:\/(\w{1,40}))?$/;

/**
 * Creates a function that serves the demo of the explorer without a key or charge: `/explorer/demo` for data of all
 * cities, and `/explorer/demo/{city}` for a city. The function returns false for other paths.
 */
export function createDemo(services: Services, views: AddressLimit) {
  const readSnapshot = cachedAggregation<{ city: string }, DemoSnapshot>({
    name: 'demo',
    read: (search, { city }, hour) => snapshotOf(services, { city, hour, search }),
    present: (snapshot) => snapshot,
  });

  const bodyOf = async (city: string | undefined): Promise<string> => {
    if (city === undefined) return JSON.stringify(await commonOf(services));
    if (!services.places.neighborhoods(city)) throw new ApiError('city_not_found');
    return readSnapshot({ ...aggregationRequest(services), filters: { city } });
  };

  return async (context: Context): Promise<boolean> => {
    const match = DEMO_PATH.exec(context.path);
    if (!match) return false;
    // Unlike API responses, the demo must not be readable by scripts on other sites.
    context.remove('Access-Control-Allow-Origin');
    context.remove('Access-Control-Expose-Headers');
    context.set('X-Robots-Tag', 'noindex');
    const { ip = null } = context.state as { ip?: string | null };
    await enforceRateLimit(views.wait(ip), 'Too many requests without a key from your address.');
    views.take(ip);
    send(context, 'application/json', await bodyOf(match[1]));
    return true;
  };
}

const REFERENCE_CALL = { requestId: 'demo', deadline: Number.POSITIVE_INFINITY };

async function commonOf(services: Services): Promise<DemoSnapshot> {
  const [listed, named] = await Promise.all([
    callEndpoint(services, cities, REFERENCE_CALL),
    callEndpoint(services, enums, REFERENCE_CALL),
  ]);
  return { bodies: { '/cities': { data: listed }, '/enums': { data: named } } };
}

interface SnapshotRequest {
  city: string;
  hour: Hour;
  search(body: Readonly<Record<string, unknown>>): Promise<unknown>;
}

async function snapshotOf(services: Services, request: SnapshotRequest): Promise<DemoSnapshot> {
  const { city } = request;
  const path = { city };
  const [listed, bounded, rent, sale] = await Promise.all([
    callEndpoint(services, neighborhoods, { ...REFERENCE_CALL, path }),
    callEndpoint(services, boundaries, { ...REFERENCE_CALL, path, query: { simplified: true } }),
    ...LISTING_TYPES.map((type) => searchesOf(services, request, type)),
  ]);
  return {
    bodies: {
      [`/cities/${city}/neighborhoods`]: { data: listed },
      [`/cities/${city}/boundaries`]: { data: bounded },
    },
    searches: { rent, sale },
  };
}

/** Returns the newest listings, the counts and the map of a city, in the form of the API's responses. */
async function searchesOf(
  services: Services,
  { city, hour, search }: SnapshotRequest,
  listing_type: ListingType,
): Promise<DemoSnapshot['bodies']> {
  const filters = { city, listing_type };
  const bbox = await boxOf(services, city);
  const [listings, facets, map] = await Promise.all([
    newestListings(services, filters, hour),
    search(facetsBody(filters, COUNTED, { now: hour, excludeOwn: true })),
    search(mapBody({ ...filters, bbox }, DEMO_ZOOM, { now: hour })),
  ]);
  return {
    '/listings': { data: listings, pagination: { next_cursor: null, has_more: false } },
    '/listings/facets': { data: readFacets(facets as FacetsResponse, COUNTED) },
    '/listings/map': { data: readMap(map as MapResponse) },
  };
}

async function newestListings(
  services: Services,
  filters: { city: string; listing_type: ListingType },
  hour: Hour,
): Promise<unknown> {
  const body = searchBody({ filters, sort: 'newest', size: DEMO_LISTINGS }, { now: hour });
  const rows = await services.listings.read(body, { deadline: loadDeadline(services) });
  // The Free plan does not include source links.
  const presentation = presentationOf({ caller: { source_links: false }, services, now: hour });
  return presentRows(rows, presentation).map(({ json }) => JSON.parse(Buffer.concat(json).toString('utf8')));
}

/** Returns a box with most listings of a city, which the explorer's map shows first. */
async function boxOf(services: Services, city: string): Promise<[number, number, number, number]> {
  const counts = await services.neighborhoodCounts.read();
  const places = (services.places.neighborhoods(city) ?? []).flatMap(({ id, center }) =>
    center ? [{ ...center, count: counts.get(id)?.count ?? 0 }] : [],
  );
  const [west, south, east, north] = boxOfMost(places) ?? [COUNTRY.west, COUNTRY.south, COUNTRY.east, COUNTRY.north];
  return [west - MARGIN, south - MARGIN, east + MARGIN, north + MARGIN];
}
