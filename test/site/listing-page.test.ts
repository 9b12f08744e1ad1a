import sharp from 'sharp';
import { TEXTS } from '#site/text/index.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing, recordListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

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

test('a listing page has the facts, prices and texts of a listing in both languages, and the link to the ad', async (t) => {
  const { slug } = await app.addCity({ slug: 'riyadh', name_ar: 'الرياض' });
  const listing = makeListing(
    {
      headline: '3-bedroom apartment for rent in Al Yasmin, Riyadh',
      description: 'شقة واسعة\nقريبة من المدارس',
      price: {
        yearly_sar: 48_000,
        previous_yearly_sar: 60_000,
        as_posted: { amount: 4_000, frequency: 'monthly' },
      },
      financing: {
        rent_now_pay_later_monthly_sar: 4_950,
        accepts_bank_financing: null,
        landlord_payment_plans: { monthly: true, quarterly: true, semiannually: false },
      },
      advertiser: { type: 'individual_owner' },
      verified_by_source: true,
      amenities: ['ac', 'maid_room'],
      location: { city: slug, neighborhood_name_en: 'Al Yasmin', neighborhood_name_ar: 'الياسمين' },
      also_listed_on: ['other_source'],
    },
    { source: 'aqarna', photos: ['ab/1.jpg', 'cd/2.jpg'], quality: ['starting_price'] },
  );
  await indexListings(app.services, [listing]);
  const { id } = listing.display;
  const { key } = await createOrganization(app.services);
  const { url } = (await app.request(`/v1/listings/${id}`, { key })).body.data;
  t.is(url, `${app.services.config.siteUrl}/listings/${id}`);
  const english = await app.request(new URL(url).pathname);
  t.is(english.status, 200);
  const arabic = await page(id, 'GET', '/ar');
  for (const [{ text: shown }, texts] of [
    [
      english,
      [
        '<h1>3-bedroom apartment for rent in Al Yasmin, Riyadh</h1>',
        'SAR 48,000 per year',
        'posted as SAR 4,000 per month',
        'previously: <s>SAR 60,000</s>',
        'Price cut \u206620%\u2069',
        'SAR 400 per m²',
        'Maid&#39;s room',
        'شقة واسعة\nقريبة من المدارس',
        `href="${app.services.config.siteUrl}/r/${id}"`,
        'Also listed on Other Source.',
        '<dd>Monthly, quarterly</dd>',
        '<dd>SAR 4,950 per month</dd>',
        '<dt>Advertiser</dt><dd>Owner</dd>',
        'Verified by <bdi dir="ltr">Aqarna</bdi>',
        TEXTS.en.quality.starting_price,
      ],
    ],
    [
      arabic,
      [
        '<h1>شقة للإيجار، 3 غرف نوم، الياسمين، الرياض، 120\u00a0م²</h1>',
        'كما نُشر: 4,000 ريال شهريًا<',
        'شهري، ربع سنوي',
        TEXTS.ar.quality.starting_price,
      ],
    ],
  ] as const)
    for (const text of texts) t.true(shown.includes(text), text);
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

test('the page returns 410 with similar listings for a withdrawn or merged listing, and 404 for an unknown id', async (t) => {
  const { slug } = await app.addCity({}, [{ id: 910_000_021 }]);
  const near = { city: slug, neighborhood_id: 910_000_021 };
  const [other, survivor, sale] = [
    makeListing({ headline: 'A similar home', bedrooms: 3, location: near }),
    makeListing({ headline: 'The same home', bedrooms: 2, location: near }),
    makeListing({ headline: 'A home for sale', bedrooms: 3, listing_type: 'sale', location: near }),
  ] as const;
  await indexListings(app.services, [other, survivor, sale]);
  const [withdrawn, merged, waiting, sold, hidden, removed] = Array.from(
    { length: 6 },
    () => makeListing().display.id,
  ) as [number, number, number, number, number, number];
  await record(withdrawn, { ...near, bedrooms: 3, withdrawn_at: new Date() });
  await record(merged, { ...near, bedrooms: 3, duplicate_of: survivor.display.id });
  await record(waiting, { price: 1, photos: '' });
  const left_at = '2026-11-12T09:00:00Z';
  await record(sold, { ...near, bedrooms: 3, withdrawn_at: new Date(), left_at, left_reason: 'sold' });
  await record(hidden, { ...near, photos: '', left_at, left_reason: 'without_photos' });
  await record(removed, { ...near, withdrawn_at: new Date(), withdrawn_reason: 'takedown' });
  for (const [id, status] of [
    [withdrawn, 410],
    [merged, 410],
    [waiting, 404],
    [sold, 410],
    [hidden, 404],
    [removed, 410],
    ['1', 404],
    // Malformed ids have no page.
    ['0', 404],
    ['01', 404],
    ['%31', 404],
    ['9'.repeat(16), 404],
  ] as const)
    for (const language of ['', '/ar']) {
      const answer = await page(id, 'GET', language);
      t.is(answer.status, status, String(id));
      t.is(answer.headers.get('cache-control'), 'no-store', String(id));
    }
  const gone = (await page(withdrawn)).text;
  t.regex(gone, /Similar listings.*A similar home/s);
  t.notRegex(gone, /The same home|A home for sale/);
  t.true((await page(merged)).text.includes(`href="/listings/${survivor.display.id}"`));
  t.is((await page(withdrawn, 'POST')).status, 404);
  t.regex(
    (await page(sold)).text,
    /<h1>Apartment for rent, 3 bedrooms, .*This home was sold\. Since November 12, 2026\./s,
  );
  t.regex((await page(sold, 'GET', '/ar')).text, /بيع هذا العقار\. منذ 12 نوفمبر 2026\./);
  t.regex((await page(hidden)).text, /This listing is hidden until its photos are stored\./);
  const taken = (await page(removed)).text;
  t.regex(taken, /This listing was removed\./);
  t.notRegex(taken, /Apartment|A similar home/, 'nothing else is said of a taken down listing');
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

test('a listing page has structured data about the listing and its price', async (t) => {
  const listing = makeListing({ price: { yearly_sar: 48_000 }, bedrooms: 3, area_sqm: 120 });
  await indexListings(app.services, [listing]);
  const [[, json = ''] = []] = [...(await page(listing.display.id)).text.matchAll(DATA)];
  const data = JSON.parse(json);
  t.like(data, { '@type': 'RealEstateListing', inLanguage: 'en' });
  t.like(data.offers, { price: 48_000, priceCurrency: 'SAR' });
  t.like(data.mainEntity, { '@type': 'Apartment', numberOfBedrooms: 3 });
  t.is(data.mainEntity.floorSize.value, 120);
});

test('a live listing has a preview image and a sitemap entry, and a withdrawn listing has neither', async (t) => {
  const listing = makeListing({ description_en: HOSTILE, headline: HOSTILE }, { photos: ['none/1.jpg'] });
  const { id } = listing.display;
  const gone = makeListing().display.id;
  await indexListings(app.services, [listing]);
  await record(id, { price: 1 });
  await record(gone, { withdrawn_at: new Date() });
  const image = await fetch(new URL(`/previews/ar/listings/${id}.jpg`, app.url));
  t.like(await sharp(await image.arrayBuffer()).metadata(), { format: 'jpeg', width: 1200, height: 630 });
  for (const path of [`listings/${gone}`, 'nothing'])
    t.is((await app.request(`/previews/en/${path}.jpg`)).status, 404, path);
  const locations = ({ text }: { text: string }): string[] =>
    [...text.matchAll(/<loc>([^<]+)</g)].map(([, url]) => url ?? '');
  const { siteUrl } = app.services.config;
  const robots = (await app.request('/robots.txt')).text;
  t.regex(robots, /^Disallow: \/v1\/\nDisallow: \/r\/$/m);
  const [sitemap = ''] = /(?<=^Sitemap: ).*$/m.exec(robots) ?? [];
  t.is(sitemap, `${siteUrl}/sitemap.xml`);
  const files = await Promise.all(
    locations(await app.request(new URL(sitemap).pathname)).map((url) => app.request(new URL(url).pathname)),
  );
  t.true(files.length >= 2 && files.every(({ status }) => status === 200));
  const urls = files.flatMap(locations);
  for (const path of ['/', '/ar', '/guides', '/ar/guides', `/listings/${id}`, `/ar/listings/${id}`])
    t.true(urls.includes(`${siteUrl}${path}`), path);
  t.false(urls.includes(`${siteUrl}/listings/${gone}`));
  t.is(new Set(urls).size, urls.length);
  t.is((await app.request('/sitemaps/listings-999999.xml')).status, 404);
});
