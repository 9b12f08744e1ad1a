import { BATCH_LISTING_FIELD_NAMES, LISTING_FIELD_NAMES } from '#domain/listings/listing-schema.ts';
import { READINESS_REASONS } from '#domain/readiness.ts';
import { FACET_NAMES } from '#queries/listings/facets.ts';
import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { type Administered, administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { test } from '#test/test.ts';

/** Rules of parameters and responses that hold for every endpoint. */
const OWN = 910_001;
const SECOND = 910_002;
const FOREIGN = 920_001;

let app: TestApp;
let owner: Administered;
let city: string;
let other: string;
test.before(async () => {
  app = await startTestApp({ overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] } });
  owner = await administered(app, { plan: 'enterprise' });
  city = (await app.addCity({}, [{ id: OWN }, { id: SECOND }])).slug;
  other = (await app.addCity({}, [{ id: FOREIGN, name_en: 'Elsewhere' }])).slug;
});
test.after(() => app.close());

/** Calls an endpoint with the examples of its required parameters, and the given values. */
function call(endpoint: Endpoint, values: Readonly<Record<string, string>>) {
  const { path, audience, parameters, pathParameters } = endpoint;
  const query = new URLSearchParams();
  for (const { name, required, example } of parameters) if (required && example) query.set(name, example);
  if (parameters.some(({ name }) => name === 'city')) query.set('city', city);
  // The neighborhood comparison requires this parameter.
  if (query.has('neighborhood_id')) query.set('neighborhood_id', `${OWN},${SECOND}`);
  for (const [name, value] of Object.entries(values)) query.set(name, value);
  const address = pathParameters.reduce((at, { name, example }) => at.replace(`{${name}}`, example ?? '1'), path);
  return app.request(`${address}?${query}`, { key: audience === 'admin' ? owner.admin : owner.key });
}

/** Example values of a pair of parameters, lower value first, by the name of the maximum. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  until: ['2026-05-01T01:00:00+02:00', '2026-05-01T00:00:00Z'],
  month_to: ['2025-09', '2025-10'],
  delivery_to: ['2025-09', '2025-10'],
  quarter_to: ['2024-Q4', '2025-Q1'],
};

test('a minimum above its maximum is an invalid value on every endpoint with both parameters', async (t) => {
  for (const endpoint of endpoints) {
    const names = endpoint.parameters.map(({ name }) => name);
    for (const { name: most, notBelow: least } of endpoint.parameters) {
      const about = `${endpoint.path} ${most}`;
      const minimum = most
        .replace(/_max$/, '_min')
        .replace(/_to$/, '_from')
        .replace(/^until$/, 'since');
      t.is(least, minimum !== most && names.includes(minimum) ? minimum : undefined, about);
      if (least === undefined) continue;
      const [low, high] = VALUES[most] ?? ['3', '4'];
      // The response is 404 if a period or project has no data, and for the example of an id.
      for (const to of [high, low])
        t.regex(verdict(await call(endpoint, { [least]: low, [most]: to })), /^200|404 (period|project|not)_/, about);
      const { body } = await call(endpoint, { [least]: high, [most]: low });
      t.like(body.error, { code: 'invalid_value', param: least }, about);
    }
  }
});

test('neighborhoods of another city, and boxes outside the country, are refused on every endpoint and in every body', async (t) => {
  const expectRefusal = ({ status, body, headers }: Awaited<ReturnType<typeof call>>, param: string, about: string) => {
    t.deepEqual([status, body.error?.code, body.error?.param], [404, 'neighborhood_not_found', param], about);
    t.is(headers.get('x-request-units'), null, about);
  };
  let refused = 0;
  for (const endpoint of endpoints.filter(({ audience }) => audience === 'data'))
    for (const { name, schema } of endpoint.parameters) {
      if (name.startsWith('neighborhood_id'))
        for (const id of [FOREIGN, 1]) {
          const value = schema.type === 'array' ? `${OWN},${id}` : `${id}`;
          expectRefusal(await call(endpoint, { [name]: value }), name, endpoint.path);
          refused++;
        }
      if (name === 'bbox')
        for (const bbox of ['24.6,46.6,24.9,46.8', '31.2,29.9,31.4,30.1'])
          t.like((await call(endpoint, { bbox })).body.error, { code: 'invalid_value', param: name }, endpoint.path);
    }
  t.true(refused > 40, `${refused}`);

  const exported = (dataset: string, filters: object) =>
    app.request('/v1/exports', { key: owner.key, json: { dataset, format: 'ndjson', filters } });
  const hook = { url: 'https://hooks.test/', event_types: ['listing.created'] };
  for (const send of [
    (filters: object) => exported('listings', filters),
    (filters: object) => owner.post('/webhooks', { ...hook, filters }),
  ]) {
    for (const name of ['neighborhood_id', 'neighborhood_id_exclude'])
      expectRefusal(await send({ city, [name]: [OWN, FOREIGN] }), `filters.${name}`, name);
    const both = await send({ city: [city, other], neighborhood_id: [OWN, FOREIGN] });
    t.true(both.status < 300, 'each is in one of the cities');
    const swapped = await send({ city, bbox: [24.6, 46.6, 24.9, 46.8] });
    t.like(swapped.body.error, { code: 'invalid_value', param: 'filters.bbox' });
  }
  const months = { month_from: '2025-10', month_to: '2025-09' };
  const turned = await exported('registered_transactions', { city, ...months });
  t.like(turned.body.error, { code: 'invalid_value', param: 'filters.month_from' });
});

/** Enumerated values without display names, which only programs read. */
const NAMELESS: readonly string[] = [
  'Polygon',
  'MultiPolygon',
  'Feature',
  'FeatureCollection',
  '7,30,90',
  'concurrent,day',
  'key,project,member,operation,day',
  'json,csv',
  'en,ar',
  'all,property_type,price_third,month',
  'ok',
  'ready,not_ready',
  'ok,unavailable',
  'ok,blocked',
  LISTING_FIELD_NAMES.join(),
  BATCH_LISTING_FIELD_NAMES.join(),
  FACET_NAMES.join(),
  READINESS_REASONS.join(),
];

test('every enumerated value of parameters, bodies and responses is listed in /enums with its names', async (t) => {
  const { data } = (await app.request('/v1/enums', { key: owner.key })).body;
  const lists = Object.keys(data.names);
  const enumerated = new Set<string>();
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const { enum: values } = part as { enum?: unknown };
    if (Array.isArray(values)) enumerated.add(values.filter((value) => value !== null).join());
    for (const [name, inner] of Object.entries(part)) if (!/^examples?$/.test(name)) collect(inner);
  };
  collect((await app.request('/v1/openapi.json')).body);
  t.true(enumerated.size > 50);
  for (const values of enumerated)
    if (!NAMELESS.includes(values))
      t.true(
        lists.some((list) => values.split(',').every((value) => data[list].includes(value))),
        `${values} is no list of /enums`,
      );
});
