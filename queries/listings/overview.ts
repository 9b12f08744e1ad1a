/** How much is served: listings, the cities they lie in, and the sources they come from. */
export function overviewBody(): Record<string, unknown> {
  return {
    size: 0,
    track_total_hits: true,
    aggs: { cities: { cardinality: { field: 'filter.city' } }, sources: { cardinality: { field: 'filter.source' } } },
  };
}
