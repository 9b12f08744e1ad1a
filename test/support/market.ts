import type { Amenity, PropertyType } from '#domain/listing-vocabulary.ts';
import { PROPERTY_TYPE_TABLE } from '#domain/listing-vocabulary.ts';
import type { Listing, StoredListing } from '#domain/listings/listing.ts';
import { timestamp } from '#domain/listings/present.ts';
import type { TestApp } from './app.ts';
import { makeListing } from './factories.ts';
import { allRows } from './pages.ts';

const DAY = 86_400;

export interface MarketOptions {
  city: string;
  neighborhoods: readonly number[];
  /** Current time in epoch seconds. */
  now: number;
  count: number;
  random: () => number;
}

const TYPES: readonly PropertyType[] = ['apartment', 'apartment', 'apartment', 'villa', 'floor', 'land', 'office'];
const AMENITIES: readonly Amenity[] = ['ac', 'kitchen', 'parking', 'lift', 'pool'];

/**
 * Generates listings for a realistic city: expensive and low-cost neighborhoods, some ads without neighborhood or area,
 * and old and new ads.
 */
export function marketCity({ city, neighborhoods, now, count, random }: MarketOptions): StoredListing[] {
  const whole = (below: number): number => Math.floor(random() * below);
  const spread = (): number => Math.exp((random() + random() + random() - 1.5) * 0.6);
  return Array.from({ length: count }, () => {
    const at = Math.floor(random() ** 2 * neighborhoods.length);
    const placed = random() < 0.95;
    const property_type = TYPES[whole(TYPES.length)] as PropertyType;
    const rent = random() < 0.6;
    const bedrooms = property_type === 'land' || property_type === 'office' ? null : 1 + whole(5);
    const area = Math.round(50 + (bedrooms ?? 4) * 35 * spread());
    const price = Math.round((area * (250 + at * 40) * spread()) / 500) * 500 * (rent ? 1 : 15);
    const first = now - whole(100 * DAY);
    return makeListing(
      {
        listing_type: rent ? 'rent' : 'sale',
        property_type,
        listing_category: PROPERTY_TYPE_TABLE[property_type].category,
        price: { yearly_sar: random() < 0.02 ? null : price },
        bedrooms,
        area_sqm: random() < 0.1 ? null : area,
        amenities: AMENITIES.filter(() => random() < 0.4),
        updated_at: timestamp(Math.max(first, now - whole(45 * DAY))),
        location: {
          city,
          neighborhood_id: placed ? (neighborhoods[at] ?? null) : null,
          lat: 24.5 + at * 0.01 + whole(12) * 0.0007,
          lng: 46.5 + whole(25) * 0.0007,
        },
      },
      {
        first_seen: first,
        source: `source_${whole(3)}`,
        advertiser: random() < 0.6 ? `adv_${whole(count / 4)}` : null,
        plausible_typed: random() < 0.95,
        plausible_pooled: random() < 0.95,
      },
    );
  });
}

export type Query = Readonly<Record<string, string | number>>;

const text = (query: Query): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString();

/** Returns all results of a search over all its pages. */
export function pull(app: TestApp, key: string, query: Query): Promise<Listing[]> {
  return allRows(app, `/v1/listings?${text({ ...query, limit: 100 })}`, key);
}

/** Returns the `data` of a response. Throws if the request fails. */
// biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
export async function getData(app: TestApp, key: string, path: string, query: Query = {}): Promise<any> {
  const { status, body, text: answer } = await app.request(`${path}?${text(query)}`, { key });
  if (status !== 200) throw new Error(`${path} ${JSON.stringify(query)}: ${status} ${answer}`);
  return body.data;
}

/**
 * Lets the search engine compute all statistics of an app, as for large markets. Those of small ones are computed from
 * single values otherwise.
 */
export function aggregateInEngine({ services }: TestApp): void {
  const { search, statistics } = services;
  const send = search.search.bind(search);
  const isOfValues = (body: object): boolean => 'terminate_after' in body;
  search.search = async <T>(...[index, body, ...options]: Parameters<typeof send>): Promise<T> =>
    isOfValues(body) ? ({ terminated_early: true } as T) : send<T>(index, body, ...options);
  statistics.clear();
}

/**
 * Returns a quantile with linear interpolation between the nearest ranks, implemented for tests in the simplest form.
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return null;
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] as number;
  const high = sorted[Math.ceil(position)] as number;
  return low + (high - low) * (position - Math.floor(position));
}

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** Returns the relative error in percent; infinite if only one of the values is null. */
export function errorPct(found: number | null, exact: number | null): number {
  if (found === null || exact === null) return found === exact ? 0 : Number.POSITIVE_INFINITY;
  return exact === 0 ? Math.abs(found) * 100 : Math.abs(found / exact - 1) * 100;
}

/** Returns whether a home belongs to an age class. If `ages` is null, every age matches. */
export const isOfAges = (age: number | null, ages: { min: number; max: number | null } | null): boolean =>
  ages === null || (age !== null && age >= ages.min && age <= (ages.max ?? Number.POSITIVE_INFINITY));
