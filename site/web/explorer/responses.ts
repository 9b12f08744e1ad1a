import type { Ring } from '#site/explorer-place.ts';

/** Parts of API responses that the explorer shows. */

export interface Named {
  name_en: string | null;
  name_ar: string | null;
}

export interface City extends Named {
  slug: string;
}

export interface Neighborhood extends Named {
  id: number;
  center: { lat: number; lng: number } | null;
}

/** Simplified boundaries of neighborhoods. */
export interface Boundaries {
  data: { features: { id: number; geometry: { coordinates: Ring[][] } | null }[] };
}

export interface Enums {
  sources: string[];
  names: Record<string, Record<string, Named>>;
}

export interface Listing {
  id: number;
  url: string;
  headline: string;
  listing_type: string;
  first_seen_at: string;
  property_type: string;
  price: { yearly_sar: number | null; previous_yearly_sar: number | null };
  bedrooms: number | null;
  area_sqm: number | null;
  location: {
    city_name_en: string;
    neighborhood_name_ar: string | null;
    neighborhood_name_en: string | null;
    lat: number | null;
    lng: number | null;
  };
  images: string[];
  source: { name: string };
}

export interface Suggestion extends Named {
  kind: 'city' | 'neighborhood' | 'compound' | 'project' | 'developer';
  id: number | null;
  city: string | null;
  listing_count: number;
  center: { lat: number; lng: number } | null;
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
  clusters: {
    bbox: [west: number, south: number, east: number, north: number];
    lat: number;
    lng: number;
    count: number;
    median_price_sar: number | null;
  }[];
  pins: { id: number; lat: number; lng: number; price_sar: number }[];
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

export interface NeighborhoodPrices extends Named {
  neighborhood_id: number;
  sample_size: number;
  small_sample: boolean;
  median_price_sar: number | null;
  median_price_per_sqm_sar: number | null;
}

export interface Ranking {
  data: { sample_size: number; neighborhoods: NeighborhoodPrices[] };
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

export interface Project extends Named {
  id: number;
  developer: Named | null;
  status: string;
  location: {
    neighborhood_name_ar: string | null;
    neighborhood_name_en: string | null;
    lat: number | null;
    lng: number | null;
  };
  price: { min_sar: number | null; max_sar: number | null };
  delivery_date: string | null;
  images: string[];
  source: { name: string };
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
