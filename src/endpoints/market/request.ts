import { ApiError } from '#domain/errors.ts';
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
export function queryListings<T>(
  { services, deadline }: Pick<Call, 'services' | 'deadline'>,
  body: Readonly<Record<string, unknown>>,
) {
  return services.search.search<T>(indexNames(services.config.opensearch.indexPrefix).listings, body, { deadline });
}

/**
 * The filters of a request for statistics.
 * @throws ApiError neighborhood_not_found for a neighborhood that the city does not have
 */
export function cohortFilters({ query, services }: Pick<UnchargedCall<unknown, CohortFilters>, 'query' | 'services'>) {
  const filters = cohortOf(query);
  const { neighborhood_id: ids = [], city } = filters;
  checkNeighborhoods(services, city, ids);
  return filters;
}

/** @throws ApiError neighborhood_not_found where the city does not have one of them */
export function checkNeighborhoods(
  { places }: Pick<Call['services'], 'places'>,
  city: string,
  ids: readonly unknown[],
) {
  if (ids.length === 0) return;
  const known = new Set<unknown>(places.neighborhoods(city)?.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown === undefined) return;
  const message = `There is no neighborhood ${unknown} in ${city}. GET /cities/${city}/neighborhoods lists them.`;
  throw new ApiError('neighborhood_not_found', { param: 'neighborhood_id', message });
}
