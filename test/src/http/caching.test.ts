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

test('a response with an ETag can be validated at no cost until it changes', async (t) => {
  const listing = makeListing({ location: { city } });
  await indexListings(app.services, [listing]);
  const detail = `/v1/listings/${listing.display.id}`;
  for (const [path, units, caching] of [
    ['/v1/cities', '0', 'private, max-age=300'],
    [`/v1/market/trends?city=${city}&listing_type=rent`, '15', 'private, max-age=300'],
    [detail, '1', 'private, no-cache'],
    ['/v1/openapi.json', null, 'public, max-age=300'],
  ] as const) {
    const first = await app.request(path, { key });
    const tag = first.headers.get('ETag') ?? '';
    t.is(first.status, 200, first.text);
    t.regex(tag, /^W\/"[\w-]{22}"$/, path);
    t.is(first.headers.get('Cache-Control'), caching);
    t.is(first.headers.get('X-Request-Units'), units);
    for (const name of ['ETag', 'WWW-Authenticate', 'X-Request-Id'])
      t.true(first.headers.get('Access-Control-Expose-Headers')?.split(', ').includes(name), name);
    if (units !== null) t.regex(first.headers.get('Vary') ?? '', /\bAuthorization\b/);
    for (const sent of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await app.request(path, { key, headers: { 'If-None-Match': sent } });
      t.deepEqual([again.status, again.text, again.headers.get('ETag')], [304, '', tag], `${path} ${sent}`);
      t.is(again.headers.get('X-Request-Units'), units === null ? null : '0');
      t.is(again.headers.get('X-Quota-Remaining'), first.headers.get('X-Quota-Remaining'));
    }
    const other = await app.request(path, { key, headers: { 'If-None-Match': 'W/"other"' } });
    t.deepEqual([other.status, other.headers.get('X-Request-Units')], [200, units]);
  }
  const tag = (await app.request(detail, { key })).headers.get('ETag') ?? '';
  listing.display.headline = 'Changed';
  await indexListings(app.services, [listing]);
  const changed = await app.request(detail, { key, headers: { 'If-None-Match': tag } });
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
});
