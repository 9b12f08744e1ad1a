/**
 * What tells one state of the searchable listings from another. Every write of a listing has a greater number than the
 * one before, so that a new or changed listing raises the sum and a removed one lowers the count; a reindex changes the
 * index. The engine keeps the answer until a refresh brings something new.
 */
export function dataVersionBody(): Record<string, unknown> {
  return {
    size: 0,
    track_total_hits: true,
    aggs: { writes: { stats: { field: '_seq_no' } }, index: { terms: { field: '_index', size: 10 } } },
  };
}
