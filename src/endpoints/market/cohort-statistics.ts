import { type NeighborhoodNames, neighborhoodNames } from '#domain/geography/neighborhood-names.ts';
import type { BytesResponse, Call, UnchargedCall } from '#http/endpoint.ts';
import { type CohortFilters, cohortOf } from '#queries/market/cohort.ts';
import type { Hour } from '#queries/market/window.ts';
import { type Cost, cachedAggregation } from '#search/aggregation-cache.ts';
import { windowOf } from './request.ts';

/**
 * Statistics of a cohort: an aggregation and the presentation of its result. `body` and `present` are pure and use the time
 * truncated to the hour.
 */
export interface CohortStatistics<Aggregations> {
  /** Distinguishes statistics with equal filters in the cache. */
  name: string;
  /** Defaults to `usual`. */
  cost?: Cost;
  body(filters: CohortFilters, hour: Hour): Record<string, unknown>;
  present(aggregations: Aggregations, cohort: Cohort): object;
  priceBasis(filters: CohortFilters): string;
}

interface Cohort {
  filters: CohortFilters;
  /** The full hour at which the window of the statistics ends. */
  hour: Hour;
  /** Exact number of listings. */
  size: number;
  /** Returns the names of a neighborhood of the city. */
  neighborhood(id: string | number): NeighborhoodNames;
}

interface AggregationResponse<Aggregations> {
  hits: { total: { value: number } };
  aggregations: Aggregations;
}

/** Returns `prefetch` and `handle` of an endpoint that serves cached statistics of the cohort selected by its filters. */
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
    /** Returns the properties common to all cohort responses, followed by the cached statistics, byte for byte. */
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
