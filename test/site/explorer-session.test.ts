import { COUNTED } from '#site/server/explorer-page.ts';
import { sharedApp, startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const API = '/explorer/api';
const rents = (city: string, count: number, bedrooms = 2) =>
  Array.from({ length: count }, () => makeListing({ listing_type: 'rent', bedrooms, location: { city } }));

test('a visitor without a key searches with all filters and receives the responses for a Free key', async (t) => {
  const { slug } = await app.addCity({}, [{ center: { lat: 24.7, lng: 46.7 } }]);
  await indexListings(app.services, [...rents(slug, 21, 3), ...rents(slug, 1, 1)]);
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const headers = await app.visit();
  const search = `city=${slug}&listing_type=rent&beds=3`;
  for (const path of [
    `/listings?${search}&limit=20`,
    `/listings/facets?${search}&fields=${COUNTED}&exclude_own=true`,
    `/listings/map?${search}&bbox=46,24,47,25&zoom=11`,
    `/listings/parse?q=flat`,
    '/suggest?q=riyadh',
    `/cities/${slug}/neighborhoods`,
    `/cities/${slug}/boundaries?simplified=true`,
    '/cities',
  ]) {
    const { status, headers: sent, body } = await app.request(`${API}${path}`, { headers });
    t.is(status, 200, path);
    t.is(sent.get('access-control-allow-origin'), null);
    t.is(sent.get('x-request-units'), null);
    t.deepEqual(body.data, (await app.request(`/v1${path}`, { key })).body.data, path);
  }
  const { body } = await app.request(`${API}/listings?${search}&limit=100`, { headers });
  t.is(body.data.length, 20);
  t.is(body.data[0].source.url, null);
  t.is(body.data[0].source.listing_id, null);
  const next = await app.request(`${API}/listings?${search}&limit=20&cursor=${body.pagination.next_cursor}`, {
    headers,
  });
  t.is(next.body.data.length, 1);
  const refused = await app.request(`${API}/listings?city=${slug}&listing_type=lease`, { headers });
  t.deepEqual([refused.status, refused.body.error.param], [400, 'listing_type']);
});

test('operations of other plans, of a key and outside the explorer need a key', async (t) => {
  for (const path of [
    '/market/price-distribution?city=riyadh&listing_type=rent',
    '/limits',
    '/organization',
    '/exports',
    '/listings/count?city=riyadh&listing_type=rent',
    '/../v1/limits',
    '//limits',
  ])
    t.is((await app.request(`${API}${path}`)).status, 404, path);
  for (const bearer of ['', 'site', 'x'.repeat(43)])
    t.is((await app.request('/v1/cities', { headers: { Authorization: `Bearer ${bearer}` } })).status, 401);
});

test('requests without a key are limited by session, and all sessions of an address together', async (t) => {
  const limited = await startTestApp({ env: { EXPLORER_CALLS_PER_MINUTE: '2' } });
  t.teardown(() => limited.close());
  const session = await limited.visit();
  const inSession = () => limited.request(`${API}/cities`, { headers: session });
  t.is((await inSession()).status, 200);
  t.is((await inSession()).status, 200);
  const { status, headers, body } = await inSession();
  t.is(status, 429);
  t.is(body.error.code, 'rate_limited');
  t.true(Number(headers.get('retry-after')) > 0);
  // Other sessions continue until the address has reached its limit.
  const inAnother = async () => limited.request(`${API}/cities`, { headers: await limited.visit() });
  for (let call = 2; call < 8; call++) t.is((await inAnother()).status, 200, `${call}`);
  t.is((await inAnother()).status, 429);
});

test('a visitor without a key receives estimates, each of which counts as ten calls', async (t) => {
  const limited = await startTestApp({ env: { EXPLORER_CALLS_PER_MINUTE: '10' } });
  t.teardown(() => limited.close());
  const { slug } = await limited.addCity({}, [{ center: { lat: 24.7, lng: 46.7 } }]);
  const path = `${API}/market/estimate?city=${slug}&listing_type=rent&property_type=apartment&area=120&near=24.7,46.7`;
  const headers = await limited.visit();
  const { status, body } = await limited.request(path, { headers });
  t.deepEqual([status, body.data.status], [200, 'insufficient_comparables']);
  t.is((await limited.request(`${API}/cities`, { headers })).status, 429);
});

test('requests of the site are neither charged nor recorded', async (t) => {
  const { slug } = await app.addCity();
  await indexListings(app.services, rents(slug, 1));
  const headers = await app.visit();
  const count = async () => (await app.services.pool.query('select count(*) from request_logs')).rows[0];
  await app.services.requestLog.flush();
  const before = await count();
  t.is((await app.request(`${API}/listings?city=${slug}&listing_type=rent`, { headers })).status, 200);
  await app.services.requestLog.flush();
  t.deepEqual(await count(), before);
});
