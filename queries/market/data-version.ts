/**
 * Reads a version of the searchable listings. Each write of a listing has a higher sequence number than the one before, so a
 * new or changed listing raises the sum, a removed one lowers the count, and a reindex changes the index name. OpenSearch
 * caches the response until a refresh makes a change searchable.
 */
export function dataVersionBody(): Record<string, unknown> {
  return {
    size: 0,
    track_total_hits: true,
    aggs: { writes: { stats: { field: '_seq_no' } }, index: { terms: { field: '_index', size: 10 } } },
  };
}
