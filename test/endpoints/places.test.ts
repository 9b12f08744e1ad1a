import { randomUUID } from 'node:crypto';
import { endpoints } from '#endpoints/index.ts';
import { DATASETS } from '#exports/datasets/index.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { type Administered, administered } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

const OWN = 910_001;
const SECOND = 910_002;
const FOREIGN = 920_001;

const resolve = async () => [{ address: '93.184.216.34', family: 4 as const }];
let app: TestApp;
let owner: Administered;
let city: string;
let other: string;
test.before(async () => {
  app = await startTestApp({ overrides: { resolve } });
  owner = await administered(app, { plan: 'enterprise' });
  city = (await app.addCity({}, [{ id: OWN }, { id: SECOND }])).slug;
  other = (await app.addCity({}, [{ id: FOREIGN, name_en: 'Elsewhere' }])).slug;
});
test.after(() => app.close());

/** Returns the data endpoints with a query parameter of this name. */
const withParameter = (name: string): Endpoint[] =>
  endpoints.filter(({ audience, parameters }) => audience === 'data' && parameters.some((each) => each.name === name));

function call({ path, parameters, pathParameters }: Endpoint, values: Readonly<Record<string, string>>) {
  const query = new URLSearchParams();
  for (const { name, required, example } of parameters) if (required && example) query.set(name, example);
  if (parameters.some(({ name }) => name === 'city')) query.set('city', city);
  // The neighborhood comparison requires this parameter.
  if (query.has('neighborhood_id')) query.set('neighborhood_id', `${OWN},${SECOND}`);
  for (const [name, value] of Object.entries(values)) query.set(name, value);
  const address = pathParameters.reduce((at, { name, example }) => at.replace(`{${name}}`, example ?? '1'), path);
  return app.request(`${address}?${query}`, { key: owner.key });
}

for (const name of ['neighborhood_id', 'neighborhood_id_exclude']) {
  for (const endpoint of withParameter(name)) {
    test(`${endpoint.operationId} refuses a ${name} of another city`, async (t) => {
      const isList = endpoint.parameters.find((each) => each.name === name)?.schema.type === 'array';
      for (const id of [FOREIGN, 1]) {
        const { status, body, headers, text } = await call(endpoint, { [name]: isList ? `${OWN},${id}` : `${id}` });
        t.is(status, 404, text);
        t.like(body.error, { code: 'neighborhood_not_found', param: name });
        const where = id === FOREIGN ? `(Elsewhere) is in \`${other}\`, not in \`${city}\`` : 'does not exist';
        const lists = `GET /cities/${city}/neighborhoods lists the ids of \`${city}\`.`;
        t.is(body.error.message, `\`${name}\` ${id} ${where}. ${lists}`);
        t.is(headers.get('x-request-units'), null);
      }
    });
  }
}

for (const endpoint of withParameter('bbox')) {
  test(`${endpoint.operationId} refuses a bbox with latitude first or outside the country`, async (t) => {
    const swapped = await call(endpoint, { bbox: '24.6,46.6,24.9,46.8' });
    t.like(swapped.body.error, { code: 'invalid_value', param: 'bbox' });
    t.regex(swapped.body.error.message, /latitude before longitude.* use 46\.6,24\.6,46\.8,24\.9\.$/);
    const outside = await call(endpoint, { bbox: '31.2,29.9,31.4,30.1' });
    t.like(outside.body.error, { code: 'invalid_value', param: 'bbox' });
    t.regex(outside.body.error.message, /outside Saudi Arabia/);
  });
}

test('filters in a request body are rejected if a neighborhood is in none of the cities', async (t) => {
  const post = (path: string, body: object, key: string) =>
    app.request(path, { key, headers: { 'Idempotency-Key': randomUUID() }, json: body });
  const month = { quarter_from: '2025-Q1', quarter_to: '2025-Q1' };
  const calls = [
    ...DATASETS.map(({ name, filters: { properties, required } }) => ({
      properties,
      send: (filters: object) => {
        const times = 'from' in properties ? { from: new Date(Date.now() - 3_600_000).toISOString() } : {};
        const quarters = required.includes('quarter_from') ? month : {};
        const body = { dataset: name, format: 'ndjson', filters: { ...times, ...quarters, ...filters } };
        return post('/v1/exports', body, owner.key);
      },
    })),
    {
      properties: { neighborhood_id_exclude: {}, bbox: {} },
      send: (filters: object) => {
        const body = { url: 'https://hooks.test/', event_types: ['listing.created'], filters };
        return post('/v1/organization/webhooks', body, owner.admin);
      },
    },
  ];
  for (const { properties, send } of calls) {
    const names = ['neighborhood_id', ...('neighborhood_id_exclude' in properties ? ['neighborhood_id_exclude'] : [])];
    for (const name of names) {
      const refused = await send({ city, [name]: [OWN, FOREIGN] });
      t.is(refused.status, 404, refused.text);
      t.like(refused.body.error, { code: 'neighborhood_not_found', param: `filters.${name}` });
      t.regex(
        refused.body.error.message,
        new RegExp(`filters\\.${name}\` ${FOREIGN} \\(Elsewhere\\) is in \`${other}\``),
      );
      const both = await send({ city: [city, other], [name]: [OWN, FOREIGN] });
      t.not(both.body.error?.code, 'neighborhood_not_found', 'in one of the cities');
    }
    if (!('bbox' in properties)) continue;
    const { body } = await send({ city, bbox: [24.6, 46.6, 24.9, 46.8] });
    t.like(body.error, { code: 'invalid_value', param: 'filters.bbox' });
    t.regex(body.error.message, /use \[46\.6,24\.6,46\.8,24\.9\]\.$/);
  }
});

test('a stored webhook endpoint whose filters have become invalid remains readable', async (t) => {
  const filters = { city: [city], neighborhood_id: [OWN] };
  const body = { url: 'https://hooks.test/', event_types: ['listing.created'], filters };
  const made = await owner.post('/webhooks', body);
  t.is(made.status, 201, made.text);
  const stored = { city: [city], neighborhood_id: [FOREIGN], bbox: [24.6, 46.6, 24.9, 46.8] };
  await app.services.pool.query('update webhook_endpoints set filters = $2 where public_id = $1', [
    made.body.data.id,
    stored,
  ]);
  const listed = (await owner.all('/webhooks')).find(({ id }) => id === made.body.data.id);
  t.deepEqual(listed.filters, stored);
});
