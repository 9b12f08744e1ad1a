import { coverageBody } from '#queries/listings/counts.ts';
import type { Services } from '#src/services.ts';
import { cachedAggregation } from '#stores/opensearch/aggregation-cache.ts';

interface Bucket {
  key: string;
  doc_count: number;
  rents: { doc_count: number };
  newest: { value: number | null };
}
interface CoverageResponse {
  hits: { total: { value: number } };
  aggregations: {
    cities: { buckets: readonly (Bucket & { sources: { buckets: readonly { key: string }[] } })[] };
    sources: { buckets: readonly (Bucket & { cities: { value: number } })[] };
  };
}

/** Numbers of the listings that searches return, by city and by source. */
export type Coverage = ReturnType<typeof coverageOf>;

const countOf = ({ key, doc_count, rents, newest }: Bucket) => ({
  name: key,
  listings: doc_count,
  rents: rents.doc_count,
  // Epoch milliseconds of the last change of a listing.
  changed: newest.value === null ? null : Math.floor(newest.value / 1_000),
});

const coverageOf = ({ hits, aggregations: { cities, sources } }: CoverageResponse) => ({
  listings: hits.total.value,
  cities: cities.buckets.map((bucket) => ({
    ...countOf(bucket),
    sources: bucket.sources.buckets.map(({ key }) => key),
  })),
  sources: sources.buckets.map((bucket) => ({ ...countOf(bucket), cities: bucket.cities.value })),
});

const readJson = cachedAggregation<Record<string, never>, CoverageResponse>({
  name: 'coverage',
  body: coverageBody,
  present: coverageOf,
});

/** @param deadline `performance.now()` timestamp at which the search times out */
export async function readCoverage(services: Services, deadline: number): Promise<Coverage> {
  const now = services.clock.now();
  return JSON.parse(await readJson({ services, filters: {}, now, deadline, requester: { name: 'site' } })) as Coverage;
}
