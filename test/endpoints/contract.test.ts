import { BATCH_LISTING_FIELD_NAMES, LISTING_FIELD_NAMES } from '#domain/listings/schema.ts';
import { READINESS_REASONS } from '#domain/readiness.ts';
import { endpoints } from '#endpoints/index.ts';
import { FACET_NAMES } from '#queries/listings/facets.ts';
import { administered, verdict } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

/** Tests requests that clients have sent, and the documented responses. */
let app: TestApp;
let key: string;
let city: string;
test.before(async () => {
  app = await sharedApp();
  key = (await createOrganization(app.services)).key;
  city = (await app.addCity({}, [{}, {}])).slug;
});

const get = (path: string) => app.request(path, { key });
test('a minimum above its maximum is an invalid value on every endpoint with both parameters', async (t) => {
  const pairs = endpoints.flatMap(({ path, audience, parameters }) =>
    parameters.flatMap(({ name, notBelow }) => (notBelow ? [{ path, audience, most: name, least: notBelow }] : [])),
  );
  const names = new Set(pairs.map(({ least, most }) => `${least} ${most}`));
  for (const pair of [
    'price_per_sqm_min price_per_sqm_max',
    'since until',
    'month_from month_to',
    'quarter_from quarter_to',
    'delivery_from delivery_to',
  ])
    t.true(names.has(pair), pair);
  const org = await administered(app);
  for (const { path, audience, least, most } of pairs) {
    const [low, high] = VALUES[most] ?? ['3', '4'];
    const known: Record<string, string> = {
      city,
      listing_type: 'rent',
      neighborhood_id: neighborhoods().join(),
      fields: 'beds',
      bbox: '46.6,24.6,46.8,24.9',
      zoom: '12',
    };
    const { parameters } = endpoints.find((each) => each.path === path) ?? { parameters: [] };
    const required = parameters.flatMap(({ name, required }) => (required ? `${name}=${known[name]}&` : []));
    const ask = async (from: string, to: string) => {
      const answer = await app.request(
        `${path.replace('{id}', '1')}?${required.join('')}${least}=${from}&${most}=${to}`,
        {
          key: audience === 'admin' ? org.admin : org.key,
        },
      );
      return `${verdict(answer)} ${answer.body.error?.param} ${answer.body.error?.message}`;
    };
    // The response is 404 if a period or project has no data.
    t.regex(await ask(low, high), /^(200|404 (period|project)_not_found)/, `${path} ${least}`);
    t.regex(await ask(low, low), /^(200|404 (period|project)_not_found)/, `${path} ${least}`);
    const refused = `^400 invalid_value ${least} \`${least}\` \\(.+\\) must not be greater than \`${most}\` \\(.+\\)\\.$`;
    t.regex(await ask(high, low), new RegExp(refused), path);
  }
});

/** Example values of a pair of parameters, lower value first, by the name of the maximum. */
const VALUES: Readonly<Record<string, readonly [string, string]>> = {
  until: ['2026-05-01T01:00:00%2B02:00', '2026-05-01T00:00:00Z'],
  month_to: ['2025-09', '2025-10'],
  delivery_to: ['2025-09', '2025-10'],
  quarter_to: ['2024-Q4', '2025-Q1'],
};

test('an export filter with a minimum above its maximum is refused as an invalid value', async (t) => {
  const filters = { city, month_from: '2025-10', month_to: '2025-09' };
  const json = { dataset: 'registered_transactions', format: 'csv', filters };
  const { body } = await app.request('/v1/exports', { key, json });
  t.like(body.error, { code: 'invalid_value', param: 'filters.month_from' });
});

const neighborhoods = (): number[] => (app.services.places.neighborhoods(city) ?? []).map(({ id }) => id);

test('reference lists have the same pagination fields as other lists', async (t) => {
  await app.addCity({ slug: 'riyadh' });
  for (const path of ['/v1/cities', `/v1/cities/${city}/neighborhoods`, '/v1/cities/riyadh/directions']) {
    const { status, body } = await get(path);
    t.is(status, 200);
    t.deepEqual(body.pagination, {
      limit: body.data.length,
      next_cursor: null,
      has_more: false,
      result_window_reached: false,
    });
  }
});

test('key revocation accepts no body or an empty body, and rejects unknown fields', async (t) => {
  const org = await administered(app);
  const { body } = await org.post('/keys', { name: 'to be revoked' });
  const path = `/keys/${body.data.id}/revoke`;
  const refused = await org.post(path, { key_id: 'another', at: '2030-01-01T00:00:00Z' });
  t.is(verdict(refused), '400 invalid_body');
  t.is(refused.body.error.param, 'key_id');
  t.is(verdict(await org.post(path, ['x'])), '400 invalid_body');
  t.is((await app.request('/v1/limits', { key: body.data.secret })).status, 200);
  for (const empty of [undefined, {}]) {
    const answer = await org.post(path, empty);
    t.is(answer.status, 200);
    t.is(answer.body.data.status, 'revoked');
  }
  t.is((await app.request('/v1/limits', { key: body.data.secret })).status, 401);
});

test('error messages name the plan, the scope and the effective limit', async (t) => {
  const { services } = app;
  const free = await createOrganization(services, { plan: 'free', columns: { units_per_minute: 3 } });
  const pro = await createOrganization(services, { plan: 'pro', columns: { paging_depth: 20 } });
  const testKey = await createKey(services, pro.id, { kind: 'test', columns: { scopes: ['listings', 'market'] } });
  const search = `/v1/listings?city=${city}&listing_type=rent`;
  const message = async (path: string, as: string): Promise<string> =>
    (await app.request(path, { key: as })).body.error.message;
  for (const limit of [26, 1_000, 1_001, 0, 'x']) {
    const wording = '`limit` must be an integer from 1 to 25';
    t.is(
      await message(`${search}&limit=${limit}`, free.key),
      `${wording} on the free plan, not \`${limit}\`.`,
      String(limit),
    );
    t.is(
      await message(`${search}&limit=${limit}`, testKey),
      `${wording} with a test key, not \`${limit}\`.`,
      String(limit),
    );
    t.regex(await message(`${search}&limit=${limit}&cursor=x`, testKey), /from 1 to 25 with a test key/);
  }
  t.is(await message(`${search}&limit=1&limit=2`, testKey), '`limit` is repeated: `1` and `2`. Send it once.');
  t.regex(
    await message('/v1/market/summary', free.key),
    /free plan does not include the `market` scope\. The lowest plan that includes it is Starter\.$/,
  );
  t.is(
    await message(`/v1/market/rental-yield?city=${city}`, testKey),
    'This key is limited to `listings`, `market`, and the call requires the `analytics` scope. Create a key that includes it.',
  );
  t.is((await app.request(`${search}&limit=25`, { key: free.key })).status, 200);
  t.regex(await message(search, free.key), /rate limit of 3 units per minute on the free plan/);
});

/** Enumerated values without display names, with the reason. */
const NAMELESS: Readonly<Record<string, string>> = {
  Polygon: 'type of GeoJSON',
  MultiPolygon: 'type of GeoJSON',
  Feature: 'type of GeoJSON',
  FeatureCollection: 'type of GeoJSON',
  '7,30,90': 'numbers of days',
  'concurrent,day': 'which limit of exports an error is about, for programs',
  'key,project': 'groupings of usage totals, for programs',
  'all,property_type,price_third,month': 'groupings of estimates, for programs',
  ok: 'states of probes, which only programs read',
  'ready,not_ready': 'states of probes, which only programs read',
  'ok,unavailable': 'states of probes, which only programs read',
  [LISTING_FIELD_NAMES.join()]: 'names of fields of a listing',
  [BATCH_LISTING_FIELD_NAMES.join()]: 'names of fields of a listing',
  [FACET_NAMES.join()]: 'names of filters, which have labels in the explorer',
  [READINESS_REASONS.join()]: 'states of probes, which only programs read',
};

test('every enumerated value of parameters, bodies and responses is listed in /enums with its names', async (t) => {
  const { data } = (await get('/v1/enums')).body;
  const lists = Object.keys(data.names);
  const known = lists.map((list) => data[list] as string[]);
  t.true(data.price_frequencies.includes('total'));
  const enumerated = new Map<string, string>();
  const collect = (part: unknown, where: string): void => {
    if (typeof part !== 'object' || part === null) return;
    const { enum: values } = part as { enum?: unknown };
    if (Array.isArray(values)) enumerated.set(values.filter((value) => value !== null).join(), where);
    for (const [name, inner] of Object.entries(part)) if (!/^examples?$/.test(name)) collect(inner, `${where}/${name}`);
  };
  collect((await get('/v1/openapi.json')).body, '');
  t.true(enumerated.size > 50);
  for (const [values, where] of enumerated) {
    if (values in NAMELESS) continue;
    const isKnown = known.some((list) => values.split(',').every((value) => list.includes(value)));
    t.true(isKnown, `${values} at ${where} is no list of /enums`);
  }
  for (const values of Object.keys(NAMELESS)) t.true(enumerated.has(values), `${values} is not enumerated`);
  const enumerations = [...enumerated.keys()].map((values) => values.split(','));
  for (const [at, list] of known.entries()) {
    const used = new Set(enumerations.filter((values) => values.every((value) => list.includes(value))).flat());
    for (const value of list) t.true(used.has(value), `${lists[at]}: ${value} is not enumerated`);
  }
  for (const list of lists) {
    t.deepEqual(Object.keys(data.names[list]), data[list], list);
    for (const name of ['name_en', 'name_ar'] as const) {
      const names = (Object.values(data.names[list]) as Record<string, string>[]).map((each) => each[name] ?? '');
      t.is(new Set(names).size, names.length, `${list}: two values of one name`);
      for (const each of names) t.regex(each, name === 'name_ar' ? /^[\u0600-\u06ff ]+$/ : /^[A-Z][A-Za-z' -]+$/);
    }
  }
  for (const type of data.property_types) t.true(data.listing_categories.includes(data.property_type_categories[type]));
});
