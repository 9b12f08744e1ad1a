import { aggregationBody } from '../clause.ts';
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

const MAX_BUCKETS = 20_000;
/** Maximum number of compounds: those with the most listings, each with its name from one listing. */
const MAX_COMPOUNDS = 2_000;

const box = { box: { geo_bounds: { field: 'filter.location' } } };
const by = (field: string) => ({ terms: { field, size: MAX_BUCKETS }, aggs: box });

export function suggestionCountsBody(): Record<string, unknown> {
  return aggregationBody([plausible({})], {
    city: by('filter.city'),
    neighborhood: {
      ...by('filter.neighborhood_id'),
      aggs: { ...box, centroid: { geo_centroid: { field: 'filter.location' } } },
    },
    project: by('filter.project_id'),
    developer: by('filter.project_developer'),
    compound: {
      terms: { field: 'filter.compound', size: MAX_COMPOUNDS },
      aggs: { ...box, stated: { top_hits: { size: 1, _source: ['display.compound_name', 'display.location.city'] } } },
    },
  });
}

interface Corner {
  lat: number;
  lon: number;
}

export interface SuggestionBucket {
  key: string | number;
  doc_count: number;
  /** Extent of the listings, without `bounds` if none has a location. */
  box: { bounds?: { top_left: Corner; bottom_right: Corner } };
  centroid?: { location?: Corner };
}

export interface CompoundBucket extends SuggestionBucket {
  stated: {
    hits: { hits: readonly { _source: { display: { compound_name: string; location: { city: string } } } }[] };
  };
}

export interface SuggestionCounts {
  aggregations: Record<'city' | 'neighborhood' | 'project' | 'developer', { buckets: readonly SuggestionBucket[] }> & {
    compound: { buckets: readonly CompoundBucket[] };
  };
}
