import { ApiError } from '#domain/errors.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { Call, UnchargedCall } from '#http/endpoint.ts';
import type { FilterValues } from '#queries/filters/table.ts';
import { cohortOf } from '#queries/market/cohort.ts';
import { marketWindow, WINDOW_DAYS } from '#queries/market/window.ts';
import { indexNames } from '#search/client.ts';

/** The window that statistics of a request look at, as it is told. */
export function windowOf(now: number) {
  const { from, to } = marketWindow(now);
  return { updated_within_days: WINDOW_DAYS, from: timestamp(from / 1000), to: timestamp(to / 1000) };
}

/** Asks the engine once. */
export function askListings<T>({ services }: Pick<Call, 'services'>, body: Readonly<Record<string, unknown>>) {
  return services.search.search<T>(indexNames(services.config.opensearch.indexPrefix).listings, body);
}

/**
 * The filters of a request for statistics.
 * @throws ApiError neighborhood_not_found where one is asked for that the city does not have
 */
export function cohortFilters({ query, services }: Pick<UnchargedCall<unknown, FilterValues>, 'query' | 'services'>) {
  const filters = cohortOf(query);
  const { neighborhood_id: ids, city } = filters;
  if (Array.isArray(ids)) checkNeighborhoods(services, String(city), ids);
  return filters;
}

/** @throws ApiError neighborhood_not_found where the city does not have one of them */
export function checkNeighborhoods(
  { places }: Pick<Call['services'], 'places'>,
  city: string,
  ids: readonly unknown[],
) {
  const known = new Set<unknown>(places.neighborhoods(city)?.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const message = `There is no neighborhood ${unknown} in ${city}. GET /cities/${city}/neighborhoods lists them.`;
  throw new ApiError('neighborhood_not_found', { param: 'neighborhood_id', message });
}

export interface NeighborhoodNames {
  neighborhood_id: number;
  name_en: string | null;
  name_ar: string | null;
}

/** The names of a city's neighborhoods; null for one that the city does not list. */
export function neighborhoodNames({ services }: Pick<Call, 'services'>, city: unknown) {
  const known = new Map(services.places.neighborhoods(String(city))?.map((each) => [each.id, each]));
  return (key: string | number): NeighborhoodNames => {
    const id = Number(key);
    const { name_en = null, name_ar = null } = known.get(id) ?? {};
    return { neighborhood_id: id, name_en, name_ar };
  };
}
