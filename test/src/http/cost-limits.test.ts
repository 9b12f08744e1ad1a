import type { ExecutionContext } from 'ava';
import { getExport } from '#src/endpoints/exports/exports.ts';
import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { examplePath } from '#src/http/example-path.ts';
import { unitsOf } from '#src/metering/prices.ts';
import bodies from '#src/openapi/bodies.json' with { type: 'json' };
import type { TestResponse } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type ExportApp, startExportApp } from '../exports/app.ts';

const GETS = endpoints.filter(({ load }) => load !== undefined);
const POSTS = endpoints.filter(({ rowPrice }) => rowPrice !== undefined);
/** Calls that read data or have an effect. */
let calls = 0;
const count = async () => {
  calls++;
  return null;
};
/** Every operation that costs units, without its effect. Exports are created, because they are charged later. */
const STUBS = [...GETS, ...POSTS].map((endpoint): Endpoint => {
  if (endpoint.operationId === 'createExport') return endpoint;
  const response = () => ({ body: { data: {} } });
  return {
    ...endpoint,
    ...(endpoint.method === 'GET'
      ? { load: count, hasResult: () => true, rows: () => 1, present: response, response: {} }
      : { prepare: count, handle: async () => response(), response: {} }),
  } as Endpoint;
});

let app: ExportApp;
test.before(async () => {
  app = await startExportApp('cost_limits', { endpoints: [...STUBS, getExport] });
  const named = GETS.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'neighborhood_id'));
  const ids = new Set(named.flatMap(({ example = '' }) => example.split(',').map(Number)));
  await app.addCity(
    { slug: 'riyadh' },
    [...ids, 70].map((id) => ({ id })),
  );
  await indexListings(app.services, [makeListing({ location: { city: 'riyadh' } })]);
});
test.after(() => app?.close());

const LISTINGS = { dataset: 'listings', format: 'ndjson', filters: { city: ['riyadh'] } };
const BODIES: Readonly<Record<string, object>> = { ...bodies, createExport: LISTINGS };

/** Calls a stub with cost limits, in the URL of a GET or in the body of a POST. */
function send(endpoint: Endpoint, key: string, limits: Record<string, unknown>, method: string = endpoint.method) {
  const url = examplePath(endpoint);
  if (method === 'POST') return app.request(url, { key, json: { ...BODIES[endpoint.operationId], ...limits } });
  const sent = new URL(url, app.url);
  for (const [name, value] of Object.entries(limits)) sent.searchParams.set(name, String(value));
  return app.request(`${sent.pathname}${sent.search}`, { key, method });
}

const headerOf = ({ headers }: TestResponse, name: string) => Number(headers.get(name));

test('every operation that costs units accepts max_units and dry_run', (t) => {
  for (const { operationId, method, parameters, bodySchema } of STUBS) {
    const names = method === 'GET' ? parameters.map(({ name }) => name) : Object.keys(bodySchema?.properties ?? {});
    t.deepEqual(names.slice(-2), ['max_units', 'dry_run'], operationId);
  }
  const priced = endpoints.filter(({ price, rowPrice }) => price.units > 0 || rowPrice);
  t.deepEqual(priced.map(({ operationId }) => operationId).sort(), STUBS.map(({ operationId }) => operationId).sort());
  for (const { parameters, operationId } of endpoints.filter(({ price }) => price.units === 0))
    t.false(
      parameters.some(({ name }) => name === 'dry_run'),
      operationId,
    );
});

/** Makes a dry run. @returns its `max_units` */
async function dryRun(t: ExecutionContext, endpoint: Endpoint, key: string): Promise<number> {
  const { status, body, headers } = await send(endpoint, key, { dry_run: true });
  t.is(status, 200, JSON.stringify(body));
  t.is(headers.get('X-Request-Max-Units'), String(body.data.max_units));
  t.is(headers.get('ETag'), null);
  return body.data.max_units;
}

test('a dry run states the most that a call can cost, loads nothing, and costs at most the unit of a count', async (t) => {
  const { id, key } = await createOrganization(app.services, { plan: 'enterprise' });
  for (const endpoint of STUBS) {
    const before = { calls, units: await unitsUsed(app.services, id) };
    const units = await dryRun(t, endpoint, key);
    const isCounted = endpoint.operationId === 'createExport';
    t.deepEqual(
      { calls, units: await unitsUsed(app.services, id) },
      { ...before, units: before.units + (isCounted ? 1 : 0) },
      endpoint.operationId,
    );
    if (endpoint.method === 'GET') {
      const head = await send(endpoint, key, { dry_run: true }, 'HEAD');
      t.deepEqual([head.status, head.text, headerOf(head, 'X-Request-Max-Units')], [200, '', units]);
      const query = Object.fromEntries(new URL(examplePath(endpoint), app.url).searchParams);
      const { parameter } = { parameter: '', ...endpoint.price };
      const value = parameter === 'ids' ? query.ids?.split(',') : query[parameter];
      t.is(units, unitsOf(endpoint.price, { [parameter]: value }), endpoint.operationId);
    }
  }
});

test('max_units refuses a call that can cost more before it loads, and accepts one that cannot', async (t) => {
  const { id, key } = await createOrganization(app.services, { plan: 'enterprise' });
  for (const endpoint of STUBS) {
    const most = await dryRun(t, endpoint, key);
    const before = { calls, units: await unitsUsed(app.services, id) };
    for (const method of endpoint.method === 'GET' ? ['GET', 'HEAD'] : ['POST'])
      for (const dry_run of [false, true]) {
        const { status, body } = await send(endpoint, key, { max_units: most - 1, dry_run }, method);
        t.is(status, 400, `${method} ${endpoint.path}`);
        if (method !== 'HEAD') t.like(body.error, { code: 'invalid_value', param: 'max_units' }, endpoint.operationId);
      }
    t.deepEqual({ calls, units: await unitsUsed(app.services, id) }, before, endpoint.operationId);
    const { status, text } = await send(endpoint, key, { max_units: most });
    t.is(status, endpoint.successStatus ?? 200, text);
  }
});

test('a dry run states what is left, is refused as the call would be, and counts toward the limit on free calls', async (t) => {
  const [search] = STUBS.filter(({ operationId }) => operationId === 'searchListings') as [Endpoint];
  const columns = { units_per_month: 500 };
  const { id, key } = await createOrganization(app.services, { plan: 'starter', columns });
  const url = '/v1/listings?city=riyadh&listing_type=rent';
  t.is((await app.request(`${url}&limit=25`, { key })).status, 200);
  const { body } = await send(search, key, { dry_run: true, limit: 50 });
  t.like(body.data, { max_units: 5, rows: null, units_remaining_this_month: 497, units_until_refused: 497 });
  t.is(body.data.limited_by, 'monthly_quota');
  t.is(typeof body.data.units_remaining_this_minute, 'number');
  for (const [query, code, param] of [
    ['limit=90', 'invalid_value', 'limit'],
    ['city=atlantis', 'invalid_value', 'city'],
    ['max_units=-1', 'invalid_value', 'max_units'],
    ['dry_run=maybe', 'invalid_value', 'dry_run'],
  ]) {
    const refused = await app.request(`${url}&dry_run=true&${query}`, { key });
    t.like(refused.body.error, { code, param }, query);
  }
  const scopes = await createKey(app.services, id, { columns: { scopes: ['market'] } });
  t.is((await send(search, scopes, { dry_run: true })).body.error.code, 'scope_not_in_key');
  await app.services.pool.query('update organizations set units_per_month = 3 where id = $1', [id]);
  t.is((await app.request(url, { key })).status, 429);
  t.is((await send(search, key, { dry_run: true })).body.data.units_until_refused, 0);
});

test('an export costs at most its max_units, also if rows are added after it was created', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const counted = await app.post(key, { ...LISTINGS, dry_run: true });
  t.like(counted.body.data, { max_units: 100, rows: 1 }, counted.text);
  t.is(headerOf(counted, 'X-Request-Units'), 1);
  t.like(await app.make(key, { ...LISTINGS, max_units: 100 }), { status: 'completed', units: 100 });
  const open = await app.post(key, { dataset: 'registered_rents', format: 'csv', dry_run: true });
  t.like(open.body.data, { max_units: 0, rows: null }, open.text);
  t.is(headerOf(open, 'X-Request-Units'), 0);
  const { pool } = app.services;
  await pool.query(
    'create rule fewer as on insert to exports do also update exports set max_units = 99 where public_id = new.public_id',
  );
  const grown = await app.make(key, { ...LISTINGS, max_units: 100 });
  await pool.query('drop rule fewer on exports');
  t.like(grown, { status: 'failed', units: 0, error: { code: 'limit_reached' } });
  t.regex(grown.error.message, /`max_units` is 99/);
});
