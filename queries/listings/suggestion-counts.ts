import { aggregationBody } from '../page.ts';
import { plausible } from './search.ts';

const MAX_BUCKETS = 20_000;
/** Maximum number of compounds: those with the most listings, each with its name from one listing. */
const MAX_COMPOUNDS = 2_000;

const box = { box: { geo_bounds: { field: 'filter.location' } } };
const by = (field: string) => ({ terms: { field, size: MAX_BUCKETS }, aggs: box });

/** Counts listings by city, neighborhood, project, developer and compound, with the extent of their locations. */
export function suggestionCountsBody(): Record<string, unknown> {
  return aggregationBody([plausible({})], {
    city: by('filter.city'),
    neighborhood: by('filter.neighborhood_id'),
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
