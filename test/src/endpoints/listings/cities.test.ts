import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { test } from '#test/test.ts';

const AREA = { bbox: '50.1,26.1,50.2,26.5' };
let app: TestApp;
let key: string;
let cities: string[];
/** In the order of a search. */
let ids: number[];
test.before(async () => {
  app = await sharedApp();
  key = (await createOrganization(app.services)).key;
  cities = [];
  for (const id of [4_001_001, 4_002_001, 4_003_001]) cities.push((await app.addCity({}, [{ id }])).slug);
  const now = Math.floor(Date.now() / 1000);
  const listings = Array.from({ length: 30 }, (_, at) =>
    makeListing(
      {
        location: {
          city: cities[at % 3] ?? '',
          lat: 26.3 + at / 1_000,
          lng: 50.15,
          neighborhood_id: 4_000_001 + 1_000 * (1 + (at % 3)),
        },
      },
      { first_seen: now - 60 * at },
    ),
  );
  await indexListings(app.services, listings);
  ids = listings.map(({ display }) => display.id);
});

const get = (path: string, query: Record<string, string>) =>
  app.request(`/v1/listings${path}?${new URLSearchParams({ listing_type: 'rent', ...query })}`, { key });
const rows = async (query: Record<string, string>): Promise<number[]> =>
  (await allRows(app, `/v1/listings?${new URLSearchParams({ listing_type: 'rent', limit: '7', ...query })}`, key)).map(
    ({ id }) => id,
  );

test('pages over several cities, or over an area, are in one order, and count, facets and map agree', async (t) => {
  const [first = '', second = ''] = cities;
  const ofTwo = ids.filter((_, at) => at % 3 < 2);
  t.deepEqual(await rows({ city: `${second},${first}` }), ofTwo);
  t.deepEqual(await rows(AREA), ids);
  t.deepEqual(await rows({ near: '26.32,50.15', radius_m: '9000' }), ids);
  t.deepEqual(await rows({ polygon: '26.1,50.1;26.1,50.2;26.5,50.2;26.5,50.1' }), ids);
  t.deepEqual(
    await rows({ ...AREA, city: first }),
    ids.filter((_, at) => at % 3 === 0),
  );
  for (const [query, total] of [
    [{ city: `${first},${second}` }, 20],
    [AREA, 30],
    [{ city: cities.join(), neighborhood_id: '4001001,4003001' }, 20],
  ] as const) {
    t.is((await get('/count', query)).body.data.total, total);
    const { data } = (await get('/facets', { ...query, fields: 'neighborhood_id' })).body;
    t.is(data.total, total);
    t.is(data.facets[0].values.length, total / 10);
  }
  const map = await get('/map', { ...AREA, zoom: '10', city: `${first},${second}` });
  t.is(map.body.data.total, 20);
});

test('a cursor continues the search of the same cities, however they are written, and no other', async (t) => {
  const [first = '', second = ''] = cities;
  const page = await get('', { city: `${first},${second}`, limit: '5' });
  const cursor = page.body.pagination.next_cursor;
  const next = await get('', { city: ` ${first}, ${second},${first}`, limit: '5', cursor });
  t.is(next.status, 200);
  t.is((await get('', { city: `${first},${cities[2]}`, limit: '5', cursor })).body.error.code, 'invalid_cursor');
});

test('without a city and an area, and for an unknown city of a list, the error names the remedy', async (t) => {
  const [first = '', second = ''] = cities;
  for (const path of ['', '/count', '/facets']) {
    const { status, body } = await get(path, path === '/facets' ? { fields: 'beds' } : {});
    t.is(status, 400);
    t.like(body.error, { code: 'missing_parameter', param: 'city' });
    t.regex(body.error.message, /^`city` is required: .+\. Or send `bbox`, `near` or `polygon`\.$/);
  }
  for (const [city, shown] of [
    [`${first},nowhere`, '`nowhere`'],
    [`${first},,${second}`, 'an empty value'],
  ] as const) {
    const { body } = await get('', { city });
    t.like(body.error, { code: 'unknown_city', param: 'city' });
    t.true(body.error.message.includes(`not ${shown}`), body.error.message);
  }
  const elsewhere = await get('', { city: `${first},${second}`, neighborhood_id: '4003001' });
  t.like(elsewhere.body.error, { code: 'neighborhood_not_found', param: 'neighborhood_id' });
  t.regex(elsewhere.body.error.message, new RegExp(`not in \`${first}\` or \`${second}\``));
  // Statistics are still those of one city.
  const one = await app.request(`/v1/market/summary?city=${first},${second}&listing_type=rent`, { key });
  t.is(one.body.error.code, 'unknown_city');
});
