import { randomBytes } from 'node:crypto';
import type { RequestLogEntry } from '#observability/request-log.ts';
import { administered, verdict } from '#test/administration.ts';
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

const requestId = () => `req_${randomBytes(12).toString('hex')}`;
const DAY = 86_400_000;

test('an organization has the limits of its plan unless it has its own limits', async (t) => {
  const starter = await administered(app, { plan: 'starter' });
  const { body } = await starter.get('');
  t.like(body.data, { id: starter.publicId, plan: 'starter', term_ends_at: null, ip_allowlist: [] });
  t.deepEqual(body.data.limits, {
    units_per_minute: 60,
    units_per_month: 50_000,
    page_size: 50,
    paging_depth: 5_000,
    active_keys: 25,
    projects: 5,
    apis: ['reference', 'listings', 'official', 'market'],
  });
  t.deepEqual(body.data.overage, { allowed: false, sar_per_1000_units: 6, spend_cap_sar: 0 });
  t.deepEqual(body.data.request_logs, { retention_days: 30, details: true });

  const own = { units_per_minute: 6_000, units_per_month: 9_000_000, page_size: 90, paging_depth: 40_000 };
  const enterprise = await administered(app, {
    columns: { ...own, active_keys: 60, projects: 7, ip_allowlist: ['127.0.0.0/8', '::1/128'] },
  });
  const { data } = (await enterprise.get('')).body;
  t.like(data.limits, { ...own, active_keys: 60, projects: 7 });
  t.deepEqual(data.ip_allowlist, ['127.0.0.0/8', '::1/128']);
  const limits = await app.request('/v1/limits', { key: enterprise.key });
  t.is(limits.headers.get('RateLimit-Limit'), '6000');
  t.is(limits.headers.get('X-Quota-Limit'), '9000000');
});

test('the organization endpoint states the units used this month and those beyond the quota', async (t) => {
  const org = await administered(app, { plan: 'pro', columns: { units_per_month: 3, spend_cap_sar: 50 } });
  for (let i = 0; i < 5; i++) {
    const { slug } = await app.addCity();
    t.is((await app.request(`/v1/listings?city=${slug}&listing_type=rent`, { key: org.key })).status, 200);
  }
  const { data } = (await org.get('')).body;
  t.deepEqual(data.usage, { month: new Date().toISOString().slice(0, 7), units: 5, overage_units: 2 });
  t.deepEqual(data.overage, { allowed: true, sar_per_1000_units: 4, spend_cap_sar: 50 });
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
  await pool.query(
    `insert into usage_days select $1, (now() at time zone 'UTC')::date, $2, 'endpoint' || to_char(n, 'FM000'), '2xx', n, n
       from generate_series(1, 120) n`,
    [org.id, keyId],
  );
  // Many calls have the same time, so the position in a page depends on more than the time.
  await pool.query(
    `insert into request_logs (at, request_id, organization_id, key_id, method, route, status, units, duration_ms)
     select date_trunc('second', now()) - make_interval(secs => n / 40), 'req_' || n, $1, $2, 'GET', '/v1/limits', 200, 0, 1
       from generate_series(1, 120) n`,
    [org.id, keyId],
  );
  const names = Array.from({ length: 120 }, (_, index) => 120 - index);
  for (const [path, field, prefix] of [
    ['/members', 'name', 'm'],
    ['/projects', 'name', 'p'],
    ['/audit-events', 'target_id', ''],
    ['/keys', 'name', 'k'],
  ] as const) {
    const rows = await org.all(path);
    // The organization has two more keys.
    t.is(rows.length, path === '/keys' ? 122 : 120, path);
    t.deepEqual(
      rows.slice(0, 120).map((row) => row[field]),
      names.map((n) => `${prefix}${n}`),
      path,
    );
  }
  const usage = (await org.all('/usage?days=7')).filter(({ endpoint }) => endpoint.startsWith('endpoint'));
  t.deepEqual(
    usage.map(({ requests }) => requests),
    names.toReversed(),
  );
  const logs = (await org.all('/request-logs?route=/limits')).map(({ request_id }) => request_id);
  t.is(new Set(logs).size, 120);
  t.is(logs.length, 120);
});

test('a cursor is valid only for its list, filters and organization', async (t) => {
  const [org, other] = [await administered(app), await administered(app)];
  for (const { id } of [org, other]) {
    await app.services.pool.query(
      `insert into members (public_id, organization_id, email, name, role)
       select 'mem_' || md5(random()::text), $1, n || '@example.com', 'm' || n, 'viewer' from generate_series(1, 60) n`,
      [id],
    );
  }
  const cursor = (await org.get('/members')).body.pagination.next_cursor;
  t.is((await org.get(`/members?cursor=${cursor}`)).body.data.length, 10);
  t.is(verdict(await other.get(`/members?cursor=${cursor}`)), '400 invalid_cursor');
  t.is(verdict(await org.get(`/keys?cursor=${cursor}`)), '400 invalid_cursor');
  t.is(verdict(await org.get(`/usage?days=7&cursor=${cursor}`)), '400 invalid_cursor');
  t.is(verdict(await org.get(`/members?cursor=${cursor.slice(0, -2)}`)), '400 invalid_cursor');
});

test('usage counts calls by day, key, endpoint and result', async (t) => {
  const org = await administered(app, { plan: 'starter', columns: { units_per_minute: 12 } });
  const { slug } = await app.addCity();
  const call = (path: string) => app.request(path, { key: org.key });
  await call(`/v1/listings?city=${slug}&listing_type=rent&limit=50`);
  await call(`/v1/listings?city=${slug}&listing_type=rent&limit=50`);
  await call(`/v1/listings?city=${slug}&listing_type=rent&limit=50`);
  await call('/v1/listings/1');
  await call('/v1/listings?city=nowhere&listing_type=rent');
  await app.services.requestLog.flush();
  const rows = (await org.all('/usage?days=7')).filter(({ endpoint }) => endpoint !== 'getUsage');
  const { public_id } = await keyNumber(org.id);
  t.true(rows.every(({ day, key_id }) => day === new Date().toISOString().slice(0, 10) && key_id === public_id));
  t.deepEqual(
    rows.map(({ endpoint, result, requests, units }) => `${endpoint} ${result} ${requests} ${units}`),
    ['getListing 4xx 1 0', 'searchListings 2xx 2 10', 'searchListings 429 1 0', 'searchListings 4xx 1 0'],
  );
  const logged = (await org.all('/request-logs?route=searchListings')).map(({ route }) => route);
  t.deepEqual(logged, Array(4).fill('/v1/listings'), 'an endpoint is also named as in usage');
  for (const days of ['8', '0', 'all']) t.is(verdict(await org.get(`/usage?days=${days}`)), '400 invalid_value');
});

test('usage covers the requested number of UTC days', async (t) => {
  const org = await administered(app);
  const { id } = await keyNumber(org.id);
  await app.services.pool.query(
    `insert into usage_days select $1, (now() at time zone 'UTC')::date - n, $2, 'x', '2xx', 1, 1 from generate_series(0, 120) n`,
    [org.id, id],
  );
  for (const days of [7, 30, 90]) {
    const rows = (await org.all(`/usage?days=${days}`)).filter(({ endpoint }) => endpoint === 'x');
    t.is(rows.length, days);
  }
  t.is((await org.all('/usage')).filter(({ endpoint }) => endpoint === 'x').length, 30);
});

test('request logs can be filtered, and request_id overrides all other filters', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const second = await createKey(app.services, org.id, { columns: { public_id: `key_second_${org.id}` } });
  const found = await app.request('/v1/limits', { key: org.key });
  const missing = await app.request('/v1/listings/1', { key: second });
  const wrong = await app.request('/v1/cities?colour=red', { key: second });
  const plan = await app.request('/v1/organization', { key: org.key });
  await app.services.requestLog.flush();
  const ids = async (query: string) =>
    (await org.all(`/request-logs${query}`)).map(({ request_id }) => request_id).filter((id) => all.includes(id));
  const all = [found, missing, wrong, plan].map(({ headers }) => headers.get('X-Request-Id') ?? '');
  t.deepEqual(await ids(''), all.toReversed());
  t.deepEqual(await ids(`?key_id=key_second_${org.id}`), [all[2], all[1]]);
  t.deepEqual(await ids('?route=/v1/listings/{id}'), [all[1]]);
  t.deepEqual(await ids('?route=/listings/{id}'), [all[1]]);
  t.deepEqual(await ids('?status=404'), [all[1]]);
  t.deepEqual(await ids('?status=403'), [all[3]], 'also refused requests');
  t.deepEqual(await ids(`?status=404&request_id=${all[0]}&key_id=key_none&until=2000-01-01T00:00:00Z`), [all[0]]);
  const around = (ms: number) => new Date(Date.now() + ms).toISOString();
  t.deepEqual(await ids(`?since=${around(-60_000)}&until=${around(60_000)}`), all.toReversed());
  t.deepEqual(await ids(`?since=${around(60_000)}`), []);
  t.deepEqual(await ids(`?until=${around(-60_000)}`), []);
  t.is(verdict(await org.get('/request-logs?since=2026-01-01T00:00Z')), '400 invalid_value');
  t.is(verdict(await org.get('/request-logs?status=abc')), '400 invalid_value');

  const [row] = (await org.get(`/request-logs?request_id=${all[2]}`)).body.data;
  t.like(row, {
    method: 'GET',
    route: '/v1/cities',
    status: 400,
    code: 'unknown_parameter',
    param: 'colour',
    units: 0,
  });
  t.is(row.message, wrong.body.error.message);
  const other = await administered(app);
  t.deepEqual((await other.get(`/request-logs?request_id=${all[2]}`)).body.data, []);
  t.deepEqual((await other.get(`/request-logs?key_id=key_second_${org.id}`)).body.data, []);
  t.is(row.ip, '127.0.0.1');
  t.true(row.duration_ms > 0);
});

test('request logs are returned for the retention period of the organization', async (t) => {
  for (const days of [7, 30, 90]) {
    const org = await administered(app, { columns: { log_retention_days: days } });
    const { id } = await keyNumber(org.id);
    const [inside, outside] = [requestId(), requestId()];
    const at = (offset: number) => new Date(Date.now() - days * DAY + offset);
    for (const [request, moment] of [
      [inside, at(60_000)],
      [outside, at(-60_000)],
    ] as const) {
      app.services.requestLog.add({ ...entryOf(org.id, id), requestId: request, at: moment });
    }
    await app.services.requestLog.flush();
    const listed = (await org.all('/request-logs?status=418')).map(({ request_id }) => request_id);
    t.deepEqual(listed, [inside]);
    t.deepEqual((await org.get(`/request-logs?request_id=${outside}`)).body.data, []);
  }
});

const entryOf = (organizationId: number, keyId: number): RequestLogEntry => ({
  at: new Date(),
  requestId: requestId(),
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

test('request log entries with invalid text or of months without a partition are written', async (t) => {
  const org = await administered(app, { columns: { log_retention_days: 90 } });
  const { id } = await keyNumber(org.id);
  const answers = [];
  for (const name of ['%00', 'a%00b', '%ff', '%ed%a0%80', 'x'.repeat(3_000)])
    answers.push(await app.request(`/v1/cities?${name}=1`, { key: org.key }));
  const odd = { ...entryOf(org.id, id), message: 'a\ud800\0b', param: '\udfff' };
  app.services.requestLog.add(odd);
  // A month without a partition.
  app.services.requestLog.add({ ...entryOf(org.id, id), at: new Date('2031-12-31T23:59:59.999Z') });
  app.services.requestLog.add({ ...entryOf(org.id, id), at: new Date('2032-01-01T00:00:00Z') });
  await app.services.requestLog.flush();
  const rows = await org.all('/request-logs?status=400');
  t.is(rows.length, answers.length);
  t.is((await org.get(`/request-logs?request_id=${odd.requestId}`)).body.data[0].message, 'a\ufffd\ufffdb');
  t.is((await org.all('/request-logs?status=418')).length, 3);
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
