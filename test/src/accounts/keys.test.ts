import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { KEYS_PER_HOUR } from '#src/accounts/key-store.ts';
import { generateKey, isWellFormedKey } from '#src/accounts/keys.ts';
import { administered, verdict } from '#test/administration.ts';
import { sharedApp, startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createProject } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const limits = async (key: string) => verdict(await app.request('/v1/limits', { key }));

test('the secret of a key is returned only on creation, and the key works until it is revoked', async (t) => {
  const org = await administered(app, { plan: 'growth' });
  const made = await org.post('/keys', { name: '  backend ', scopes: ['listings', 'market'] });
  t.is(made.status, 201);
  const { secret, ...key } = made.body.data;
  t.true(isWellFormedKey(secret) && secret.startsWith('svc_live_'));
  t.like(key, { name: 'backend', kind: 'live', status: 'active', must_rotate: false, revoked_at: null });
  t.is(key.last_four, secret.slice(-4));

  t.is(await limits(secret), '200');
  t.is(verdict(await app.request('/v1/listings/1', { key: secret })), '404 listing_not_found');
  const { body } = await app.request('/v1/limits', { key: secret });
  t.deepEqual(body.data.apis, ['reference', 'listings', 'market', 'official']);

  const listed = await org.all('/keys');
  t.is(listed[0].id, key.id);
  t.false(JSON.stringify(listed).includes(secret));

  const revoked = await org.post(`/keys/${key.id}/revoke`);
  t.is(revoked.body.data.status, 'revoked');
  t.is(await limits(secret), '401 revoked_api_key');
  const again = await org.post(`/keys/${key.id}/revoke`);
  t.is(again.body.data.revoked_at, revoked.body.data.revoked_at);

  const events = await org.all('/audit-events');
  t.deepEqual(
    events.map(({ action, target_id }) => [action, target_id]),
    [
      ['key.revoked', key.id],
      ['key.created', key.id],
    ],
  );
  t.is(events[0].request_id, revoked.headers.get('X-Request-Id'));
  t.is(events[0].actor.type, 'key');
  t.deepEqual(events[1].details, { kind: 'live', name: 'backend', scopes: ['listings', 'market'], project_id: null });
});

test('invalid requests for keys return an error code and the name of the parameter', async (t) => {
  const org = await administered(app, { plan: 'starter' });
  const other = await administered(app);
  const theirs = await createProject(app.services, other.id);
  const attempt = async (body: unknown) => {
    const response = await org.post('/keys', body);
    return `${verdict(response)} ${response.body.error?.param ?? ''}`.trim();
  };
  t.is(await attempt({ name: 'a', kind: 'admin' }), '403 forbidden_action kind');
  t.is(await attempt({ name: 'a', scopes: ['analytics'] }), '403 scope_not_in_plan scopes');
  t.is(await attempt({ name: 'a', project_id: theirs.publicId }), '404 not_found project_id');
  t.is(await attempt({ name: 'a', expires_at: '2020-01-01T00:00:00Z' }), '400 invalid_value expires_at');
  t.is(await attempt({ name: 'a\0b' }), '400 invalid_body');
  t.is(await attempt({ name: 'a\ud800' }), '400 invalid_body');
  t.is(await attempt({ name: `my ${org.key}` }), '400 invalid_body');
  t.is(await attempt({ name: 'a' }), '201');
  t.is(await attempt({ name: 'a' }), '409 name_taken name');
  t.is((await org.all('/keys')).length, 3);
  t.is(verdict(await org.post('/keys/key_none/revoke')), '404 not_found');
  t.is(verdict(await org.post('/keys/%00/revoke')), '400 invalid_value');
  for (const name of ['request_id', 'key_id', 'route'])
    t.is(verdict(await org.get(`/request-logs?${name}=a%00b`)), '400 invalid_value', name);
});

test('an organization can have as many active keys as its plan allows, plus three test keys', async (t) => {
  const org = await administered(app, { plan: 'free' });
  // The organization's initial key and the admin key count toward the limit of five.
  const made = [];
  for (let i = 0; i < 3; i++) made.push((await org.post('/keys', { name: `k${i}` })).body.data.id);
  const full = await org.post('/keys', { name: 'k3' });
  t.is(verdict(full), '409 key_limit');
  t.deepEqual(full.body.error.details, { limit: 5 });
  for (let i = 0; i < 3; i++) t.is((await org.post('/keys', { name: `t${i}`, kind: 'test' })).status, 201);
  t.is(verdict(await org.post('/keys', { name: 't3', kind: 'test' })), '409 key_limit');
  await org.post(`/keys/${made[0]}/revoke`);
  t.is((await org.post('/keys', { name: 'k0' })).status, 201, 'revoking a key releases its slot and its name');
  await app.services.pool.query('update organizations set active_keys = 6 where id = $1', [org.id]);
  t.is((await org.post('/keys', { name: 'k4' })).status, 201, 'the limit applies per organization');
  t.is(verdict(await org.post('/keys', { name: 'k5' })), '409 key_limit');
  await app.services.pool.query(`update api_keys set expires_at = now() where organization_id = $1 and name = 'k4'`, [
    org.id,
  ]);
  t.is((await org.post('/keys', { name: 'k5' })).status, 201, 'an expired key is not active');
});

test('concurrent requests can neither create more keys than allowed nor two keys with the same name', async (t) => {
  const org = await administered(app, { plan: 'free' });
  const names = ['a', 'a', 'b', 'b', 'c', 'd', 'e', 'f'];
  const verdicts = await Promise.all(names.map(async (name) => verdict(await org.post('/keys', { name }))));
  t.is(verdicts.filter((each) => each === '201').length, 3, verdicts.join());
  t.true(
    verdicts.every((each) => ['201', '409 key_limit', '409 name_taken'].includes(each)),
    verdicts.join(),
  );
});

test('key creations are limited per hour, for owners last, and Retry-After is the time until the next one is allowed', async (t) => {
  const org = await administered(app, { columns: { active_keys: 1_000 } });
  // Two keys exist. The keys created here are backdated at intervals of ten seconds.
  const create = async (from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i++) {
      const created_at = new Date(Date.now() - 1_000_000 - i * 10_000);
      await createKey(app.services, org.id, { columns: { created_at } });
    }
  };
  await create(0, KEYS_PER_HOUR.developer - 3);
  const { id } = (await org.post('/members', { email: 'd@example.com', name: 'D', role: 'developer' })).body.data;
  const member = await app.services.pool.query('select id from members where public_id = $1', [id]);
  const key = await createKey(app.services, org.id, { kind: 'admin', columns: { member_id: member.rows[0].id } });
  const ofDeveloper = await app.request('/v1/organization/keys', { key, json: { name: 'too soon' } });
  t.is(verdict(ofDeveloper), '429 rate_limited');
  await create(KEYS_PER_HOUR.developer - 3, KEYS_PER_HOUR.owner - 3);
  const refused = await org.post('/keys', { name: 'too soon' });
  t.is(verdict(refused), '429 rate_limited');
  // Another key can be created when the 50th newest key is an hour old. Three keys are newer than the backdated ones.
  const wait = Number(refused.headers.get('Retry-After'));
  const expected = 3_600 - 1_000 - (KEYS_PER_HOUR.owner - 4) * 10;
  t.true(Math.abs(wait - expected) <= 30, `${wait}, expected ${expected}`);
  await app.services.pool.query(
    `update api_keys set created_at = created_at - interval '1 hour' where organization_id = $1`,
    [org.id],
  );
  t.is((await org.post('/keys', { name: 'in time' })).status, 201);
});

test('the grace period of a rotated key ends with its own expiry', async (t) => {
  const org = await administered(app);
  const expires_at = new Date(Date.now() + 600_000).toISOString().replace(/\.\d+/, '');
  const { id } = (await org.post('/keys', { name: 'brief', expires_at })).body.data;
  await org.post(`/keys/${id}/rotate`, { grace_seconds: 3_600 });
  t.is((await org.all('/keys')).find((key) => key.id === id).expires_at, expires_at);
});

test('a key that replaces one that still works cannot be rotated, so that rotations add no keys', async (t) => {
  const org = await administered(app);
  const first = (await org.post('/keys', { name: 'chain' })).body.data;
  const second = (await org.post(`/keys/${first.id}/rotate`, { grace_seconds: 3_600 })).body.data;
  const refused = await org.post(`/keys/${second.id}/rotate`, { grace_seconds: 0 });
  t.is(verdict(refused), '409 conflict');
  t.true(refused.body.error.message.includes(first.id));
  await org.post(`/keys/${first.id}/revoke`);
  t.is((await org.post(`/keys/${second.id}/rotate`, { grace_seconds: 0 })).status, 201);
});

test('a key that rotates itself works for a minute longer, so that it can repeat the call', async (t) => {
  const org = await administered(app);
  const own = (await org.all('/keys')).find(({ kind }) => kind === 'admin');
  const refused = await org.post(`/keys/${own.id}/rotate`, { grace_seconds: 0 });
  t.is(verdict(refused), '400 invalid_value');
  t.is(refused.body.error.param, 'grace_seconds');
  t.is((await org.post(`/keys/${own.id}/rotate`, { grace_seconds: 60 })).status, 201);
});

test('a revoked key is rejected on the next call by every node', async (t) => {
  const org = await administered(app);
  const { id, secret } = (await org.post('/keys', { name: 'short' })).body.data;
  const second = await startTestApp();
  t.is((await second.request('/v1/limits', { key: secret })).status, 200);
  await org.post(`/keys/${id}/revoke`);
  t.is(verdict(await second.request('/v1/limits', { key: secret })), '401 revoked_api_key');
  await second.close();
});

test('a key anywhere in a URL, or with other text in its header, is refused, flagged for rotation, audited once and not repeated', async (t) => {
  const org = await administered(app);
  const escaped = (key: string) => key.replaceAll('_', '%5f').replace('svc', '%73vc');
  // An invented key must not hide a real key that follows.
  const invented = generateKey('live', randomBytes);
  const places: [path: (key: string) => string, headers?: (key: string) => string[]][] = [
    [(key) => `/v1/listings/1?api_key=nonsense&api_key=${key}`],
    [(key) => `/v1/openapi.json?api_key=${key}`],
    [(key) => `/v1/listings?q=my+key+${key}+here`],
    [(key) => `/v1/cities?x${escaped(key)}`],
    [(key) => `/v1/listings/${key}`],
    [(key) => `/r/${key}`],
    [(key) => `/v1/${invented}/${key}`],
    [(key) => `/v1/cities?token=${invented},${key}`],
    [(key) => `/v1/${invented}?b=${key}`],
    [(key) => `/v1/%zz/%e0%/${escaped(key)}`],
    [() => '/v1/cities', (key) => [`Bearer ${key}${key}`]],
    [() => '/v1/cities', (key) => [`Bearer ${key}, Bearer ${key}`]],
    [() => '/v1/cities', (key) => [`Bearer ${invented} ${key}`]],
    [() => '/v1/cities', (key) => [`Bearer ${invented}`, `Bearer ${key}`]],
  ];
  const exposed: string[] = [];
  for (const [path, headers] of places) {
    const key = await createKey(app.services, org.id);
    exposed.push(key.slice(-4));
    for (let times = 0; times < 2; times++) {
      const sent = httpRequest(new URL(path(key), app.url));
      if (headers) sent.setHeader('Authorization', headers(key));
      sent.end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      t.is(response.statusCode, 401, path(key));
      const body = await text(response);
      t.true(body.includes(headers ? 'invalid_api_key' : 'api_key_in_query'), body);
      t.false(body.includes(key.slice(9, 30)), body);
    }
    t.is(await limits(key), '200', 'the key works until it is rotated');
  }
  t.is(verdict(await app.request('/v1/limits?api_key=', { key: org.key })), '401 api_key_in_query');
  t.is((await app.request(`/v1/cities?token=${invented}`, { method: 'OPTIONS' })).status, 204);
  const marked = (await org.all('/keys')).filter(({ must_rotate }) => must_rotate);
  t.deepEqual(marked.map(({ last_four }) => last_four).sort(), exposed.sort());
  const events = await org.all('/audit-events');
  t.deepEqual(events.map(({ target_id }) => target_id).sort(), marked.map(({ id }) => id).sort());
  for (const { action, actor } of events) t.deepEqual([action, actor], ['key.exposed', { type: 'system', id: null }]);
});
