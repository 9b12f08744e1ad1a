import type { Neighbor } from '#domain/statistics/estimate.ts';
import type { Subject } from '#domain/statistics/price-band.ts';
import type { LoadCall } from '#http/endpoint.ts';
import { nearbyBody } from '#queries/analytics/nearby.ts';
import { searchIndex } from '../search-index.ts';

interface NearbyResponse {
  hits: {
    hits: readonly {
      fields: Readonly<Record<string, readonly unknown[]>>;
      /** Sort values of the hit: the distance in meters, if the search has a location, and the listing id. */
      sort: readonly number[];
    }[];
  };
}

/** Reads the candidates for a price band. With `bedrooms: null`, homes with any number of bedrooms. */
export async function nearby(
  call: Pick<LoadCall, 'services' | 'now' | 'deadline'>,
  subject: Subject,
): Promise<Neighbor[]> {
  const { hits } = await searchIndex<NearbyResponse>(call, 'listings', nearbyBody(subject, call.now));
  return hits.hits.map(({ fields, sort }) => {
    const number = (field: string): number | null => (fields[field]?.[0] as number | undefined) ?? null;
    const text = (field: string): string | null => (fields[field]?.[0] as string | undefined) ?? null;
    return {
      id: sort.at(-1) as number,
      distance: sort.length > 1 ? (sort[0] as number) : 0,
      price: number('filter.price') ?? 0,
      area: number('filter.area') ?? 0,
      bedrooms: number('filter.beds'),
      bathrooms: number('filter.bathrooms'),
      age: number('filter.age'),
      lat: number('filter.lat'),
      lng: number('filter.lng'),
      compound: text('filter.compound'),
      advertiser: text('stats.advertiser'),
    };
  });
}
