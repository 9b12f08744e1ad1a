import { type NeighborhoodNames, neighborhoodNames } from '#domain/geography/neighborhood-names.ts';
import type { BytesResponse, Call, UnchargedCall } from '#http/endpoint.ts';
import { type CohortFilters, cohortOf } from '#queries/market/cohort.ts';
import type { Hour } from '#queries/market/window.ts';
import { type Cost, cachedAggregation } from '#search/aggregation-cache.ts';
import { windowOf } from './schemas.ts';

/**
 * Defines statistics for a cohort: the aggregation request and the presentation of its result. `body` and `present` are
 * pure and use the time truncated to the hour.
 */
export interface CohortStatistics<Aggregations> {
  /** Name in the cache key, which distinguishes different statistics with equal filters. */
  name: string;
  /** Defaults to `usual`. */
  cost?: Cost;
  body(filters: CohortFilters, hour: Hour): Record<string, unknown>;
  present(aggregations: Aggregations, cohort: Cohort): object;
  priceBasis(filters: CohortFilters): string;
}

interface Cohort {
  filters: CohortFilters;
  /** The full hour at which the statistics window ends. */
  hour: Hour;
  /** Exact number of listings in the cohort. */
  size: number;
  /** Returns the names of a neighborhood in the cohort's city. */
  neighborhood(id: string | number): NeighborhoodNames;
}

interface AggregationResponse<Aggregations> {
  hits: { total: { value: number } };
  aggregations: Aggregations;
}

/**
 * Returns `prefetch` and `handle` for an endpoint that serves cached statistics for the cohort that the request's
 * filters select.
 */
export function serveCohortStatistics<Aggregations>({
  name,
  cost,
  body,
  present,
  priceBasis,
}: CohortStatistics<Aggregations>) {
  const read = cachedAggregation<CohortFilters, AggregationResponse<Aggregations>>({
    name,
    cost,
    body,
    present: ({ hits, aggregations }, { filters, hour, places }) => {
      const neighborhood = neighborhoodNames(places, filters.city);
      return present(aggregations, { filters, hour, size: hits.total.value, neighborhood });
    },
  });
  return {
    prefetch: async (call: UnchargedCall<unknown, CohortFilters>) => {
      const filters = cohortOf(call.query);
      return {
        filters,
        json: await read({ ...call, filters }),
      };
    },
    /**
     * The response has the properties common to all cohort responses, followed by the cached statistics, byte for byte.
     */
    handle: async (
      { now }: Pick<Call, 'now'>,
      prefetch: Promise<{ filters: CohortFilters; json: string }>,
    ): Promise<BytesResponse> => {
      const { filters, json } = await prefetch;
      const head = {
        cohort: filters,
        window: windowOf(now),
        price_source: 'asking',
        price_basis: priceBasis(filters),
      };
      return {
        bytes: [Buffer.from(`{"data":${JSON.stringify(head).slice(0, -1)},${json.slice(1)}}`)],
      };
    },
  };
}
