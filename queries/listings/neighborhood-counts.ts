import type { LatLng } from '#domain/geography/places.ts';
import { aggregationBody } from '../page.ts';
import { plausible } from './search.ts';

/** More than the gazetteer has. */
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
