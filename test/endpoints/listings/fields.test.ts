import type { JsonSchema } from '#domain/json-schema.ts';
import { BATCH_LISTING_SCHEMA, LISTING_SCHEMA } from '#domain/listings/schema.ts';
import { endpoints } from '#endpoints/index.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

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

test('selected fields are those of the whole listing, in its order and with its id, also on a page that continues another', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const { key: free } = await createOrganization(app.services, { plan: 'free' });
  const city = (await app.addCity()).slug;
  const listings = [30_000, 40_000].map((yearly_sar) => makeListing({ price: { yearly_sar }, location: { city } }));
  await indexListings(app.services, listings);
  const get = async (path: string, as = key) => (await app.request(path, { key: as })).body;
  const search = `/v1/listings?city=${city}&listing_type=rent&sort=price_asc`;
  const whole = await get(search);
  const expected = whole.data.map(({ id, headline, price }: Record<string, unknown>) => ({ id, headline, price }));
  const selected = await get(`${search}&fields=price&fields=headline,price`);
  t.is(JSON.stringify(selected.data), JSON.stringify(expected));
  const { next_cursor } = (await get(`${search}&limit=1`)).pagination;
  t.deepEqual((await get(`${search}&limit=1&cursor=${next_cursor}&fields=headline,price`)).data, expected.slice(1));
  const [id] = listings.map(({ display }) => display.id);
  t.deepEqual((await get(`/v1/listings/batch?ids=${id}&fields=in_search`)).data, [{ id, in_search: true }]);
  for (const [as, url] of [
    [key, whole.data[0].source.url],
    [free, null],
  ] as const)
    t.is((await get(`/v1/listings/${id}?fields=source`, as)).data.source.url, url);
});
