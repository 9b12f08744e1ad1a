import type { Neighbor } from '#domain/statistics/estimate.ts';
import type { Subject } from '#domain/statistics/price-band.ts';
import type { LoadCall } from '#http/endpoint.ts';
import { type NearbyResponse, nearbyBody, readNearby } from '#queries/analytics/nearby.ts';
import { searchIndex } from '../search-index.ts';

/** Reads the candidates for a price band. With `bedrooms: null`, homes with any number of bedrooms. */
export const nearby = async (
  call: Pick<LoadCall, 'services' | 'now' | 'deadline'>,
  subject: Subject,
): Promise<Neighbor[]> =>
  readNearby(await searchIndex<NearbyResponse>(call, 'listings', nearbyBody(subject, call.now)));
