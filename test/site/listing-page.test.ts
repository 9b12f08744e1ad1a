import sharp from 'sharp';
import { estimatePart } from '#site/server/estimate.ts';
import { wordsOf } from '#site/server/listing-words.ts';
import { SHARED_TEXTS, TEXTS } from '#site/text/index.ts';
import type { ListingEstimate } from '#site-data/responses.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing, recordListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

/** The path of a listing's page. */
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ env: { CDN_URL: 'https://cdn.example/photos' } });
});
test.after(() => app.close());

const page = (id: number | string, method = 'GET', language = '') =>
  app.request(`${language}/listings/${id}`, { method });

const record = (id: number, columns: object) => recordListing(app.services, id, columns);

/** Blocks of JSON in a page, which are data and never run. */
const DATA = /<script type="application\/(?:ld\+)?json"(?: id="data")?>([^<]*)<\/script>/g;
const withoutData = (text: string): string => text.replace(DATA, '');
/** Matches a script that is not a file of the site. */
const NO_SCRIPT = /<script(?! type="module" src="\/assets\/)/;

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&amp; \u202e' onload="x`;

test('a listing page has the description, the price and the link to the ad', async (t) => {
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
  // The URL that the API returns.
  const { url } = (await app.request(`/v1/listings/${id}`, { key })).body.data;
  t.is(url, `${app.services.config.siteUrl}/listings/${id}`);
  const answer = await app.request(new URL(url).pathname);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  for (const text of [
    '<h1>3-bedroom apartment for rent in Al Yasmin, Riyadh</h1>',
    'SAR 48,000 per year',
    'posted as SAR 4,000 per month',
    'SAR 400 per m²',
    'Maid&#39;s room',
    'شقة واسعة\nقريبة من المدارس',
    '<span lang="ar" dir="rtl">الياسمين</span>',
    `href="${app.services.config.siteUrl}/r/${id}"`,
    'Also listed on other_source.',
    'Photo 3 of 3',
    '15 m',
  ])
    t.true(answer.text.includes(text), text);
  t.regex(answer.text, /^<!doctype html>\n<html lang="en" dir="ltr">/);
  t.regex((await page(id, 'GET', '/ar')).text, /كما نُشر: 4,000 ريال شهريًا</);
  // Landmarks, one `h1`, and a description for every picture.
  t.is(answer.text.match(/<h1>/g)?.length, 1);
  t.is(answer.text.match(/<main /g)?.length, 1);
  t.is(answer.text.match(/<img /g)?.length, answer.text.match(/<img [^>]*alt="[^"]+"/g)?.length);
  const head = await page(id, 'HEAD');
  t.deepEqual([head.status, head.text], [200, '']);
});

test('a listing page loads only CDN photos and site files, and no inline script can run', async (t) => {
  const listing = makeListing({}, { photos: ['ab/1.jpg', 'cd/2.jpg'] });
  await indexListings(app.services, [listing]);
  const { text, headers } = await page(listing.display.id);
  const loaded = [...text.matchAll(/(?:src|srcset|poster|data|action)="([^"]*)"/g)].map(([, url]) => url);
  t.deepEqual(
    loaded.filter((url) => !url?.startsWith('/assets/')),
    ['https://cdn.example/photos/ab/1.jpg', 'https://cdn.example/photos/cd/2.jpg'],
  );
  t.notRegex(withoutData(text), /<(style|iframe|object|embed|form|base|meta http)| on\w+=| style="/);
  t.notRegex(withoutData(text), NO_SCRIPT);
  const address = `${app.services.config.siteUrl}/listings/${listing.display.id}`;
  for (const [, kind, href] of text.matchAll(/<link rel="(\w+)"[^>]*href="([^"]*)"/g)) {
    if (kind === 'canonical') t.is(href, address);
    else if (kind !== 'alternate') t.regex(href ?? '', /^(\/assets\/|data:,$)/);
  }
  const policy = headers.get('content-security-policy')?.split('; ') ?? [];
  t.true(policy.includes("default-src 'none'"));
  t.true(policy.includes("img-src 'self' data: https://cdn.example"));
  t.true(policy.includes("script-src 'self'"));
  t.true(policy.includes("style-src 'self'"));
  t.true(policy.includes("frame-ancestors 'none'"));
  t.is(headers.get('x-content-type-options'), 'nosniff');
  t.is(headers.get('x-frame-options'), 'DENY');
  t.is(headers.get('referrer-policy'), 'no-referrer');
  t.is(headers.get('access-control-allow-origin'), null);
  // A withdrawn listing returns 410, so search engines may index live ones.
  t.is(headers.get('x-robots-tag'), null);
});

test('advertiser text is escaped', async (t) => {
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
  t.notRegex(withoutData(text), NO_SCRIPT);
  t.notRegex(withoutData(text), /<img src=x|onerror='|onload="/);
  for (const [, json = ''] of text.matchAll(DATA)) t.notThrows(() => JSON.parse(json));
  t.true(text.split('&#62;&#60;script&#62;alert(1)&#60;/script&#62;').length > 8);
});

test('a listing without price, photos, point or names has a page', async (t) => {
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
  t.notRegex(withoutData(text), /null|undefined|NaN|<ul class="photos"/);
  // An estimate that would fail is not requested.
  t.regex(text, /no estimate for this home: only the plot area is known/);
  t.notRegex(text, /id="estimated/);
  t.notRegex(text.match(DATA)?.[0] ?? '', /null/);
});

test('the page returns 410 for a withdrawn or merged listing and 404 for an unknown id, both uncached', async (t) => {
  const [withdrawn, merged, waiting] = [1, 2, 3].map(() => makeListing().display.id) as [number, number, number];
  await record(withdrawn, { withdrawn_at: new Date() });
  await record(merged, { duplicate_of: 1 });
  await record(waiting, { price: 1, photos: '' });
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
    t.regex(answer.text, status === 410 ? /<h1>No longer listed/ : /<h1>Listing not found/);
    const arabic = await page(id, 'GET', '/ar');
    t.is(arabic.status, status);
    t.regex(arabic.text, /<html lang="ar" dir="rtl">/);
    // Both lead on to the explorer, a gone listing to others of its type.
    const [, href] = /<a class="button" href="([^"]+)"/.exec(arabic.text) ?? [];
    const query = status === 410 ? '?city=riyadh&#38;listing_type=rent&#38;property_type=apartment' : '';
    t.is(href, `/ar/explorer${query}`);
  }
  // Malformed ids have no page.
  for (const id of ['0', '01', 'x', '1.0', '1/2', '%31', '9'.repeat(16)]) t.is((await page(id)).status, 404, id);
  t.is((await page(withdrawn, 'POST')).status, 404);
});

test('a listing page shows the price history and the map, and the Arabic page has an Arabic heading and price', async (t) => {
  const { slug } = await app.addCity({ name_ar: 'الرياض' }, [
    { id: 910_000_001, name_en: 'Al Yasmin', name_ar: 'الياسمين', center: { lat: 24.7, lng: 46.7 } },
    { id: 910_000_002, name_en: 'Al Malqa', name_ar: 'الملقا', center: { lat: 24.71, lng: 46.72 } },
  ]);
  const listing = makeListing({
    location: { city: slug, neighborhood_id: 910_000_001, neighborhood_name_ar: 'الياسمين' },
  });
  const { id } = listing.display;
  await indexListings(app.services, [listing]);
  await record(id, { price: 1 });
  await app.services.pool.query(
    `insert into listing_prices (listing_id, at, price_yearly_sar) values ($1, '2026-10-01', 50010), ($1, '2026-11-01', 40000)`,
    [id],
  );
  const english = await page(id);
  t.regex(english.text, /<svg class="map".*<polygon class="cell own"/);
  t.regex(english.text, /<path class="line" d="M[\d.,LMHV-]+"/);
  t.regex(english.text, /-20%/);
  // The last price applies until now, and the labels of both axes differ.
  const [, corners = ''] = /<path class="line" d="([^"]+)"/.exec(english.text) ?? [];
  t.true(corners.endsWith(`L496,${corners.split(',').at(-1)}`), corners);
  const labels = [...english.text.matchAll(/<text class="tick"[^>]*>([^<]+)</g)].map(([, label]) => label);
  t.is(new Set(labels).size, labels.length, labels.join());
  const { text, headers } = await page(id, 'GET', '/ar');
  t.is(headers.get('content-language'), 'ar');
  t.regex(text, /<h1>شقة للإيجار، 3 غرف نوم، الياسمين، الرياض، 120\u00a0م²<\/h1>/);
  t.regex(text, /40,000 ريال سنويًا/);
});

test('listing pages over the rate limit receive 429, and other pages are not limited', async (t) => {
  const limited = await startTestApp({ env: { PAGE_VIEWS_PER_MINUTE: '3' } });
  t.teardown(() => limited.close());
  const open = async (path: string) => (await limited.request(path)).status;
  t.deepEqual([await open('/'), await open('/ar'), await open('/listings/1')], [200, 200, 404]);
  const refused = await limited.request('/listings/1');
  t.is(refused.status, 429);
  t.true(Number(refused.headers.get('retry-after')) >= 1);
  t.is(refused.headers.get('cache-control'), 'no-store');
  t.deepEqual([await open('/guides'), await open('/docs/errors'), await open('/explorer')], [200, 200, 200]);
});

test('a listing page states payment plans, advertiser, verification, quality notes and time on the market', async (t) => {
  const listing = makeListing(
    {
      price: { yearly_sar: 54_000, previous_yearly_sar: 60_000 },
      financing: {
        rent_now_pay_later_monthly_sar: 4_950,
        accepts_bank_financing: null,
        landlord_payment_plans: { monthly: true, quarterly: true, semiannually: false },
      },
      advertiser: { type: 'individual_owner' },
      verified_by_source: true,
    },
    { source: 'aqarna', quality: ['starting_price'] },
  );
  const risen = makeListing({ price: { yearly_sar: 60_000, previous_yearly_sar: 54_000 } });
  await indexListings(app.services, [listing, risen]);
  const { id } = listing.display;
  const english = (await page(id)).text;
  t.true((await page(risen.display.id)).text.includes('previously: SAR 54,000</small>'));
  for (const text of [
    'previously: <s>SAR 60,000</s></small>',
    '<dd>Monthly, quarterly</dd>',
    '<dd>SAR 4,950 per month</dd>',
    '<dt>Advertiser</dt><dd>Owner</dd>',
    'Verified by <bdi dir="ltr">aqarna</bdi>',
    'Price cut \u206610%\u2069',
    TEXTS.en.quality.starting_price,
  ])
    t.true(english.includes(text), text);
  t.regex(english, /Listed today|\d days? on the market/);
  const arabic = (await page(id, 'GET', '/ar')).text;
  for (const text of ['شهري، ربع سنوي', '<dt>المعلن</dt><dd>المالك</dd>', TEXTS.ar.quality.starting_price])
    t.true(arabic.includes(text), text);
});

test('a listing page shows the median of at least three listings of the neighborhood without a key, and a place for the estimate', async (t) => {
  const { slug } = await app.addCity({}, [{ id: 910_000_011, name_en: 'Al Aqiq', name_ar: 'العقيق' }]);
  const listings = Array.from({ length: 11 }, (_, index) =>
    makeListing({
      price: { yearly_sar: 50_000 + index * 1_000 },
      area_sqm: 100,
      bedrooms: 3,
      location: { city: slug, neighborhood_id: 910_000_011, neighborhood_name_en: 'Al Aqiq' },
    }),
  );
  const { id } = listings[0]?.display ?? {};
  await indexListings(app.services, listings.slice(0, 2));
  t.notRegex((await page(id ?? 0)).text, /id="local"/, 'two listings have no median');
  await indexListings(app.services, listings.slice(2, 3));
  t.regex((await page(id ?? 0)).text, /id="local"/);
  await indexListings(app.services, listings.slice(3));
  const { text } = await page(id ?? 0);
  for (const part of [
    'Asking prices in Al Aqiq',
    '<dd>SAR 55,000 per year</dd>',
    '<dd>SAR 550</dd>',
    '<dd>11 (Apartment, 3 bedrooms)</dd>',
    '<div id="estimated" aria-busy="true"></div>',
  ])
    t.true(text.includes(part), part);
  t.notRegex(withoutData(text), /class="verdict"|class="homes"/);
});

/** The estimate of a flat of 100 m², as the API returns it. */
const ESTIMATE: ListingEstimate = {
  listing_id: 7,
  price_sar: 58_000,
  diff_from_estimate_pct: 3.51,
  status: 'available',
  price_source: 'asking',
  price_basis: 'yearly_rent',
  estimate: {
    price_sar: 56_033.21,
    price_per_sqm_sar: 560.33,
    interval_80_sar: { low: 50_120, high: 61_980 },
    interval_50_sar: { low: 53_000, high: 59_000 },
    limited_evidence: true,
  },
  evidence: {
    geography: 'radius',
    radius_m: 5_000,
    look_back_days: 90,
    area_tolerance_pct: 25,
    distinct_units: 12,
    evidence_clusters: 8,
  },
  comparables: Array.from({ length: 12 }, (_, at) => ({
    listing_id: 100 + at,
    price_sar: 55_000,
    area_sqm: 96,
    bedrooms: 3,
    bathrooms: null,
    age_years: null,
    distance_m: 350,
    weight_pct: 21.54,
    area_adjustment_sar: 1_134.1,
    adjusted_price_sar: 56_134.1,
  })),
  expected_error: null,
  asking_vs_registered: null,
  methodology: { version: '', method: '', computed_at: '', expires_at: '' },
};

test('an estimate is shown with its interval, the position of the price and five comparables, in both languages', (t) => {
  const en = estimatePart(ESTIMATE, wordsOf('en', SHARED_TEXTS.en), ESTIMATE).markup;
  for (const part of [
    'SAR 56,000 per year<small>SAR 560 per m²',
    '\u20663.5%\u2069 above the estimate',
    'between SAR 50,100 and SAR 62,000.',
    'based on few homes',
    '<th scope="row"><a href="/listings/100">SAR 55,000</a></th><td>96\u00a0m²</td><td>3</td><td>–</td><td>350 m</td><td>\u206621.5%\u2069</td><td>SAR 56,100</td>',
    'The 5 homes with the largest weights of 12.',
    'an estimate of the asking price, not a valuation. <a href="/accuracy">',
  ])
    t.true(en.includes(part), part);
  t.is(en.match(/<tr>/g)?.length, 6);
  const described = { ...ESTIMATE, estimate: { ...ESTIMATE.estimate, limited_evidence: false } } as ListingEstimate;
  const ar = estimatePart(described, wordsOf('ar', SHARED_TEXTS.ar)).markup;
  t.true(ar.includes('بين 50,100 ريال و62,000 ريال.') && ar.includes('href="/ar/listings/100"'));
  // A home that is not advertised has no price.
  t.notRegex(ar, /verdict|يستند التقدير|undefined|null/);
});

test('a home without an estimate has the reason in one sentence', (t) => {
  const none = {
    ...ESTIMATE,
    status: 'insufficient_comparables',
    estimate: null,
    evidence: null,
    comparables: [],
  } as const;
  t.is(
    estimatePart(none, wordsOf('en', SHARED_TEXTS.en)).markup,
    '<p>There is no estimate for this home: too few similar homes nearby.</p>',
  );
});

test("a withdrawn listing's page suggests similar listings, and a merged listing's page links to its replacement", async (t) => {
  const { slug } = await app.addCity({ name_ar: 'أبها' }, [{ id: 910_000_021 }]);
  const near = { city: slug, neighborhood_id: 910_000_021 };
  const [other, survivor, sale] = [
    makeListing({ headline: 'A similar home', bedrooms: 3, location: near }),
    makeListing({ headline: 'The same home', bedrooms: 2, location: near }),
    makeListing({ headline: 'A home for sale', bedrooms: 3, listing_type: 'sale', location: near }),
  ] as const;
  await indexListings(app.services, [other, survivor, sale]);
  const [withdrawn, merged] = [makeListing().display.id, makeListing().display.id];
  await record(withdrawn, { ...near, bedrooms: 3, withdrawn_at: new Date() });
  await record(merged, { ...near, bedrooms: 3, duplicate_of: survivor.display.id });
  const gone = await page(withdrawn);
  t.is(gone.status, 410);
  t.regex(gone.text, /Similar listings.*A similar home/s);
  t.notRegex(gone.text, /The same home|A home for sale/);
  const arabic = await page(merged, 'GET', '/ar');
  t.is(arabic.status, 410);
  t.regex(arabic.text, new RegExp(`${TEXTS.ar.merged_into}.*href="/ar/listings/${survivor.display.id}"`, 's'));
});

test('a listing page has structured data about the listing and its price, in the language of the page', async (t) => {
  const listing = makeListing({ price: { yearly_sar: 48_000 }, bedrooms: 3, area_sqm: 120, amenities: ['lift'] });
  await indexListings(app.services, [listing]);
  const { id } = listing.display;
  for (const [language, prefix, amenity] of [
    ['en', '', 'Lift'],
    ['ar', '/ar', 'مصعد'],
  ] as const) {
    const { text } = await page(id, 'GET', prefix);
    const [[, json = ''] = []] = [...text.matchAll(DATA)];
    const data = JSON.parse(json);
    t.like(data, { '@type': 'RealEstateListing', inLanguage: language });
    t.is(data.url, `${app.services.config.siteUrl}${prefix}/listings/${id}`);
    t.like(data.offers, {
      price: 48_000,
      priceCurrency: 'SAR',
      businessFunction: 'http://purl.org/goodrelations/v1#LeaseOut',
    });
    t.like(data.mainEntity, { '@type': 'Apartment', numberOfBedrooms: 3 });
    t.is(data.mainEntity.floorSize.value, 120);
    t.is(data.mainEntity.amenityFeature[0].name, amenity);
  }
});

test('a live listing has a preview image and a sitemap entry, and a withdrawn listing has neither', async (t) => {
  const listing = makeListing({ description_en: HOSTILE, headline: HOSTILE }, { photos: ['none/1.jpg'] });
  const { id } = listing.display;
  const gone = makeListing().display.id;
  await indexListings(app.services, [listing]);
  await record(id, { price: 1 });
  await record(gone, { withdrawn_at: new Date() });
  for (const language of ['en', 'ar']) {
    const response = await fetch(new URL(`/previews/${language}/listings/${id}.jpg`, app.url));
    t.is(response.status, 200);
    t.is(response.headers.get('content-type'), 'image/jpeg');
    t.like(await sharp(await response.arrayBuffer()).metadata(), { width: 1200, height: 630 });
    t.is((await app.request(`/previews/${language}/listings/${gone}.jpg`)).status, 404);
  }
  const locations = ({ text }: { text: string }): string[] =>
    [...text.matchAll(/<loc>([^<]+)</g)].map(([, url]) => url ?? '');
  const index = await app.request('/sitemap.xml');
  t.regex(index.headers.get('content-type') ?? '', /^application\/xml/);
  const files = await Promise.all(locations(index).map((url) => app.request(new URL(url).pathname)));
  t.true(files.length >= 2 && files.every(({ status }) => status === 200));
  const urls = files.flatMap(locations);
  const { siteUrl } = app.services.config;
  for (const path of ['/', '/ar', '/guides', '/ar/guides', `/listings/${id}`, `/ar/listings/${id}`])
    t.true(urls.includes(`${siteUrl}${path}`.replace(/\/$/, '/')), path);
  t.false(urls.includes(`${siteUrl}/listings/${gone}`));
  t.is(new Set(urls).size, urls.length);
  t.is((await app.request('/sitemaps/listings-999999.xml')).status, 404);
});
