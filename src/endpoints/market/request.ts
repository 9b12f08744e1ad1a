import { ApiError } from '#domain/errors.ts';
import type { Places } from '#domain/geography/reference.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { Call, UnchargedCall } from '#http/endpoint.ts';
import { type CohortFilters, cohortOf } from '#queries/market/cohort.ts';
import { marketWindow, WINDOW_DAYS } from '#queries/market/window.ts';
import { indexNames } from '#search/client.ts';

/** The window of a request's statistics, as responses state it. */
export function windowOf(now: number) {
  const { from, to } = marketWindow(now);
  return { updated_within_days: WINDOW_DAYS, from: timestamp(from / 1000), to: timestamp(to / 1000) };
}

/** Searches the index of listings once. */
export function queryListings<T>({ services }: Pick<Call, 'services'>, body: Readonly<Record<string, unknown>>) {
  return services.search.search<T>(indexNames(services.config.opensearch.indexPrefix).listings, body);
}

/**
 * The filters of a request for statistics.
 * @throws ApiError neighborhood_not_found for a neighborhood that the city does not have
 */
export function cohortFilters({ query, services }: Pick<UnchargedCall<unknown, CohortFilters>, 'query' | 'services'>) {
  requireNeighborhoods(query, services.places);
  return cohortOf(query);
}

/** @throws ApiError neighborhood_not_found for a neighborhood that the city does not have */
export function requireNeighborhoods(
  { neighborhood_id: ids = [], city }: Pick<CohortFilters, 'neighborhood_id' | 'city'>,
  places: Pick<Places, 'neighborhoods'>,
): void {
  if (ids.length === 0) return;
  const known = new Set(places.neighborhoods(city)?.map(({ id }) => id));
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

/** Names of a city's neighborhoods by id; null for a neighborhood that the city does not list. */
export function neighborhoodNames(places: Pick<Places, 'neighborhoods'>, city: string) {
  const known = new Map(places.neighborhoods(city)?.map((each) => [each.id, each]));
  return (key: string | number): NeighborhoodNames => {
    const id = Number(key);
    const { name_en = null, name_ar = null } = known.get(id) ?? {};
    return { neighborhood_id: id, name_en, name_ar };
  };
}
