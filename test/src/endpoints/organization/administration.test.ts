import { randomUUID } from 'node:crypto';
import type { Role } from '#src/accounts/roles.ts';
import { redactQuery } from '#src/observability/redact.ts';
import type { RequestLogEntry } from '#src/observability/request-log.ts';
import { type Administered, administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createKey } from '#test/factories.ts';
import { pagesOf } from '#test/pages.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let city: string;
test.before(async () => {
  app = await startTestApp({ overrides: { resolve: async () => [{ address: '93.184.216.34', family: 4 }] } });
  city = (await app.addCity()).slug;
});
test.after(() => app.close());

const HOOK = { url: 'https://hooks.example/a', event_types: ['listing.created'] };

/** Returns the actions in the audit log of an organization, oldest first, with their targets. */
const audited = async (org: Administered): Promise<(readonly [string, string | null])[]> =>
  (await org.all('/audit-events')).map(({ action, target_id }) => [action, target_id] as const).toReversed();

/** Creates an admin key of a member with a role. */
async function keyOf(org: Administered, role: Role): Promise<string> {
  const { body } = await org.post('/members', { email: `${role}@example.com`, name: role, role });
  const { rows } = await app.services.pool.query('select id from members where public_id = $1', [body.data.id]);
  return createKey(app.services, org.id, { kind: 'admin', columns: { member_id: rows[0].id } });
}

const keyNumber = async (organizationId: number): Promise<{ id: number; public_id: string }> => {
  const { rows } = await app.services.pool.query<{ id: number; public_id: string }>(
    `select id, public_id from api_keys where organization_id = $1 and kind = 'live' order by id limit 1`,
    [organizationId],
  );
  return rows[0] as { id: number; public_id: string };
};

const DAY = 86_400_000;

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

test('usage counts calls by day, key, endpoint and result over the requested number of UTC days, and totals them by key and project', async (t) => {
  const org = await administered(app, { plan: 'pro', columns: { units_per_minute: 12 } });
  const project = (await org.post('/projects', { name: 'Website' })).body.data;
  const site = (await org.post('/keys', { name: 'Site', project_id: project.id })).body.data;
  const search = `/v1/listings?city=${city}&listing_type=rent&limit=50`;
  for (const [path, key] of [
    [search, site.secret],
    [search, site.secret],
    [search, org.key],
    ['/v1/listings/1', org.key],
    ['/v1/listings?city=nowhere&listing_type=rent', org.key],
  ] as const)
    await app.request(path, { key });
  await app.services.requestLog.flush();
  const own = await keyNumber(org.id);
  const today = new Date().toISOString().slice(0, 10);
  const rows = (await org.all('/usage?days=7')).filter(({ endpoint }) => endpoint.includes('Listing'));
  t.deepEqual(
    rows.map(({ day, key_id, endpoint, result, requests, units }) =>
      [day, key_id, endpoint, result, requests, units].join(' '),
    ),
    [
      `${today} ${own.public_id} getListing 4xx 1 0`,
      `${today} ${own.public_id} searchListings 429 1 0`,
      `${today} ${own.public_id} searchListings 4xx 1 0`,
      `${today} ${site.id} searchListings 2xx 2 10`,
    ],
  );
  const logged = (await org.all('/request-logs?route=searchListings')).map(({ route }) => route);
  t.deepEqual(logged, Array(4).fill('/v1/listings'), 'an endpoint is also named as in usage');

  const byKey = (await org.get('/usage/totals?days=7')).body.data;
  t.like(byKey.groups[0], { id: site.id, name: 'Site', requests: 2, units: 10 });
  t.like(byKey, { days: 7, total: { units: 10 } });
  const byProject = (await org.get('/usage/totals?group_by=project')).body.data;
  t.like(byProject.groups[0], { id: project.id, name: 'Website', requests: 2, units: 10 });
  t.like(byProject.groups[1], { id: null, name: null, units: 0 });
  t.is(byProject.groups.length, 2);

  await app.services.pool.query(
    `insert into usage_days select $1, (now() at time zone 'UTC')::date - n, $2, 'x', '2xx', 1, 1 from generate_series(0, 120) n`,
    [org.id, own.id],
  );
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
  const other = await administered(app);
  t.deepEqual((await other.get(`/request-logs?request_id=${all[2]}`)).body.data, []);
  t.deepEqual((await other.get(`/request-logs?key_id=key_second_${org.id}`)).body.data, []);
});

test('request logs are returned for the retention period, also of invalid text or of months without a partition', async (t) => {
  const org = await administered(app, { columns: { log_retention_days: 7 } });
  const { id } = await keyNumber(org.id);
  const entry: RequestLogEntry = {
    ...{ organizationId: org.id, keyId: id, method: 'GET', route: '/v1/limits', operationId: 'getLimits', status: 418 },
    ...{ at: new Date(), requestId: '', code: null, message: null, param: null, units: 0, query: null },
    ...{ durationMs: 1, ip: null },
  };
  const add = (more: Partial<RequestLogEntry>) => {
    const added = { ...entry, requestId: `req_${randomUUID()}`, ...more };
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
  const { id } = await keyNumber(org.id);
  const addRows = (suffix: string) =>
    app.services.pool.query(
      `insert into usage_days
       select $1, (now() at time zone 'UTC')::date, $2, 'call' || n || $3, '2xx', 1, 1 from generate_series(100, 219) n`,
      [org.id, id, suffix],
    );
  await addRows('');
  const seen: string[] = [];
  for await (const { body } of pagesOf(app, '/v1/organization/usage?days=7', org.admin)) {
    seen.push(...body.data.map(({ endpoint }: { endpoint: string }) => endpoint));
    await addRows(`_${seen.length}`);
  }
  t.true(seen.length > 120, `${seen.length} rows`);
  t.is(new Set(seen).size, seen.length, 'no row is repeated');
  t.is(seen.filter((endpoint) => /^call\d+$/.test(endpoint)).length, 120, 'no row is omitted');
});

test('a rotated key works beside its successor until the grace period ends', async (t) => {
  const org = await administered(app, { plan: 'pro' });
  const project = (await org.post('/projects', { name: 'shop' })).body.data;
  const scopes = ['listings'];
  const settings = { name: 'Website', scopes, project_id: project.id, expires_at: '2036-01-01T00:00:00Z' };
  const { id, secret: old } = (await org.post('/keys', settings)).body.data;
  const rotated = await org.post(`/keys/${id}/rotate`, { grace_seconds: 3_600 });
  t.is(rotated.status, 201);
  const { data } = rotated.body;
  t.like(data, { ...settings, kind: 'live', status: 'active' });
  for (const key of [old, data.secret]) t.is((await app.request('/v1/limits', { key })).status, 200);
  const left = Date.parse((await org.all('/keys')).find((key) => key.id === id).expires_at) - Date.now();
  t.true(left > 3_500_000 && left <= 3_600_000, String(left));
  t.is(verdict(await org.post(`/keys/${id}/rotate`)), '409 conflict');
  await org.post(`/keys/${id}/revoke`);
  const now = await org.post(`/keys/${data.id}/rotate`, { grace_seconds: 0 });
  t.is(verdict(await app.request('/v1/limits', { key: data.secret })), '401 expired_api_key');
  t.is((await app.request('/v1/limits', { key: now.body.data.secret })).status, 200);
  t.deepEqual(await audited(org), [
    ['project.created', project.id],
    ['key.created', id],
    ['key.rotated', id],
    ['key.revoked', id],
    ['key.rotated', data.id],
  ]);
});

test('an admin key can rotate itself, and no other admin key', async (t) => {
  const org = await administered(app);
  const keys = await org.all('/keys');
  const own = keys.find(({ kind }) => kind === 'admin');
  const other = await createKey(app.services, org.id, { kind: 'admin' });
  const refused = await app.request(`/v1/organization/keys/${own.id}/rotate`, { key: other, json: {} });
  t.is(verdict(refused), '403 forbidden_action');
  const rotated = await org.post(`/keys/${own.id}/rotate`, {});
  t.is(rotated.body.data.kind, 'admin');
  t.is((await app.request('/v1/organization', { key: rotated.body.data.secret })).status, 200);
});

test('projects are created up to the limit of the plan, renamed and capped', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const created = await org.post('/projects', { name: ' Website ', monthly_unit_cap: 2 });
  const { id } = created.body.data;
  t.like(created.body.data, { name: 'Website', monthly_unit_cap: 2, units_this_month: 0, active_keys: 0 });
  t.is(verdict(await org.post('/projects', { name: 'Website' })), '409 name_taken');
  const { secret } = (await org.post('/keys', { name: 'k', project_id: id })).body.data;
  const search = () => app.request(`/v1/listings?city=${city}&listing_type=rent&limit=20`, { key: secret });
  t.is((await search()).status, 200);
  t.is(verdict(await search()), '429 project_cap_exceeded');
  const changed = await org.post(`/projects/${id}`, { monthly_unit_cap: null });
  t.like(changed.body.data, { name: 'Website', monthly_unit_cap: null, units_this_month: 2, active_keys: 1 });
  const second = (await org.post('/projects', { name: 'Reports' })).body.data;
  t.is((await org.post(`/projects/${id}`, { name: 'Portal' })).body.data.name, 'Portal');
  t.is(verdict(await org.post(`/projects/${second.id}`, { name: 'Portal' })), '409 name_taken');
  const free = await administered(app, { plan: 'free' });
  t.is((await free.post('/projects', { name: 'one' })).status, 201);
  t.is(verdict(await free.post('/projects', { name: 'two' })), '409 project_limit');
  const actions = (await audited(org)).map(([action]) => action);
  t.deepEqual(actions, ['project.created', 'key.created', 'project.cap_changed', 'project.created', 'project.renamed']);
});

test('members are added and removed with their keys, and an admin cannot make, change or remove an owner', async (t) => {
  const org = await administered(app);
  const added = await org.post('/members', { email: 'Huda@Example.com', name: 'Huda', role: 'owner' });
  t.like(added.body.data, { email: 'huda@example.com', name: 'Huda', role: 'owner' });
  const owner = { email: 'huda@example.com', name: 'Huda', role: 'viewer' };
  t.is(verdict(await org.post('/members', owner)), '409 conflict', 'the last owner');
  for (const email of [
    'nobody',
    'a\u202eb@example.com',
    '<script>@example.com',
    'a\u200b@example.com',
    'a@b.com,c@d.com',
  ])
    t.is(verdict(await org.post('/members', { ...owner, email })), '400 invalid_value', email);
  const admin = await keyOf(org, 'admin');
  const member = (await org.all('/members')).find(({ role }) => role === 'admin');
  t.like((await org.all('/keys'))[0], { kind: 'admin', member_id: member.id });
  for (const [path, json] of [
    ['/members', { email: member.email, name: 'Admin', role: 'owner' }],
    ['/members', owner],
    [`/members/${added.body.data.id}/remove`, {}],
  ] as const)
    t.is(verdict(await app.request(`/v1/organization${path}`, { key: admin, json })), '403 forbidden_action');
  t.is((await org.post(`/members/${member.id}/remove`)).body.data.removed, true);
  t.is(verdict(await app.request('/v1/organization', { key: admin })), '401 revoked_api_key');
  t.is((await org.all('/members')).length, 1);
  t.deepEqual(
    (await audited(org)).map(([action]) => action),
    ['member.added', 'member.added', 'member.removed', 'key.revoked'],
  );
});

test('the spend cap and the settings of the organization are changed, applied and returned with its limits and usage', async (t) => {
  const org = await administered(app, { plan: 'pro', columns: { units_per_month: 1, page_size: 90 } });
  const search = () => app.request(`/v1/listings?city=${city}&listing_type=rent&limit=20`, { key: org.key });
  t.is(verdict(await search()), '429 monthly_quota_exceeded');
  const capped = await org.post('/spend-cap', { spend_cap_sar: 12.345 });
  t.like(capped.body.data.overage, { allowed: true, spend_cap_sar: 12.35 });
  // A process repeats a refusal for a few seconds.
  await eventually(async () => (await search()).status === 200);
  const { limits, usage } = (await org.get('')).body.data;
  t.like(limits, { units_per_month: 1, page_size: 90, active_keys: 25 });
  t.deepEqual(usage, { month: new Date().toISOString().slice(0, 7), units: 2, overage_units: 1 });
  const settings = { ip_allowlist: ['127.0.0.1', '::1', '203.0.113.77/24'], request_logs: { details: false } };
  const { ip_allowlist, request_logs } = (await org.post('', settings)).body.data;
  t.deepEqual(ip_allowlist, ['127.0.0.1/32', '::1/128', '203.0.113.0/24']);
  t.deepEqual(request_logs, { retention_days: 30, details: false });
  const kept = (await org.post('', { request_logs: { retention_days: 90 } })).body.data.request_logs;
  t.deepEqual(kept, { retention_days: 90, details: false });
  const invalid = (await org.post('', { ip_allowlist: ['10.0.0.0/99'] })).body.error;
  t.like(invalid, { code: 'invalid_value', param: 'ip_allowlist' });
  const elsewhere = { ip_allowlist: ['198.51.100.0/24'] };
  const refused = (await org.post('', elsewhere)).body.error;
  t.like(refused, { code: 'conflict', param: 'ip_allowlist' });
  t.regex(refused.message, /127\.0\.0\.1|::1/);
  t.is(verdict(await org.post('', { force: true })), '400 invalid_body', 'no change');
  t.is((await org.post('', { ...elsewhere, force: true })).status, 200);
  t.is(verdict(await search()), '403 ip_not_allowed');
  const { rows } = await app.services.pool.query('select action from audit_events where organization_id = $1', [
    org.id,
  ]);
  t.deepEqual(rows, Array(4).fill({ action: 'organization.settings_changed' }));
});

test('only owners change the IP allowlist, because it can lock them out', async (t) => {
  const org = await administered(app);
  const { id } = (await org.post('/members', { email: 'admin@example.com', name: 'Admin', role: 'admin' })).body.data;
  const member = await app.services.pool.query('select id from members where public_id = $1', [id]);
  const key = await createKey(app.services, org.id, { kind: 'admin', columns: { member_id: member.rows[0].id } });
  const change = (json: object) => app.request('/v1/organization', { key, json });
  t.is(verdict(await change({ ip_allowlist: ['127.0.0.1', '::1'] })), '403 forbidden_action');
  t.is(verdict(await change({ ip_allowlist: [] })), '403 forbidden_action');
  t.is((await change({ request_logs: { retention_days: 90 } })).status, 200);
});

test('a webhook endpoint is changed, paused and resumed, and its secret rotated, unless an operator has disabled it', async (t) => {
  const org = await administered(app);
  const { id } = (await org.post('/webhooks', { ...HOOK, filters: { city } })).body.data;
  const change = (body: object) => org.post(`/webhooks/${id}`, body);
  const url = 'https://hooks.example/b';
  const event_types = ['listing.created', 'listing.delisted'];
  const changed = await change({ url, event_types: event_types.toReversed(), filters: { city, beds: 3 } });
  t.like(changed.body.data, { url, event_types, status: 'enabled' });
  t.deepEqual(changed.body.data.filters, { city: [city], beds: [3] });
  const paused = await change({ status: 'disabled' });
  t.like(paused.body.data, { status: 'disabled', disabled_reason: null, url });
  t.deepEqual((await change({ status: 'disabled' })).body.data, paused.body.data);
  t.is(verdict(await org.post(`/webhooks/${id}/test`, {})), '409 conflict');
  const rotate = (body: object) => org.post(`/webhooks/${id}/rotate-secret`, body);
  t.is((await rotate({ grace_seconds: 600 })).status, 201);
  t.is(verdict(await rotate({})), '409 conflict', 'within the grace period');
  t.is((await rotate({ force: true })).status, 201);
  t.like((await change({ status: 'enabled' })).body.data, { status: 'enabled', disabled_at: null });
  for (const [body, expected] of [
    [{ url: 'http://hooks.example/' }, '400 invalid_value'],
    [{ filters: { beds: 3 } }, '400 invalid_body'],
    [{ filters: { city, days_on_market_min: 3 } }, '400 invalid_value'],
    [{ event_types: [] }, '400 invalid_body'],
  ] as const)
    t.is(verdict(await change(body)), expected, JSON.stringify(body));
  await app.services.pool.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'operator', disabled_at = now() where public_id = $1`,
    [id],
  );
  t.is(verdict(await change({ status: 'enabled' })), '409 conflict');
  t.deepEqual(
    (await audited(org)).map(([action]) => action),
    [
      ...['webhook.created', 'webhook.changed', 'webhook.disabled'],
      ...['webhook.secret_rotated', 'webhook.secret_rotated', 'webhook.enabled'],
    ],
  );
});

test('a queued export is canceled without units', async (t) => {
  const org = await administered(app);
  const json = { dataset: 'registered_rents', format: 'csv' };
  const { id } = (await app.request('/v1/exports', { key: org.key, json })).body.data;
  const canceled = await org.post(`/exports/${id}/cancel`);
  t.like(canceled.body.data, { id, status: 'canceled', units: 0 });
  t.deepEqual((await org.post(`/exports/${id}/cancel`)).body.data, canceled.body.data);
});

test('request logs contain query strings without credentials, if request details are on', async (t) => {
  const org = await administered(app);
  const search = async (query: string) => {
    const { headers } = await app.request(`/v1/listings?city=${city}&${query}`, { key: org.key });
    await app.services.requestLog.flush();
    return (await org.all(`/request-logs?request_id=${headers.get('x-request-id')}`))[0];
  };
  const redacted = 'q=whsec_%5Bredacted%5D&password=%5Bredacted%5D';
  const facts = { method: 'GET', route: '/v1/listings', status: 400, code: 'unknown_parameter', param: 'password' };
  const refused = await search('q=whsec_abcdefgh1234&password=p%26q&listing_type=rent');
  t.like(refused, { ...facts, query: `city=${city}&${redacted}&listing_type=rent`, units: 0, ip: '127.0.0.1' });
  t.regex(refused.message, /`password`/);
  for (const name of ['api_key', 'apikey', 'X-Api-Key', 'key', 'access_token', 'TOKEN', 'secret', 'auth', 'password'])
    t.is(redactQuery(`a=1&${name}=x%20y`), `a=1&${name}=%5Bredacted%5D`);
  for (const sign of ['+', '%2B'])
    t.is(redactQuery(`q=whsec_ab${sign}cd/ef${sign}ghijklmn=&sort=newest`), 'q=whsec_%5Bredacted%5D&sort=newest');
  t.is(redactQuery('q=svc%5Flive_abc&key_id=key_1&sort=newest'), 'q=svc_live_%5Bredacted%5D&key_id=key_1&sort=newest');
  await org.post('', { request_logs: { details: false } });
  t.like(await search('colour=red'), { query: null, message: null, param: null });
});
