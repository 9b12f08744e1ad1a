import type { NormalizedListing, RawListing } from '#ingest/normalize/listing.ts';
import { normalize } from '#ingest/normalize/normalize.ts';
import { scalar, text, texts } from '#ingest/sources/kinds/fields.ts';
import { type JsonRow, ndjson } from '#ingest/sources/kinds/ndjson-file.ts';

/** Fields of one ad in a feed of values. */
export type FeedValues = Readonly<Record<string, unknown>>;

const AT = new Date('2026-11-24T09:00:00Z');

/** A plausible apartment, to which a case adds its values. */
const BASE = {
  id: 'a1',
  purpose: 'sale',
  type: 'شقة',
  price: 810_000,
  area: 130,
  city: 'الرياض',
  nb: 'النرجس',
  text: 'شقة للبيع في حي النرجس بتشطيب ممتاز',
};

/** Returns a line of a feed. @param row values, or JSON text, for numbers that JavaScript cannot represent */
export function feedText(row: string | FeedValues): string {
  const values = typeof row === 'string' ? row : JSON.stringify(row);
  const base = Object.entries(BASE).filter(([name]) => !Object.hasOwn(JSON.parse(values) as object, name));
  return `${JSON.stringify(Object.fromEntries(base)).slice(0, -1)}, ${values.slice(1)}`;
}

const rawFrom = (row: JsonRow): RawListing => ({
  source_listing_id: text(row.id) ?? '',
  url: text(row.url),
  description: text(row.text),
  purpose: text(row.purpose) ?? '',
  property_type: text(row.type) ?? '',
  price: scalar(row.price),
  price_period: text(row.period),
  currency: text(row.currency),
  area: scalar(row.area),
  area_unit: text(row.area_unit),
  floor: scalar(row.floor),
  amenities: texts(row.amenities),
  city: text(row.city),
  neighborhood: text(row.nb),
  lat: scalar(row.lat),
  lng: scalar(row.lng),
  updated_at: scalar(row.updated),
});

const servedFrom = (listing: NormalizedListing): Record<string, unknown> => ({
  id: listing.source_listing_id,
  url: listing.url,
  price: listing.price_yearly_sar,
  amount: listing.price_as_posted?.amount,
  currency: listing.price_as_posted?.currency,
  area_sqm: listing.area_sqm,
  floor: listing.floor,
  updated_at: listing.source_updated_at,
  lat: listing.lat,
  lng: listing.lng,
  ...Object.fromEntries(['lift', 'pool', 'parking'].map((name) => [name, listing.amenities.includes(name as 'lift')])),
});

/** Reads a feed of values and returns the served values of each row; for a rejected row, the reason as `lost`. */
export async function servedValues(path: string): Promise<Record<string, unknown>[]> {
  const served: Record<string, unknown>[] = [];
  for await (const row of ndjson({ map: rawFrom })({ path, signal: AbortSignal.timeout(60_000) })) {
    const result = row.ok ? normalize({ name: 'values' }, row.raw, AT) : row;
    served.push('listing' in result ? servedFrom(result.listing) : { lost: 'reason' in result ? result.reason : '' });
  }
  return served;
}
