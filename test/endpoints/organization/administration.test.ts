import { randomBytes } from 'node:crypto';
import type { RequestLogEntry } from '#observability/request-log.ts';
import { administered } from '#test/administration.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createKey } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const keyNumber = async (organizationId: number): Promise<{ id: number; public_id: string }> => {
  const { rows } = await app.services.pool.query<{ id: number; public_id: string }>(
    `select id, public_id from api_keys where organization_id = $1 and kind = 'live' order by id limit 1`,
    [organizationId],
  );
  return rows[0] as { id: number; public_id: string };
};

const DAY = 86_400_000;

test('an organization has the limits of its plan unless it has its own, and states its units beyond the quota', async (t) => {
  const starter = await administered(app, { plan: 'starter' });
  const { data } = (await starter.get('')).body;
  t.like(data, { id: starter.publicId, plan: 'starter', term_ends_at: null, ip_allowlist: [] });
  t.deepEqual(data.limits, {
    units_per_minute: 60,
    units_per_month: 50_000,
    page_size: 50,
    paging_depth: 5_000,
    active_keys: 25,
    projects: 5,
    apis: ['reference', 'listings', 'official', 'market'],
  });
  t.deepEqual(data.overage, { allowed: false, sar_per_1000_units: 6, spend_cap_sar: 0 });

  const limits = { units_per_minute: 6_000, units_per_month: 3, page_size: 90, paging_depth: 40_000, projects: 7 };
  const own = await administered(app, { plan: 'pro', columns: { ...limits, active_keys: 60, spend_cap_sar: 50 } });
  const { slug } = await app.addCity();
  const search = `/v1/listings?city=${slug}&listing_type=rent&limit=45`;
  t.is((await app.request(search, { key: own.key })).status, 200);
  const after = (await own.get('')).body.data;
  t.like(after.limits, { ...limits, active_keys: 60 });
  t.deepEqual(after.usage, { month: new Date().toISOString().slice(0, 7), units: 5, overage_units: 2 });
  t.deepEqual(after.overage, { allowed: true, sar_per_1000_units: 4, spend_cap_sar: 50 });
});

test('every administration list has pages of 50, newest first, without missing or repeated rows', async (t) => {
  const org = await administered(app);
  const { pool } = app.services;
  const { id: keyId } = await keyNumber(org.id);
  for (const [columns, values] of [
    ['members (email, name, role', `n || '@example.com', 'm' || n, 'viewer'`],
    ['projects (name', `'p' || n`],
    ['audit_events (actor_type, action, target_id', `'system', 'key.created', n::text`],
    ['api_keys (kind, name, hash, last_four', `'live', 'k' || n, sha256(($1::bigint || ' ' || n)::bytea), '0000'`],
  ])
    await pool.query(
      `insert into ${columns}, organization_id, public_id)
       select ${values}, $1, 'own_' || md5(random()::text) from generate_series(1, 120) n`,
      [org.id],
    );
  // Many calls have the same time, so the position in a page depends on more than the time.
  await pool.query(
    `insert into request_logs (at, request_id, organization_id, key_id, method, route, status, units, duration_ms)
     select date_trunc('second', now()) - make_interval(secs => (120 - n) / 40), 'req_' || n, $1, $2, 'GET', '/v1/limits', 200, 0, 1
       from generate_series(1, 120) n`,
    [org.id, keyId],
  );
  const numbers = Array.from({ length: 120 }, (_, index) => 120 - index);
  for (const [path, field, prefix] of [
    ['/members', 'name', 'm'],
    ['/projects', 'name', 'p'],
    ['/audit-events', 'target_id', ''],
    ['/keys', 'name', 'k'],
    ['/request-logs?route=/limits', 'request_id', 'req_'],
  ] as const) {
    const values = (await org.all(path)).map((row) => row[field]);
    // The organization has two more keys.
    t.is(values.length, path === '/keys' ? 122 : 120, path);
    t.deepEqual(
      values.slice(0, 120),
      numbers.map((n) => `${prefix}${n}`),
      path,
    );
  }
});

test('usage counts calls by day, key, endpoint and result, over the requested number of UTC days', async (t) => {
  const org = await administered(app, { plan: 'starter', columns: { units_per_minute: 12 } });
  const { slug } = await app.addCity();
  const search = `/v1/listings?city=${slug}&listing_type=rent&limit=50`;
  for (const path of [search, search, search, '/v1/listings/1', '/v1/listings?city=nowhere&listing_type=rent'])
    await app.request(path, { key: org.key });
  await app.services.requestLog.flush();
  const { id, public_id } = await keyNumber(org.id);
  await app.services.pool.query(
    `insert into usage_days select $1, (now() at time zone 'UTC')::date - n, $2, 'x', '2xx', 1, 1 from generate_series(0, 120) n`,
    [org.id, id],
  );
  const rows = (await org.all('/usage?days=7')).filter(({ endpoint }) => endpoint !== 'getUsage' && endpoint !== 'x');
  t.true(rows.every(({ day, key_id }) => day === new Date().toISOString().slice(0, 10) && key_id === public_id));
  t.deepEqual(
    rows.map(({ endpoint, result, requests, units }) => `${endpoint} ${result} ${requests} ${units}`),
    ['getListing 4xx 1 0', 'searchListings 2xx 2 10', 'searchListings 429 1 0', 'searchListings 4xx 1 0'],
  );
  const logged = (await org.all('/request-logs?route=searchListings')).map(({ route }) => route);
  t.deepEqual(logged, Array(4).fill('/v1/listings'), 'an endpoint is also named as in usage');
  for (const days of [7, 90])
    t.is((await org.all(`/usage?days=${days}`)).filter(({ endpoint }) => endpoint === 'x').length, days);
});

test('request logs can be filtered, and request_id overrides all other filters', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const second = await createKey(app.services, org.id, { columns: { public_id: `key_second_${org.id}` } });
  const found = await app.request('/v1/limits', { key: org.key });
  const missing = await app.request('/v1/listings/1', { key: second });
  const wrong = await app.request('/v1/cities?colour=red', { key: second });
  const plan = await app.request('/v1/organization', { key: org.key });
  await app.services.requestLog.flush();
  const all = [found, missing, wrong, plan].map(({ headers }) => headers.get('X-Request-Id') ?? '');
  const around = (ms: number) => new Date(Date.now() + ms).toISOString();
  for (const [query, expected] of [
    ['', [3, 2, 1, 0]],
    [`?key_id=key_second_${org.id}`, [2, 1]],
    ['?route=/v1/listings/{id}', [1]],
    ['?route=/listings/{id}', [1]],
    ['?status=404', [1]],
    // Also refused requests.
    ['?status=403', [3]],
    [`?status=404&request_id=${all[0]}&key_id=key_none&until=2000-01-01T00:00:00Z`, [0]],
    [`?since=${around(-60_000)}&until=${around(60_000)}`, [3, 2, 1, 0]],
    [`?since=${around(60_000)}`, []],
    [`?until=${around(-60_000)}`, []],
  ] as const) {
    const rows = await org.all(`/request-logs${query}`);
    t.deepEqual(
      rows.map(({ request_id }) => all.indexOf(request_id)).filter((at) => at >= 0),
      [...expected],
      query,
    );
  }
  const [row] = (await org.get(`/request-logs?request_id=${all[2]}`)).body.data;
  const { message } = wrong.body.error;
  const facts = {
    method: 'GET',
    route: '/v1/cities',
    status: 400,
    code: 'unknown_parameter',
    param: 'colour',
    message,
  };
  t.like(row, { ...facts, units: 0, ip: '127.0.0.1' });
  const other = await administered(app);
  t.deepEqual((await other.get(`/request-logs?request_id=${all[2]}`)).body.data, []);
  t.deepEqual((await other.get(`/request-logs?key_id=key_second_${org.id}`)).body.data, []);
});

const entryOf = (organizationId: number, keyId: number): RequestLogEntry => ({
  at: new Date(),
  requestId: `req_${randomBytes(12).toString('hex')}`,
  organizationId,
  keyId,
  method: 'GET',
  route: '/v1/limits',
  operationId: 'getLimits',
  status: 418,
  code: null,
  message: null,
  param: null,
  units: 0,
  query: null,
  durationMs: 1,
  ip: null,
});

test('request logs are returned for the retention period, also of invalid text or of months without a partition', async (t) => {
  const org = await administered(app, { columns: { log_retention_days: 7 } });
  const { id } = await keyNumber(org.id);
  const entry = entryOf(org.id, id);
  const add = (more: Partial<RequestLogEntry>) => {
    const added = { ...entry, requestId: `req_${randomBytes(12).toString('hex')}`, ...more };
    app.services.requestLog.add(added);
    return added.requestId;
  };
  const inside = add({ at: new Date(Date.now() - 7 * DAY + 60_000) });
  const outside = add({ at: new Date(Date.now() - 7 * DAY - 60_000) });
  const odd = add({ message: 'a\ud800\0b', param: '\udfff' });
  const future = [add({ at: new Date('2031-12-31T23:59:59.999Z') }), add({ at: new Date('2032-01-01T00:00:00Z') })];
  for (const name of ['a%00b', '%ff', '%ed%a0%80', 'x'.repeat(3_000)])
    await app.request(`/v1/cities?${name}=1`, { key: org.key });
  await app.services.requestLog.flush();
  const listed = (await org.all('/request-logs?status=418')).map(({ request_id }) => request_id);
  t.deepEqual(listed, [...future.toReversed(), odd, inside]);
  t.deepEqual((await org.get(`/request-logs?request_id=${outside}`)).body.data, []);
  t.is((await org.get(`/request-logs?request_id=${odd}`)).body.data[0].message, 'a\ufffd\ufffdb');
  t.is((await org.all('/request-logs?status=400')).length, 4);
});

test('pages of usage repeat and omit no row while calls add rows to the current day', async (t) => {
  const org = await administered(app);
  const { pool } = app.services;
  const addRows = (count: number) =>
    pool.query(
      `insert into usage_days
       select $1, (now() at time zone 'UTC')::date - (random() * 1)::int, id, 'operation' || (random() * 40)::int,
              ('{2xx,4xx,429,5xx}'::text[])[1 + (random() * 3)::int], 1, 1
         from api_keys, generate_series(1, $2) where organization_id = $1 on conflict do nothing`,
      [org.id, count],
    );
  const nameOf = (row: Readonly<Record<string, string>>) => [row.day, row.key_id, row.endpoint, row.result].join(' ');
  await addRows(150);
  const { rows: before } = await pool.query(
    `select u.day::text as day, k.public_id as key_id, u.endpoint, u.result
       from usage_days u join api_keys k on k.id = u.key_id where u.organization_id = $1`,
    [org.id],
  );
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; await addRows(10)) {
    const { body } = await org.get(`/usage?days=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
    seen.push(...body.data.map(nameOf));
    cursor = body.pagination.next_cursor;
  }
  t.true(seen.length > 150, `${seen.length} rows`);
  t.is(new Set(seen).size, seen.length, 'no row is repeated');
  t.deepEqual(
    before.map(nameOf).filter((name) => !seen.includes(name)),
    [],
  );
});
