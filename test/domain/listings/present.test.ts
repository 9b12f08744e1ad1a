import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { QUALITY_FLAGS } from '#domain/listing-vocabulary.ts';
import { derivedFields } from '#domain/listings/derived.ts';
import type { Listing, StoredListing } from '#domain/listings/listing.ts';
import { SourceClock } from '#domain/listings/source-clock.ts';
import { isoMicros } from '#domain/timestamps.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { hostileText } from '#test/hostile-text.ts';
import { allRows } from '#test/pages.ts';
import { test } from '#test/test.ts';

/** Set PRESENT_SEED to the seed of a failure to reproduce its texts. */
const SEED = Number(process.env.PRESENT_SEED ?? randomInt(2 ** 31));
const LISTINGS = 400;
const NOW = Date.parse('2026-06-01T12:00:37Z');
const SITE = 'https://homes.test/sa';
const CDN = 'https://images.test/a/b';
/**
 * Last complete read of two sources, in epoch seconds: one after its listings were written, one before. A third source was
 * never read.
 */
const READ_LATER = 1_780_300_000;
const READ_BEFORE = 1_700_000_000;

const hostileOrNull = fc.option(hostileText, { freq: 5 });

const hostileListing = fc.record({
  title: hostileOrNull,
  headline: hostileText,
  description: hostileText,
  compound_name: hostileOrNull,
  also_listed_on: fc.array(hostileText, { maxLength: 3 }),
  price: fc.option(fc.double({ min: 0, max: 1e12, noNaN: true }), { freq: 8 }),
  area_sqm: fc.option(fc.double({ min: 0, max: 1e7, noNaN: true })),
  source: fc.oneof(fc.constantFrom('read_later', 'read_before', 'never'), hostileText),
  source_listing_id: hostileText,
  photos: fc.array(fc.stringMatching(/^[a-z0-9]{2}\/[a-z0-9-]{1,20}\.jpg$/), { maxLength: 4 }),
  quality: fc.option(fc.uniqueArray(fc.constantFrom(...QUALITY_FLAGS))),
  modified: fc.option(fc.integer({ min: 0, max: 7e15 })),
  first_seen: fc.integer({ min: 1_700_000_000, max: Math.floor(NOW / 1000) + 100 }),
});

const seen = new Map([
  ['read_later', READ_LATER],
  ['read_before', READ_BEFORE],
]);
const sourceClock = new SourceClock(async () => seen);
let app: TestApp;
let paid: string;
const room = { units_per_minute: 100_000, units_per_month: 100_000 };
let free: string;
let city: string;
let stored: StoredListing[];
test.before(async () => {
  await sourceClock.refresh();
  app = await startTestApp({
    env: { SITE_URL: SITE, CDN_URL: CDN },
    overrides: { clock: { now: () => NOW, chargeTime: () => null }, sourceClock },
  });
  paid = (await createOrganization(app.services)).key;
  free = (await createOrganization(app.services, { plan: 'free', columns: room })).key;
  city = (await app.addCity()).slug;
  stored = fc
    .sample(hostileListing, { numRuns: LISTINGS, seed: SEED })
    .map(({ price, source, source_listing_id, photos, quality, modified, first_seen, ...display }) =>
      makeListing(
        {
          ...display,
          price: { yearly_sar: price, as_posted: price === null ? null : { amount: price, frequency: 'monthly' } },
          location: { city },
        },
        {
          ...{ source, source_listing_id, photos, first_seen, last_seen: first_seen + 1 },
          ...(quality && { quality }),
          ...(modified !== null && { modified }),
        },
      ),
    );
  await indexListings(app.services, stored);
});
test.after(() => app.close());

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** Reference implementation: returns the listing as it must be served. */
function expected({ display, private: hidden }: StoredListing, links: boolean): Listing {
  const read = seen.get(hidden.source) ?? 0;
  return {
    ...display,
    ...derivedFields(display, hidden),
    quality: hidden.quality ?? [],
    modified_at: isoMicros(hidden.modified),
    url: `${SITE}/listings/${display.id}`,
    images: hidden.photos.map((photo) => `${CDN}/${photo}`),
    source: {
      name: hidden.source,
      listing_id: links ? hidden.source_listing_id : null,
      url: links ? `${SITE}/r/${display.id}` : null,
    },
    last_seen_at: iso(Math.max(hidden.last_seen, read)),
    // The current time is rounded down to the minute, and the number of days is never negative.
    days_on_market: Math.max(0, Math.floor((Date.parse('2026-06-01T12:00:00Z') / 1000 - hidden.first_seen) / 86_400)),
  };
}

const inSearch = ({ display, private: { plausible_pooled } }: StoredListing): boolean =>
  plausible_pooled && display.price.yearly_sar !== null;

test('search, batch and detail return every listing as indexed, for any characters in its texts', async (t) => {
  for (const [key, limit] of [
    [paid, 100],
    [free, 25],
  ] as const) {
    const rows: Listing[] = await allRows(app, `/v1/listings?city=${city}&listing_type=rent&limit=${limit}`, key);
    const served = new Map(rows.map((listing) => [listing.id, listing]));
    const wanted = stored.filter(({ display }) => display.price.yearly_sar !== null);
    t.is(served.size, wanted.length);
    for (const listing of wanted)
      t.deepEqual(served.get(listing.display.id), expected(listing, key === paid), `PRESENT_SEED=${SEED}`);

    const part = stored.slice(0, 100);
    const { body } = await app.request(`/v1/listings/batch?ids=${part.map(({ display }) => display.id)}`, { key });
    const data = part.map((listing) => ({ ...expected(listing, key === paid), in_search: inSearch(listing) }));
    t.deepEqual(body, { data, missing_ids: [], gone: [] }, `PRESENT_SEED=${SEED}`);
    for (const listing of stored.slice(0, 20)) {
      const { body } = await app.request(`/v1/listings/${listing.display.id}`, { key });
      t.deepEqual(body, { data: { ...expected(listing, key === paid), in_search: inSearch(listing) } });
    }
  }
});
