import { hash } from 'node:crypto';
import test from 'ava';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';

/** The page behind a listing's `url`. */
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ env: { CDN_URL: 'https://cdn.example/photos' } });
});
test.after.always(() => app?.close());

const page = (id: number | string, method = 'GET') => app.request(`/listings/${id}`, { method });

/** A row of the record of listings, as ingest leaves it. */
async function recorded(id: number, columns: string): Promise<void> {
  await app.services.pool.query(
    `insert into listings (id, source, source_listing_id, content_hash, city, listing_type, property_type, listing_category,
       signature, needs_photos, first_seen_at, updated_at, updated_by_source, changed_run, content_run, photos, ${columns.split('=')[0]})
     values ($1, 'test', $2, '', 'riyadh', 'rent', 'apartment', 'residential', '', true, now(), now(), true, 1, 1, '', ${columns.split('=')[1]})`,
    [id, String(id)],
  );
}

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp; \u202e' onload="x`;

test('a listing has a page with what it is, what it costs and where its ad is', async (t) => {
  const listing = makeListing(
    {
      headline: '3-bedroom apartment for rent in Al Yasmin, Riyadh',
      description: 'شقة واسعة\nقريبة من المدارس',
      price: { yearly_sar: 48_000, as_posted: { amount: 4_000, frequency: 'monthly' } },
      amenities: ['ac', 'maid_room'],
      location: { neighborhood_name_en: 'Al Yasmin', neighborhood_name_ar: 'الياسمين', street_width_m: 15 },
      also_listed_on: ['other_source'],
    },
    { photos: ['ab/1.jpg', 'cd/2.jpg', 'ef/3.jpg'] },
  );
  await indexListings(app.services, [listing]);
  const { id } = listing.display;
  const { key } = await createOrganization(app.services);
  // The address that the API gives.
  const { url } = (await app.request(`/v1/listings/${id}`, { key })).body.data;
  t.is(url, `${app.services.config.siteUrl}/listings/${id}`);
  const answer = await app.request(new URL(url).pathname);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  for (const text of [
    '<h1>3-bedroom apartment for rent in Al Yasmin, Riyadh</h1>',
    'SAR 48,000 a year',
    'posted as SAR 4,000 monthly',
    'Maid&#39;s room',
    'شقة واسعة\nقريبة من المدارس',
    '<span lang="ar" dir="rtl">الياسمين</span>',
    `href="${app.services.config.siteUrl}/r/${id}"`,
    'Also listed on other_source.',
    'Photo 3 of 3',
    '15 m',
  ])
    t.true(answer.text.includes(text), text);
  t.regex(answer.text, /^<!doctype html>\n<html lang="en">/);
  // Landmarks, one first heading, every picture described.
  t.is(answer.text.match(/<h1>/g)?.length, 1);
  t.is(answer.text.match(/<main>/g)?.length, 1);
  t.is(answer.text.match(/<img /g)?.length, answer.text.match(/<img [^>]*alt="[^"]+"/g)?.length);
  const head = await page(id, 'HEAD');
  t.deepEqual([head.status, head.text], [200, '']);
});

test('nothing is loaded but photos of the CDN, and nothing can run', async (t) => {
  const listing = makeListing({}, { photos: ['ab/1.jpg', 'cd/2.jpg'] });
  await indexListings(app.services, [listing]);
  const { text, headers } = await page(listing.display.id);
  const loaded = [...text.matchAll(/(?:src|srcset|poster|data|action)="([^"]*)"/g)].map(([, url]) => url);
  t.deepEqual(loaded, ['https://cdn.example/photos/ab/1.jpg', 'https://cdn.example/photos/cd/2.jpg']);
  t.notRegex(text, /<(script|link|iframe|object|embed|form|base|meta http)/);
  t.notRegex(text, /@import|url\(/);
  const policy = headers.get('content-security-policy')?.split('; ') ?? [];
  t.true(policy.includes("default-src 'none'"));
  t.true(policy.includes('img-src https://cdn.example'));
  const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
  t.true(policy.includes(`style-src 'sha256-${hash('sha256', style, 'base64')}'`));
  t.notRegex(text, /style="/);
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('x-robots-tag'), 'noindex');
});

test('whatever an advertiser writes stays text', async (t) => {
  const listing = makeListing(
    {
      title: HOSTILE,
      headline: HOSTILE,
      description: HOSTILE,
      description_en: HOSTILE,
      compound_name: HOSTILE,
      floor: HOSTILE,
      also_listed_on: [HOSTILE],
      location: { neighborhood_name_en: HOSTILE, neighborhood_name_ar: HOSTILE, city_name_en: HOSTILE },
    },
    { source: HOSTILE },
  );
  await indexListings(app.services, [listing]);
  const { status, text } = await page(listing.display.id);
  t.is(status, 200);
  t.notRegex(text, /<script|<img src=x|onerror='|onload="/);
  t.true(text.split('&#62;&#60;script&#62;alert(1)&#60;/script&#62;').length > 8);
});

test('a listing without price, photos, point or names has a page too', async (t) => {
  const bare = makeListing(
    {
      title: null,
      property_type: 'land',
      price: { yearly_sar: null, as_posted: null },
      bedrooms: null,
      bathrooms: null,
      livings: null,
      area_sqm: null,
      age_years: null,
      location: { lat: null, lng: null },
    },
    { photos: [] },
  );
  await indexListings(app.services, [bare]);
  const { status, text } = await page(bare.display.id);
  t.is(status, 200);
  t.regex(text, /Price not stated/);
  t.notRegex(text, /null|undefined|NaN|<ul class="photos"/);
});

test('410 for what was listed once, 404 for what never was, as pages that nobody keeps', async (t) => {
  const [withdrawn, merged, waiting] = [1, 2, 3].map(() => makeListing().display.id) as [number, number, number];
  await recorded(withdrawn, 'withdrawn_at=now()');
  await recorded(merged, 'duplicate_of=1');
  await recorded(waiting, 'price=1');
  for (const [id, status] of [
    [withdrawn, 410],
    [merged, 410],
    [waiting, 404],
    ['1', 404],
    ['999999999999999', 404],
  ] as const) {
    const answer = await page(id);
    t.is(answer.status, status, String(id));
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.regex(answer.text, status === 410 ? /<h1>No longer listed/ : /<h1>No such listing/);
  }
  // What cannot be a listing is no page.
  for (const id of ['0', '01', 'x', '1.0', '1/2', '%31', '9'.repeat(16)]) t.is((await page(id)).status, 404, id);
  t.is((await page(withdrawn, 'POST')).status, 404);
});
