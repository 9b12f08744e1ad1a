/**
 * Builds a request for the version of the searchable listings. Sequence numbers increase with each write, so a new or
 * changed listing raises the sum, a removed listing lowers the count, and a reindex changes the index name. OpenSearch
 * caches the response until a refresh makes a change searchable.
 */
export function dataVersionBody(): Record<string, unknown> {
  return {
    size: 0,
    track_total_hits: true,
    aggs: { writes: { stats: { field: '_seq_no' } }, index: { terms: { field: '_index', size: 10 } } },
  };
}
