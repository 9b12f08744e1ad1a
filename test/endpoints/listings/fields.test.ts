import type { JsonSchema } from '#domain/json-schema.ts';
import { BATCH_LISTING_SCHEMA, LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { endpoints } from '#endpoints/index.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let paid: string;
let free: string;
let search: string;
let ids: readonly number[];
test.before(async () => {
  app = await sharedApp();
  const columns = { units_per_minute: 100_000, units_per_month: 100_000 };
  paid = (await createOrganization(app.services, { plan: 'pro', columns })).key;
  free = (await createOrganization(app.services, { plan: 'free', columns })).key;
  const city = (await app.addCity()).slug;
  search = `/v1/listings?city=${city}&listing_type=rent&sort=price_asc`;
  const prices = [30_000, 40_000, 50_000];
  const listings = prices.map((yearly_sar) => makeListing({ price: { yearly_sar }, location: { city } }));
  ids = listings.map(({ display }) => display.id);
  await indexListings(app.services, listings);
});

const get = (path: string, key = paid) => app.request(path, { key });
const namesOf = (listing: object): string[] => Object.keys(listing);

test('the operations whose data is a listing or a list of listings select fields, and no others', (t) => {
  for (const { operationId, response, parameters } of endpoints) {
    const { data } = (response.properties ?? {}) as { data?: JsonSchema };
    const rows = data?.type === 'array' ? data.items : data;
    const names = [LISTING_SCHEMA, BATCH_LISTING_SCHEMA].find((schema) => schema === rows)?.properties;
    const schema = parameters.find(({ name }) => name === 'fields')?.schema as
      | { items: { enum: string[] } }
      | undefined;
    if (names) t.deepEqual(schema?.items.enum, Object.keys(names), operationId);
    else if (operationId !== 'listFacets') t.is(schema, undefined, operationId);
  }
});

test('selected fields are those of the whole listing, in its order and with its id', async (t) => {
  const whole = (await get(search)).body;
  for (const query of ['fields=price,headline,location', 'fields=location&fields=headline&fields=price,price,id']) {
    const { body, headers } = await get(`${search}&${query}`);
    const expected = whole.data.map(({ id, headline, price, location }: Record<string, unknown>) => ({
      id,
      headline,
      price,
      location,
    }));
    t.deepEqual(body, { ...whole, data: expected });
    t.deepEqual(
      body.data.map(namesOf),
      whole.data.map(() => ['id', 'headline', 'price', 'location']),
    );
    t.is(headers.get('x-request-units'), '1');
  }
  const all = namesOf(whole.data[0]).join();
  t.deepEqual((await get(`${search}&fields=${all}`)).body, whole);
  t.deepEqual((await get(`/v1/listings/${ids[0]}?fields=days_on_market`)).body, {
    data: { id: ids[0], days_on_market: whole.data[0].days_on_market },
  });
});

test('a batch returns in_search if it is selected', async (t) => {
  const batch = `/v1/listings/batch?ids=${ids.join()}`;
  t.deepEqual(namesOf((await get(`${batch}&fields=price`)).body.data[0]), ['id', 'price']);
  const { data } = (await get(`${batch}&fields=in_search`)).body;
  t.deepEqual(
    data,
    ids.map((id) => ({ id, in_search: true })),
  );
});

test('selected source links are null on the Free plan', async (t) => {
  const source = async (key: string) => (await get(`/v1/listings/${ids[0]}?fields=source`, key)).body.data.source;
  t.like(await source(free), { listing_id: null, url: null });
  t.truthy((await source(paid)).url);
});

test('a page may be continued with other fields', async (t) => {
  const { pagination } = (await get(`${search}&limit=1&fields=price`)).body;
  const { status, body } = await get(`${search}&limit=1&cursor=${pagination.next_cursor}&fields=headline`);
  t.is(status, 200);
  t.is(body.data[0].id, ids[1]);
});

test('the entity tag belongs to the selected fields', async (t) => {
  const tagOf = async (query: string) => (await get(`/v1/listings/${ids[0]}${query}`)).headers.get('etag') ?? '';
  const tag = await tagOf('?fields=price');
  t.not(tag, await tagOf(''));
  const headers = { 'If-None-Match': tag };
  const path = `/v1/listings/${ids[0]}`;
  t.is((await app.request(`${path}?fields=price`, { key: paid, headers })).status, 304);
  t.is((await app.request(path, { key: paid, headers })).status, 200);
});

test('unknown fields and an empty list are refused with the valid names', async (t) => {
  for (const query of ['fields=price,prices', 'fields=', 'fields=price.yearly_sar']) {
    const { status, body } = await get(`${search}&${query}`);
    t.deepEqual([status, body.error.code, body.error.param], [400, 'invalid_value', 'fields'], query);
    t.regex(body.error.message, /one of id, .*\bheadline, .*\bprice, .*\blocation, .*\bdays_on_market, not /);
  }
});
