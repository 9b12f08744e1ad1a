import { COUNTED } from '#site/demo.ts';
import { sharedApp, startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const rents = (city: string, count: number) =>
  Array.from({ length: count }, () => makeListing({ listing_type: 'rent', location: { city } }));

test('the demo of a city has the newest listings and the counts that the API returns for a Free key', async (t) => {
  const { slug } = await app.addCity({}, [{ center: { lat: 24.7, lng: 46.7 } }]);
  await indexListings(app.services, rents(slug, 22));
  const { status, headers, body } = await app.request(`/explorer/demo/${slug}`);
  t.is(status, 200);
  t.is(headers.get('access-control-allow-origin'), null);
  t.is(headers.get('x-request-units'), null);
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const search = `city=${slug}&listing_type=rent`;
  const rent = body.searches.rent;
  const listings = await app.request(`/v1/listings?${search}&limit=20`, { key });
  t.is(rent['/listings'].data.length, 20);
  t.deepEqual(
    rent['/listings'].data.map(({ days_on_market, ...listing }: { days_on_market: number }) => listing),
    listings.body.data.map(({ days_on_market, ...listing }: { days_on_market: number }) => listing),
  );
  t.is(rent['/listings'].data[0].source.url, null);
  const facets = await app.request(`/v1/listings/facets?${search}&fields=${COUNTED}&exclude_own=true`, { key });
  t.deepEqual(rent['/listings/facets'].data, facets.body.data);
  t.is(rent['/listings/facets'].data.total, 22);
  t.is(body.searches.sale['/listings/facets'].data.total, 0);
  t.is(rent['/listings/map'].data.pins.length, 22);
  const neighborhoods = await app.request(`/v1/cities/${slug}/neighborhoods`, { key });
  t.deepEqual(body.bodies[`/cities/${slug}/neighborhoods`].data, neighborhoods.body.data);
  t.true(Array.isArray(body.bodies[`/cities/${slug}/boundaries`].data.features));
});

test('the demo of a city changes when its listings change', async (t) => {
  const { slug } = await app.addCity();
  const total = async (): Promise<number> =>
    (await app.request(`/explorer/demo/${slug}`)).body.searches.rent['/listings/facets'].data.total;
  t.is(await total(), 0);
  await indexListings(app.services, rents(slug, 2));
  t.is(await total(), 2);
});

test('the demo data common to all cities equals the API responses for cities and enum values', async (t) => {
  const { key } = await createOrganization(app.services);
  const { body } = await app.request('/explorer/demo');
  for (const path of ['/cities', '/enums'])
    t.deepEqual(body.bodies[path].data, (await app.request(`/v1${path}`, { key })).body.data);
});

test('the demo of an unknown city returns 404', async (t) => {
  for (const path of ['/explorer/demo/atlantis', '/explorer/demo/constructor']) {
    const { status, body } = await app.request(path);
    t.is(status, 404, path);
    t.is(body.error.code, 'city_not_found');
  }
});

test('requests for the demo over the limit of an IP address receive 429 with Retry-After', async (t) => {
  const limited = await startTestApp({ env: { PAGE_VIEWS_PER_MINUTE: '2' } });
  try {
    for (const _ of [1, 2]) t.is((await limited.request('/explorer/demo')).status, 200);
    const { status, headers, body } = await limited.request('/explorer/demo');
    t.is(status, 429);
    t.is(body.error.code, 'rate_limited');
    t.true(Number(headers.get('retry-after')) > 0);
  } finally {
    await limited.close();
  }
});

test('the explorer page states for every operation the lowest plan that includes its scope', async (t) => {
  const { text } = await app.request('/explorer');
  const { operations } = JSON.parse(/id="data">([^<]+)</.exec(text)?.[1] ?? '');
  const { rows } = await app.services.pool.query<{ name: string; scopes: string[] }>(
    'select name, scopes from plans order by rank',
  );
  t.is(operations.getPriceDistribution.plan, 'Starter');
  for (const [name, { scope, plan }] of Object.entries<{ scope: string | null; plan: string | null }>(operations)) {
    const first = scope === null ? null : (rows.find(({ scopes }) => scopes.includes(scope))?.name ?? null);
    t.is(plan?.toLowerCase() ?? null, first, name);
  }
});
