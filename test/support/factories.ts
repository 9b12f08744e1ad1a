import { randomBytes, randomInt } from 'node:crypto';
import type { ListingDisplay, ListingPrivate, StoredListing } from '#domain/listings/listing.ts';
import { firstModified } from '#domain/listings/modified.ts';
import { timestamp } from '#domain/listings/present.ts';
import { generateKey, hashKey, type SecretKind } from '#src/accounts/keys.ts';
import type { ChargeRequest } from '#src/metering/charge-statement.ts';
import type { Services } from '#src/services.ts';
import { openListingIndex, readWatermark } from '#stores/opensearch/listing-index/listing-index.ts';

export type Deep<T> = T extends readonly unknown[] ? T : T extends object ? { [K in keyof T]?: Deep<T[K]> } : T;

let nextId = randomInt(1_000_000_000, 2_000_000_000) * 1000;

/**
 * Creates a published listing with plausible contents; `display` and `hidden` override any part. Ids are unique across
 * parallel test files.
 */
export function makeListing(display: Deep<ListingDisplay> = {}, hidden: Partial<ListingPrivate> = {}): StoredListing {
  const { id = nextId++, ...given } = display;
  const firstSeen = hidden.first_seen ?? Math.floor(Date.now() / 1000) - 3 * 86_400;
  const photos = hidden.photos ?? [`ab/${id}.jpg`];
  return {
    display: {
      // The id comes first, as in stored documents.
      id,
      title: 'شقة للإيجار',
      headline: '3-bedroom apartment for rent',
      description: 'شقة نظيفة قريبة من الخدمات',
      description_en: 'A clean apartment close to services.',
      listing_type: 'rent',
      listing_category: 'residential',
      property_type: 'apartment',
      bedrooms: 3,
      bathrooms: 2,
      livings: 1,
      area_sqm: 120,
      floor: null,
      age_years: 5,
      furnished: null,
      amenities: [],
      compound_name: null,
      project_id: null,
      image_count: photos.length,
      verified_by_source: null,
      also_listed_on: [],
      first_seen_at: timestamp(firstSeen),
      updated_at: timestamp(firstSeen),
      ...given,
      price: {
        yearly_sar: 40_000,
        previous_yearly_sar: null,
        changed_at: null,
        ...display.price,
        as_posted:
          display.price?.as_posted === null
            ? null
            : { amount: 40_000, frequency: 'yearly', ...display.price?.as_posted },
      },
      financing: {
        rent_now_pay_later_monthly_sar: null,
        accepts_bank_financing: null,
        ...display.financing,
        landlord_payment_plans: {
          monthly: null,
          quarterly: null,
          semiannually: null,
          ...display.financing?.landlord_payment_plans,
        },
      },
      location: {
        city: 'riyadh',
        city_name_en: 'Riyadh',
        neighborhood_id: null,
        neighborhood_name_ar: null,
        neighborhood_name_en: null,
        lat: 24.7,
        lng: 46.7,
        street_width_m: null,
        ...display.location,
      },
      advertiser: { type: null, ...display.advertiser },
    },
    private: {
      source: 'test_source',
      source_listing_id: String(id),
      photos,
      first_seen: firstSeen,
      last_seen: firstSeen,
      modified: firstModified(firstSeen, id),
      advertiser_type: null,
      advertiser: null,
      plausible_typed: true,
      plausible_pooled: true,
      ...hidden,
    },
  };
}

/**
 * Watermark that exceeds every `modified_at` in tests (2200-01-01), so that directly indexed documents count as
 * published.
 */
const PUBLISHED = 7_258_118_400_000_000;

/** Indexes listings and makes them visible to searches, including those sorted by `modified_at`. */
export async function indexListings(services: Services, listings: readonly StoredListing[]): Promise<void> {
  const index = await openListingIndex(services.opensearch);
  for (let at = 0; at < listings.length; at += 2_000) {
    const batch = listings.slice(at, at + 2_000);
    await index.bulk(batch.map((stored) => ({ op: 'index', id: stored.display.id, version: 1, stored })));
  }
  await index.refresh();
  if ((await readWatermark(index.client, index.alias)) !== PUBLISHED) {
    await index.publish(PUBLISHED);
    await services.indexGuard.refresh();
  }
  services.statistics.clear();
}

export interface OrganizationOptions {
  plan?: 'free' | 'starter' | 'growth' | 'pro' | 'enterprise';
  /** Column values for `organizations`, except name and plan. */
  columns?: Readonly<Record<string, unknown>>;
}

export interface TestOrganization {
  id: number;
  publicId: string;
  /** A live key that has all scopes of the plan. */
  key: string;
}

/** Creates an organization that has one live key. */
export async function createOrganization(
  services: Services,
  options: OrganizationOptions = {},
): Promise<TestOrganization> {
  const publicId = `org_${randomBytes(12).toString('hex')}`;
  const columns = {
    public_id: publicId,
    name: `Test ${publicId}`,
    plan: options.plan ?? 'enterprise',
    ...options.columns,
  };
  const id = await insertRow(services, 'organizations', columns);
  return { id, publicId, key: await createKey(services, id) };
}

export interface KeyOptions {
  kind?: SecretKind;
  /** Column values for `api_keys`, except kind, name and hash. */
  columns?: Readonly<Record<string, unknown>>;
}

/** Creates a key for an organization and returns the key text. */
export async function createKey(services: Services, organizationId: number, options: KeyOptions = {}): Promise<string> {
  const kind = options.kind ?? 'live';
  const key = generateKey(kind, randomBytes);
  const publicId = `key_${randomBytes(12).toString('hex')}`;
  const columns = {
    public_id: publicId,
    organization_id: organizationId,
    kind,
    name: publicId,
    hash: hashKey(key, services.config.keyPepper),
    last_four: key.slice(-4),
    ...options.columns,
  };
  await insertRow(services, 'api_keys', columns);
  return key;
}

/** Inserts a row, with values by column. @returns its id */
async function insertRow({ pool }: Pick<Services, 'pool'>, table: string, columns: object): Promise<number> {
  const names = Object.keys(columns);
  const { rows } = await pool.query<{ id: number }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')}) returning id`,
    Object.values(columns),
  );
  return rows[0]?.id as number;
}

/** Inserts a row of `listings`, as ingest does. */
export const recordListing = (services: Pick<Services, 'pool'>, id: number, columns: object = {}): Promise<number> =>
  insertRow(services, 'listings', {
    id,
    source: 'test_source',
    source_listing_id: String(id),
    content_hash: 'x',
    city: 'riyadh',
    listing_type: 'rent',
    property_type: 'apartment',
    listing_category: 'residential',
    signature: '',
    photos: 'ab/1.jpg',
    needs_photos: true,
    first_seen_at: new Date(),
    updated_at: new Date(),
    updated_by_source: true,
    changed_run: 1,
    content_run: 1,
    ...columns,
  });

/** Creates a project. @param cap monthly cap in units, null for none */
export async function createProject(
  services: Pick<Services, 'pool'>,
  organizationId: number,
  cap: number | null = null,
) {
  const publicId = `prj_${randomBytes(12).toString('hex')}`;
  const columns = { public_id: publicId, organization_id: organizationId, name: publicId, monthly_unit_cap: cap };
  return { id: await insertRow(services, 'projects', columns), publicId };
}

/** Returns the units counted for an organization, or for another subject of counters. */
export async function unitsUsed(
  { pool }: Pick<Services, 'pool'>,
  id: number,
  subject = 'organization',
): Promise<number> {
  const { rows } = await pool.query<{ units: number }>(
    'select coalesce(sum(units), 0)::bigint as units from unit_counters where subject = $1 and subject_id = $2',
    [subject, id],
  );
  return rows[0]?.units as number;
}

/** Returns a `charge` request for a call that costs one unit. Every property can be overridden. */
export const makeChargeRequest = (
  { config }: Pick<Services, 'config'>,
  key: string,
  given: Partial<ChargeRequest> = {},
): ChargeRequest => ({
  keyHash: hashKey(key, config.keyPepper),
  audience: 'data',
  scope: null,
  units: 1,
  valid: true,
  limit: 0,
  offset: 0,
  ip: '127.0.0.1',
  now: null,
  ...given,
});
