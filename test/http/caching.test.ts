import { endpoints } from '#endpoints/index.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let key: string;
let city: string;
test.before(async () => {
  app = await sharedApp();
  ({ key } = await createOrganization(app.services, { plan: 'pro' }));
  city = (await app.addCity()).slug;
});

const WEAK = /^W\/"[\w-]{22}"$/;

test('a response that changes with an ingest run has an ETag, and 304 costs nothing', async (t) => {
  for (const [path, units] of [
    ['/v1/cities', '0'],
    ['/v1/enums', '0'],
    [`/v1/cities/${city}/boundaries`, '0'],
    [`/v1/market/summary?city=${city}&listing_type=rent`, '1'],
    [`/v1/market/trends?city=${city}&listing_type=rent`, '15'],
  ] as const) {
    const first = await app.request(path, { key });
    const tag = first.headers.get('ETag') ?? '';
    t.is(first.status, 200, first.text);
    t.regex(tag, WEAK, path);
    t.is(first.headers.get('Cache-Control'), 'private, max-age=300');
    t.regex(first.headers.get('Vary') ?? '', /\bAuthorization\b/);
    t.is(first.headers.get('X-Request-Units'), units);
    t.regex(first.headers.get('Access-Control-Expose-Headers') ?? '', /\bETag\b/);
    const remaining = first.headers.get('X-Quota-Remaining');
    for (const sent of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await app.request(path, { key, headers: { 'If-None-Match': sent } });
      t.is(again.status, 304, `${path} ${sent}`);
      t.is(again.text, '');
      t.is(again.headers.get('ETag'), tag);
      t.is(again.headers.get('X-Request-Units'), '0');
      t.is(again.headers.get('X-Quota-Remaining'), remaining);
    }
    const other = await app.request(path, { key, headers: { 'If-None-Match': 'W/"other"' } });
    t.is(other.status, 200);
    t.is(other.headers.get('X-Request-Units'), units);
  }
});

test('the OpenAPI document can be validated without a key', async (t) => {
  const { headers } = await app.request('/v1/openapi.json');
  t.is(headers.get('Cache-Control'), 'public, max-age=300');
  const tag = headers.get('ETag') ?? '';
  t.regex(tag, WEAK);
  const again = await app.request('/v1/openapi.json', { headers: { 'If-None-Match': tag } });
  t.deepEqual([again.status, again.text], [304, '']);
});

test('a listing has a weak ETag, which changes with the listing', async (t) => {
  const listing = makeListing({ location: { city } });
  await indexListings(app.services, [listing]);
  const path = `/v1/listings/${listing.display.id}`;
  const first = await app.request(path, { key });
  const tag = first.headers.get('ETag') ?? '';
  t.regex(tag, WEAK);
  t.is(first.headers.get('Cache-Control'), 'private, no-cache');
  const request = () => app.request(path, { key, headers: { 'If-None-Match': tag } });
  const unchanged = await request();
  t.deepEqual([unchanged.status, unchanged.headers.get('X-Request-Units')], [304, '0']);
  listing.display.headline = 'Changed';
  await indexListings(app.services, [listing]);
  const changed = await request();
  t.deepEqual([changed.status, changed.headers.get('X-Request-Units')], [200, '1']);
  t.not(changed.headers.get('ETag'), tag);
});

test('limits, searches and errors are not cached, and no content type is sniffed', async (t) => {
  for (const path of [
    '/v1/limits',
    `/v1/listings?city=${city}&listing_type=rent`,
    '/v1/cities?x=1',
    '/v1/listings/1',
    '/v1/unknown',
  ]) {
    const { headers } = await app.request(path, { key, headers: { 'If-None-Match': '*' } });
    t.is(headers.get('ETag'), null, path);
    t.is(headers.get('Cache-Control'), 'no-store', path);
    t.is(headers.get('X-Content-Type-Options'), 'nosniff', path);
  }
  const preflight = await app.request('/v1/cities', { method: 'OPTIONS' });
  t.regex(preflight.headers.get('Access-Control-Allow-Headers') ?? '', /\bIf-None-Match\b/);
});

test('reference data, official data and statistics can be cached', (t) => {
  const areas = ['Reference data', 'Official open data', 'Market data'];
  const uncached = endpoints.filter(({ area, caching }) => areas.includes(area) && caching !== 'fresh');
  t.deepEqual(
    uncached.map(({ operationId }) => operationId),
    ['getLimits'],
  );
});
