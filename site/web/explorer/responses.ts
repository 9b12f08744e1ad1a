import type { LatLng } from '#domain/geography/places.ts';
import type { Box, Ring } from '#site/explorer-place.ts';

/** Parts of API responses that the explorer shows, without those that `src/domain` defines. */

export interface Named {
  name_en: string | null;
  name_ar: string | null;
}

/** Simplified boundaries of neighborhoods. */
export interface Boundaries {
  data: { features: { id: number; geometry: { coordinates: Ring[][] } | null }[] };
}

export interface Enums {
  sources: string[];
  names: Record<string, Record<string, Named>>;
}

export interface Suggestion extends Named {
  kind: 'city' | 'neighborhood' | 'compound' | 'project' | 'developer';
  id: number | null;
  city: string | null;
  listing_count: number;
  center: LatLng | null;
}

export interface Sentence {
  data: {
    filters: Record<string, string>;
    sort: string | null;
    understood: { parameter: string; words: string }[];
    not_understood: { words: string }[];
    alternatives: ({ city: string; neighborhood_id: number } & Named)[];
  };
}

export interface PriceRange {
  from: number;
  to: number | null;
  count: number;
}

/** Number of listings of a search, in total and by value of a filter. */
export interface Facets {
  data: {
    total: number;
    facets: { field: string; values: { value: string; count: number }[]; ranges: PriceRange[] }[];
  };
}

/** Plan and permitted APIs of the calling key. */
export interface Limits {
  data: { plan: string; apis: string[] };
}

/** Listings in a box: pins, or clusters if there are many. */
export interface MapData {
  total: number;
  clusters: (LatLng & { bbox: Box; count: number; median_price_sar: number | null })[];
  pins: (LatLng & { id: number; price_sar: number })[];
}

export interface Rows<Row> {
  data: Row[];
  pagination: { next_cursor?: string | null; has_more: boolean };
}

export interface Distribution {
  data: {
    sample_size: number;
    small_sample: boolean;
    median_price_sar: number | null;
    p25_price_sar: number | null;
    p75_price_sar: number | null;
    bins: { from: number | null; to: number | null; count: number }[];
  };
}

export interface Ranking {
  data: {
    neighborhoods: (Named & {
      neighborhood_id: number;
      sample_size: number;
      small_sample: boolean;
      median_price_sar: number | null;
      median_price_per_sqm_sar: number | null;
    })[];
  };
}

export interface Trend {
  data: {
    series: {
      change_pct: number | null;
      points: {
        month: string;
        coverage: string;
        sample_size: number | null;
        small_sample: boolean | null;
        median_price_sar: number | null;
      }[];
    }[];
  };
}

export interface Deals {
  data: {
    cells: {
      neighborhood_id: number | null;
      quarter: string;
      coverage_flag: string;
      deal_count: number;
      median_price_per_sqm_sar: number | null;
      median_price_sar: number | null;
    }[];
    attribution: {
      notice: string;
      license: { name: string; url: string };
      datasets: { title: string; title_en: string; publisher: string; urls: string[] }[];
    } | null;
  };
}
