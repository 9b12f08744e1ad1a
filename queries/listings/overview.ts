/** Builds a request that counts all listings, cities and sources. */
export function overviewBody(): Record<string, unknown> {
  return {
    size: 0,
    track_total_hits: true,
    aggs: { cities: { cardinality: { field: 'filter.city' } }, sources: { cardinality: { field: 'filter.source' } } },
  };
}
