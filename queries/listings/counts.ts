import type { LatLng } from '#domain/geography/places.ts';
import { aggregationBody } from '../clause.ts';
import { plausible } from './search.ts';

const MAX_NEIGHBORHOODS = 20_000;

export function neighborhoodCountsBody(): Record<string, unknown> {
  return aggregationBody([plausible({})], {
    neighborhoods: {
      terms: { field: 'filter.neighborhood_id', size: MAX_NEIGHBORHOODS },
      aggs: { center: { geo_centroid: { field: 'filter.location' } } },
    },
  });
}

export interface NeighborhoodCounts {
  aggregations: {
    neighborhoods: {
      buckets: { key: string; doc_count: number; center: { location?: { lat: number; lon: number } } }[];
    };
  };
}

export interface NeighborhoodListings {
  count: number;
  /** Center of the listings; null if none has a location. */
  center: LatLng | null;
}

/** Returns counts by neighborhood id. Centers are rounded to 0.0001 degrees. */
export function readNeighborhoods({ aggregations }: NeighborhoodCounts): ReadonlyMap<number, NeighborhoodListings> {
  const rounded = (degrees: number): number => Math.round(degrees * 1e4) / 1e4;
  return new Map(
    aggregations.neighborhoods.buckets.map(({ key, doc_count, center: { location } }) => [
      Number(key),
      { count: doc_count, center: location ? { lat: rounded(location.lat), lng: rounded(location.lon) } : null },
    ]),
  );
}

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
