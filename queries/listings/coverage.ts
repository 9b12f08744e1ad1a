import { aggregationBody } from '../page.ts';
import { plausible } from './search.ts';

/** Maximum number of cities and of sources. Installations have tens. */
const MAX_VALUES = 1_000;

const rents = { filter: { term: { 'filter.listing_type': 'rent' } } };
const newest = { max: { field: 'filter.modified' } };

export function coverageBody(): Record<string, unknown> {
  const terms = (field: string) => ({ field, size: MAX_VALUES });
  return aggregationBody(
    [plausible({})],
    {
      cities: {
        terms: terms('filter.city'),
        aggs: { rents, newest, sources: { terms: terms('filter.source') } },
      },
      sources: {
        terms: terms('filter.source'),
        aggs: { rents, newest, cities: { cardinality: { field: 'filter.city' } } },
      },
    },
    true,
  );
}
