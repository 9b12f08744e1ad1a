import { aggregationBody } from '../page.ts';
import { plausible } from './search.ts';

/** Of the listings that searches return. */
export function overviewBody(): Record<string, unknown> {
  const aggs = {
    cities: { cardinality: { field: 'filter.city' } },
    sources: { cardinality: { field: 'filter.source' } },
  };
  return aggregationBody([plausible({})], aggs, true);
}
