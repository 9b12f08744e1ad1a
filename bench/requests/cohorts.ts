import { type Corpus, searchListings } from '../corpus.ts';

/** The listings of one city and listing type, and values that occur in them, for realistic requests. */
export interface Cohort {
  city: string;
  listing_type: string;
  documents: number;
  neighborhoods: number[];
  property_types: string[];
  /** 5th, 25th, 50th, 75th and 95th price percentile. */
  prices: number[];
  lat: { low: number; high: number };
  lng: { low: number; high: number };
}

interface Bucket {
  key: string;
  doc_count: number;
}

interface Percents {
  values: Record<string, number | null>;
}

interface CityBucket extends Bucket {
  types: {
    buckets: (Bucket &
      Record<'neighborhoods' | 'property_types', { buckets: Bucket[] }> &
      Record<'prices' | 'lat' | 'lng', Percents>)[];
  };
}

/** Returns the cohorts, the largest first. */
export async function readCohorts(corpus: Corpus): Promise<Cohort[]> {
  const found = await searchListings<{ aggregations: { cities: { buckets: CityBucket[] } } }>(corpus, {
    size: 0,
    query: { term: { 'stats.plausible_pooled': true } },
    aggs: {
      cities: {
        terms: { field: 'filter.city', size: 30 },
        aggs: {
          types: {
            terms: { field: 'filter.listing_type', size: 2 },
            aggs: {
              neighborhoods: { terms: { field: 'filter.neighborhood_id', size: 40 } },
              property_types: { terms: { field: 'filter.property_type', size: 6 } },
              prices: { percentiles: { field: 'filter.price', percents: [5, 25, 50, 75, 95] } },
              lat: { percentiles: { field: 'filter.lat', percents: [5, 95] } },
              lng: { percentiles: { field: 'filter.lng', percents: [5, 95] } },
            },
          },
        },
      },
    },
  });
  const cohorts = found.aggregations.cities.buckets.flatMap((city) =>
    city.types.buckets.map((type): Cohort => {
      const values = (percents: Percents): number[] => Object.values(percents.values).map((value) => value ?? 0);
      const [south = 0, north = 0] = values(type.lat);
      const [west = 0, east = 0] = values(type.lng);
      return {
        city: city.key,
        listing_type: type.key,
        documents: type.doc_count,
        neighborhoods: type.neighborhoods.buckets.map(({ key }) => Number(key)),
        property_types: type.property_types.buckets.map(({ key }) => key),
        prices: values(type.prices),
        lat: { low: south, high: north },
        lng: { low: west, high: east },
      };
    }),
  );
  return cohorts.sort((a, b) => b.documents - a.documents);
}
