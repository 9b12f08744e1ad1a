import { plausible } from './search.ts';

/** Maximum number of neighborhoods, more than the gazetteer has. */
const MAX_NEIGHBORHOODS = 20_000;

/** Builds a request that counts the listings that a search finds, for each neighborhood. */
export function neighborhoodCountsBody(): Record<string, unknown> {
  return {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [plausible({})] } },
    aggs: { neighborhoods: { terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS } } },
  };
}

/** The response to `neighborhoodCountsBody`. */
export interface NeighborhoodCounts {
  aggregations: { neighborhoods: { buckets: { key: string; doc_count: number }[] } };
}
