import type { RawListing } from '#ingest/normalize/listing.ts';
import type { FeedRow } from '#ingest/sources/kinds/feed-row.ts';
import { ad } from '../ingest/run/pipeline.ts';

/** Search parameters of the copy in the guide's script. */
export const COPIED = { city: 'jeddah', listing_type: 'sale' } as const;

/** A home for sale in Jeddah. Price, area and location differ by id, so that no two are merged. */
export function home(id: string, changes: Partial<RawListing> = {}): FeedRow {
  const { raw } = ad(id) as { raw: RawListing };
  const spread = Number(raw.price) % 20_000;
  return ad(id, {
    purpose: 'sale',
    city: 'Jeddah',
    price_period: undefined,
    price: 700_000 + spread * 20,
    lat: Number(raw.lat) - 24.6 + 21.45,
    lng: Number(raw.lng) - 46.6 + 39.12,
    ...changes,
  });
}

export const homes = (count: number, prefix: string, changes: Partial<RawListing> = {}): FeedRow[] =>
  Array.from({ length: count }, (_, index) => home(`${prefix}${index}`, changes));
