import { aggregationBody } from '../page.ts';
import { plausible } from './search.ts';

/** Builds a request that counts the listings that searches return, and their cities and sources. */
export function overviewBody(): Record<string, unknown> {
  const aggs = {
    cities: { cardinality: { field: 'filter.city' } },
    sources: { cardinality: { field: 'filter.source' } },
  };
  return aggregationBody([plausible({})], aggs, true);
}
