import { randomBytes } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { generateKey } from '#accounts/keys.ts';
import { ERROR_CODES, ERRORS, type ErrorCode, errorType } from '#domain/errors.ts';
import { endpoints } from '#endpoints/index.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey, createOrganization, type TestOrganization } from '#test/factories.ts';
import { sendRaw } from '#test/raw.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** An independent copy of the documented table of errors. */
const TABLE = `
400 invalid_request invalid_value
400 invalid_request missing_parameter
400 invalid_request unknown_parameter
400 invalid_request invalid_body
400 invalid_request unknown_city
400 invalid_request result_window_exceeded
400 invalid_request limit_reached
400 invalid_request invalid_cursor
401 authentication_error missing_api_key
401 authentication_error invalid_api_key
401 authentication_error revoked_api_key
401 authentication_error expired_api_key
401 authentication_error api_key_in_query
403 permission_error scope_not_in_plan
403 permission_error scope_not_in_key
403 permission_error admin_key_required
403 permission_error admin_key_not_allowed
403 permission_error forbidden_action
403 permission_error cr_outside_allowlist
403 permission_error ip_not_allowed
403 permission_error client_suspended
403 permission_error client_expired
404 not_found not_found
404 not_found city_not_found
404 not_found route_not_found
404 not_found listing_not_found
404 not_found neighborhood_not_found
404 not_found project_not_found
404 not_found period_not_found
404 not_found release_not_found
404 not_found export_not_found
405 method_not_allowed method_not_allowed
409 conflict conflict
409 conflict idempotency_key_reuse
409 conflict key_limit
409 conflict project_limit
409 conflict name_taken
409 conflict export_limit
429 rate_limit_error rate_limited
429 rate_limit_error monthly_quota_exceeded
429 rate_limit_error spend_cap_reached
429 rate_limit_error project_cap_exceeded
500 api_error internal_error`
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [string, string, ErrorCode]);

const ADMIN = testEndpoint('/v1/organization/test', { audience: 'admin', scope: null, price: { units: 0 } });
const MARKET = testEndpoint('/v1/test/market', { scope: 'market' });
const PROXIES = '127.0.0.0/8,10.0.0.0/8,::1';

const all = [...endpoints, ADMIN, MARKET];
let app: TestApp;
let proxied: TestApp;
let organization: TestOrganization;
let city: string;
test.before(async () => {
  app = await startTestApp({ endpoints: all });
  proxied = await startTestApp({ endpoints: all, env: { TRUSTED_PROXIES: PROXIES } });
  organization = await createOrganization(app.services, { plan: 'free' });
  city = (await app.addCity()).slug;
});
test.after(() => Promise.all([app.close(), proxied.close()]));

/** Returns the error code in a response. @throws if the body or the request id is not as documented */
function errorOf(response: TestResponse): ErrorCode {
  const { error } = response.body;
  if (response.headers.get('X-Request-Id') !== error.request_id || !/^req_[0-9a-f]+$/.test(error.request_id))
    throw new Error(`request ids: ${response.headers.get('X-Request-Id')} and ${error.request_id}`);
  const fields = Object.keys(error).filter((name) => name !== 'details');
  if (fields.join() !== 'type,code,message,param,request_id,doc_url') throw new Error(`fields: ${fields.join()}`);
  const known = ERRORS[error.code as ErrorCode];
  if (response.status !== known.status || error.type !== errorType(error.code))
    throw new Error(`${response.status} ${error.type}`);
  if (!error.doc_url.endsWith(`/docs/errors#${error.code}`)) throw new Error(error.doc_url);
  if (response.headers.get('Content-Type') !== 'application/json; charset=utf-8') throw new Error('not JSON');
  const challenge = response.headers.get('WWW-Authenticate');
  if (challenge !== (response.status === 401 ? 'Bearer' : null)) throw new Error(`challenge: ${challenge}`);
  return error.code;
}

test('the error registry matches the documented table', (t) => {
  const registry = ERROR_CODES.map((code) => [String(ERRORS[code].status), errorType(code), code]);
  t.deepEqual(registry.toSorted(), TABLE.toSorted());
  for (const { en } of Object.values(ERRORS)) t.regex(en.message, /\.$/);
});

test('the page that doc_url links to explains every error code', async (t) => {
  const page = await app.request('/docs/errors');
  t.is(page.status, 200);
  t.is(page.headers.get('Content-Type'), 'text/html; charset=utf-8');
  for (const [, , code] of TABLE) t.is(page.text.split(`id="${code}"`).length, 2, code);
  const { body } = await app.request('/v1/cities');
  t.is((await app.request(new URL(body.error.doc_url).pathname)).status, 200);
});

test('missing, malformed, mistyped, unknown, revoked and expired keys, and keys in the URL, have different error codes', async (t) => {
  const { services } = app;
  const path = '/v1/cities';
  const past = new Date(Date.now() - 60_000);
  const revoked = await createKey(services, organization.id, { columns: { revoked_at: past } });
  const expired = await createKey(services, organization.id, { columns: { expires_at: past } });
  const mistyped = organization.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const unknown = generateKey('live', randomBytes);
  const answer = async (headers: Record<string, string>) => errorOf(await app.request(path, { headers }));
  t.is(await answer({}), 'missing_api_key');
  t.is(await answer({ Authorization: 'Bearer' }), 'missing_api_key');
  t.is(await answer({ Authorization: `Basic ${btoa(`${organization.key}:`)}` }), 'missing_api_key');
  t.is(await answer({ Authorization: organization.key }), 'missing_api_key');
  t.is(await answer({ Authorization: 'Bearer nonsense' }), 'invalid_api_key');
  t.is(await answer({ Authorization: `Bearer ${organization.key} more` }), 'invalid_api_key');
  t.is(await answer({ Authorization: `Bearer ${mistyped}` }), 'invalid_api_key');
  t.is(await answer({ Authorization: `Bearer ${unknown}` }), 'invalid_api_key');
  t.is(await answer({ Authorization: `Bearer ${revoked}` }), 'revoked_api_key');
  t.is(await answer({ Authorization: `Bearer ${expired}` }), 'expired_api_key');
  t.is((await app.request(path, { headers: { Authorization: `bearer  ${organization.key} ` } })).status, 200);
  for (const inQuery of ['/v1/cities', '/v1/openapi.json', '/healthz']) {
    const response = await app.request(`${inQuery}?api_key=${organization.key}`, { key: organization.key });
    t.is(errorOf(response), 'api_key_in_query');
    t.is(response.body.error.param, 'api_key');
    t.false(response.text.includes(organization.key));
  }
});

test('pages of other origins can read the challenge of a 401 response', async (t) => {
  const response = await app.request('/v1/cities', { headers: { Origin: 'https://example.test' } });
  t.is(errorOf(response), 'missing_api_key');
  t.true(response.headers.get('Access-Control-Expose-Headers')?.split(', ').includes('WWW-Authenticate'));
});

test('a key that will be revoked or will expire works until then', async (t) => {
  const soon = new Date(Date.now() + 3_600_000);
  const columns = { revoked_at: soon, expires_at: soon };
  const key = await createKey(app.services, organization.id, { columns });
  t.is((await app.request('/v1/cities', { key })).status, 200);
});

test('an admin key is accepted only for administration, and a data key only for other operations', async (t) => {
  const admin = await createKey(app.services, organization.id, { kind: 'admin' });
  t.is(errorOf(await app.request('/v1/cities', { key: admin })), 'admin_key_not_allowed');
  t.is(errorOf(await app.request(ADMIN.path, { key: organization.key })), 'admin_key_required');
  const testKey = await createKey(app.services, organization.id, { kind: 'test' });
  t.is(errorOf(await app.request(ADMIN.path, { key: testKey })), 'admin_key_required');
  const response = await app.request(ADMIN.path, { key: admin });
  t.is(response.status, 200);
  t.deepEqual(
    [...response.headers.keys()].filter((name) => /ratelimit|quota|units/.test(name)),
    [],
  );
});

test('suspended organizations and organizations whose term has ended are refused', async (t) => {
  const past = new Date(Date.now() - 1_000);
  const suspended = await createOrganization(app.services, { columns: { suspended_at: past } });
  const ended = await createOrganization(app.services, { columns: { term_ends_at: past } });
  t.is(errorOf(await app.request('/v1/cities', { key: suspended.key })), 'client_suspended');
  t.is(errorOf(await app.request('/v1/cities', { key: ended.key })), 'client_expired');
});

test('operations require a scope that both the plan and the key include, but reference data requires none', async (t) => {
  const { services } = app;
  t.is(errorOf(await app.request(MARKET.path, { key: organization.key })), 'scope_not_in_plan');
  const starter = await createOrganization(services, { plan: 'starter' });
  const limited = await createKey(services, starter.id, { columns: { scopes: ['market'] } });
  t.is((await app.request(MARKET.path, { key: limited })).status, 200);
  t.is(errorOf(await app.request('/v1/listings/1', { key: limited })), 'scope_not_in_key');
  t.is((await app.request('/v1/cities', { key: limited })).status, 200);
  const { body } = await app.request('/v1/limits', { key: limited });
  t.deepEqual(body.data.apis, ['reference', 'market', 'official']);
  // If both the plan and the key lack the scope, the error reports the plan.
  const none = await createKey(services, organization.id, { columns: { scopes: ['listings'] } });
  t.is(errorOf(await app.request(MARKET.path, { key: none })), 'scope_not_in_plan');
});

test('the IP allowlist accepts IPv4 and IPv6 addresses and ranges', async (t) => {
  const from = async (list: string[], forwarded?: string) => {
    const { key } = await createOrganization(app.services, { columns: { ip_allowlist: list } });
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded };
    const response = await proxied.request('/v1/cities', { key, headers });
    return response.status === 200 ? 'ok' : errorOf(response);
  };
  t.is(await from(['127.0.0.1/32']), 'ok');
  t.is(await from(['203.0.113.0/24']), 'ip_not_allowed');
  t.is(await from(['203.0.113.0/24'], '203.0.113.7'), 'ok');
  t.is(await from(['203.0.113.0/24'], '203.0.114.7'), 'ip_not_allowed');
  t.is(await from(['2001:db8::/32'], '2001:db8::1'), 'ok');
  t.is(await from(['2001:db8::/32'], '2001:db9::1'), 'ip_not_allowed');
  t.is(await from(['2001:db8::1/128', '198.51.100.4/32'], '198.51.100.4'), 'ok');
  // An IPv4-mapped IPv6 address equals the IPv4 address. The zone of an IPv6 address is ignored.
  t.is(await from(['203.0.113.7/32'], '::ffff:203.0.113.7'), 'ok');
  t.is(await from(['fe80::/10'], 'fe80::1%eth0'), 'ok');
});

test('X-Forwarded-For is trusted only for the part that trusted proxies have written', async (t) => {
  const { key } = await createOrganization(app.services, { columns: { ip_allowlist: ['203.0.113.7/32'] } });
  const call = async (on: TestApp, forwarded: string) => {
    const response = await on.request('/v1/cities', { key, headers: { 'X-Forwarded-For': forwarded } });
    return response.status === 200 ? 'ok' : errorOf(response);
  };
  t.is(await call(proxied, '203.0.113.7'), 'ok');
  t.is(await call(proxied, '203.0.113.7, 10.1.2.3'), 'ok', 'through a second trusted proxy');
  t.is(await call(proxied, '1.2.3.4, 203.0.113.7'), 'ok', 'addresses that the client claims');
  t.is(await call(proxied, '203.0.113.7, 198.51.100.9'), 'ip_not_allowed', 'claimed by an untrusted caller');
  t.is(await call(proxied, '203.0.113.7, nonsense'), 'ip_not_allowed', 'nothing behind an unreadable hop counts');
  t.is(await call(app, '203.0.113.7'), 'ip_not_allowed', 'without trusted proxies the header counts for nothing');
});

test('if a call has several errors, the first in the order key, account, address, scope, parameters is reported', async (t) => {
  const past = new Date(Date.now() - 1_000);
  const all = { suspended_at: past, term_ends_at: past, ip_allowlist: ['203.0.113.0/24'] };
  const { id, key } = await createOrganization(app.services, { plan: 'free', columns: all });
  const ask = async () => errorOf(await app.request(`${MARKET.path}?wrong=1`, { key }));
  const lift = (column: string, value: unknown) =>
    app.services.pool.query(`update organizations set ${column} = $2 where id = $1`, [id, value]);
  t.is(await ask(), 'client_suspended');
  await lift('suspended_at', null);
  t.is(await ask(), 'client_expired');
  await lift('term_ends_at', null);
  t.is(await ask(), 'ip_not_allowed');
  await lift('ip_allowlist', []);
  t.is(await ask(), 'scope_not_in_plan');
  await lift('plan', 'growth');
  t.is(await ask(), 'unknown_parameter');
});

test('unknown, repeated, missing and invalid parameters return an error that names the first of them', async (t) => {
  const { key } = organization;
  const fault = async (query: string, path = '/v1/listings') => {
    const response = await app.request(`${path}?${query}`, { key });
    return `${errorOf(response)} ${response.body.error.param}`;
  };
  const base = `city=${city}&listing_type=rent`;
  t.is((await app.request(`/v1/listings?${base}`, { key })).status, 200);
  t.is(await fault(`${base}&bed=3`), 'unknown_parameter bed');
  t.is(await fault('q=x', '/v1/cities'), 'unknown_parameter q');
  t.is(await fault(`${base}&beds=2&beds=x`), 'invalid_value beds');
  t.is(await fault(`${base}&price_min=2&price_min=3`), 'invalid_value price_min');
  t.is(await fault('listing_type=rent'), 'missing_parameter city');
  t.is(await fault(`city=${city}`), 'missing_parameter listing_type');
  t.is(await fault('city=atlantis&listing_type=rent'), 'unknown_city city');
  t.is(await fault(`${base}&limit=0`), 'invalid_value limit');
  t.is(await fault(`${base}&limit=26`), 'invalid_value limit');
  t.is(await fault(`${base}&limit=26&cursor=abc`), 'invalid_value limit');
  t.is(await fault(`${base}&cursor=abc`), 'invalid_cursor cursor');
  t.is(await fault(`${base}&cursor=`), 'invalid_cursor cursor');
  t.is(await fault(`${base}&price_min=abc&beds=x&nothing=1`), 'invalid_value price_min');
  t.is(await fault('nothing=1&limit=26'), 'missing_parameter city');
  t.is(await fault(`${base}&nothing=1&limit=26`), 'invalid_value limit');
  t.is(await fault(`${base}&__proto__=1`), 'unknown_parameter __proto__');
  t.is(await fault('', '/v1/listings/abc'), 'invalid_value id');
  t.is(await fault('x=1', '/v1/listings/abc'), 'invalid_value id');
  t.is(await fault('ids=1,x', '/v1/listings/batch'), 'invalid_value ids');
  const { body } = await app.request(`/v1/listings?${base}&bed=3`, { key });
  t.regex(body.error.message, /Did you mean `beds=3`/);
});

test('missing resources return the error code for their type', async (t) => {
  const { key } = organization;
  const code = async (path: string) => errorOf(await app.request(path, { key }));
  for (const path of [
    '/nothing',
    '/v1',
    '/v1/',
    '/v2/cities',
    '/v1/cities/',
    '/v1/nothing',
    '/v1/listings/1/2',
    '/v1/%ff',
  ])
    t.is(await code(path), 'route_not_found', path);
  t.is(await code('/v1/listings/%E0%A4%A'), 'route_not_found');
  t.is(await code('/v1/%6Cistings/1'), 'route_not_found');
  t.is(await code('/v1/listings/%31'), 'listing_not_found');
  t.is(await code('/v1/exports/exp%5Fabc'), 'export_not_found');
  t.is(await code('/v1/listings/1'), 'listing_not_found');
  t.is(await code('/v1/listings/1/price-history'), 'listing_not_found');
  t.is(await code('/v1/cities/atlantis/neighborhoods'), 'city_not_found');
  t.is(await code('/v1/cities/atlantis/directions'), 'city_not_found');
  t.is(await code('/r/1'), 'listing_not_found');
});

test('percent-encoded unreserved characters in path parameters are decoded', async (t) => {
  for (const slug of [city.replaceAll('_', '%5F'), city.replaceAll('t', '%74'), city.replaceAll('_', '%5f')]) {
    const response = await app.request(`/v1/cities/${slug}/neighborhoods`, { key: organization.key });
    t.is(response.status, 200, slug);
  }
});

test('photos are served only from the photo bucket', async (t) => {
  const { s3, config } = app.services;
  await s3.send(new CreateBucketCommand({ Bucket: config.s3.cdnBucket })).catch(() => {});
  t.is(errorOf(await app.request('/cdn/nothing.jpg')), 'not_found');
  for (const path of ['/cdn/../exports/part', '/cdn/a/../../exports/part', '/cdn/./a', '/cdn/a//b', '/cdn/a/']) {
    const answer = await sendRaw(app.url, [`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`]);
    t.is(answer.status, 404, path);
    t.is(answer.body.error.code, 'not_found', path);
  }
});

for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
  const url = path.replaceAll(/\{(\w+)\}/g, '1');
  const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);

  test(`${path} returns 405 with Allow for another method, and 204 for a preflight with and without a key`, async (t) => {
    const allow = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
    for (const method of ['PUT', 'PATCH', 'DELETE', methods.includes('POST') ? 'PROPFIND' : 'POST']) {
      const response = await app.request(url, { method });
      t.is(errorOf(response), 'method_not_allowed');
      t.deepEqual(response.headers.get('Allow')?.split(', '), allow);
    }
    const preflight = { Origin: 'https://example.test', 'Access-Control-Request-Method': methods[0] ?? 'GET' };
    for (const key of [undefined, organization.key]) {
      const options = { method: 'OPTIONS', headers: preflight, ...(key ? { key } : {}) };
      const response = await app.request(url, options);
      t.is(response.status, 204);
      t.is(response.text, '');
      t.is(response.headers.get('Access-Control-Allow-Origin'), '*');
      t.deepEqual(response.headers.get('Access-Control-Allow-Methods')?.split(', '), allow);
      t.regex(response.headers.get('Access-Control-Allow-Headers') ?? '', /Authorization/);
    }
  });
}

test('HEAD returns the headers of GET, without the body', async (t) => {
  const { key } = organization;
  for (const path of ['/v1/cities', '/v1/openapi.json', '/v1/nothing', '/v1/listings/1']) {
    const get = await app.request(path, { key });
    const head = await app.request(path, { key, method: 'HEAD' });
    t.is(head.status, get.status, path);
    t.is(head.text, '');
    t.is(head.headers.get('Content-Type'), get.headers.get('Content-Type'));
  }
});

test('API responses forbid content sniffing and storage in caches', async (t) => {
  for (const [path, status] of [
    ['/v1/limits', 200],
    ['/v1/listings', 400],
    ['/v1/unknown', 404],
  ] as const) {
    const response = await app.request(path, { key: organization.key });
    t.is(response.status, status, path);
    t.is(response.headers.get('cache-control'), 'no-store', path);
    t.is(response.headers.get('x-content-type-options'), 'nosniff', path);
  }
  t.regex((await app.request('/v1/openapi.json')).headers.get('cache-control') ?? '', /^public/);
});

test('a 429 response for the rate limit has a Retry-After of 1 to 60 seconds', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'starter', columns: { units_per_minute: 2 } });
  for (let i = 0; i < 2; i++) t.is((await app.request(MARKET.path, { key })).status, 200);
  const response = await app.request(MARKET.path, { key });
  t.is(errorOf(response), 'rate_limited');
  const wait = Number(response.headers.get('Retry-After'));
  t.true(Number.isInteger(wait) && wait >= 1 && wait <= 60);
});

test('an internal error does not reveal its cause', async (t) => {
  const secret = 'select secret from table';
  const broken = testEndpoint('/v1/test/broken', {
    load: async () => {
      throw new Error(secret);
    },
  });
  const own = await startTestApp({ endpoints: [broken] });
  t.teardown(() => own.close());
  const response = await own.request(broken.path, { key: organization.key });
  t.is(errorOf(response), 'internal_error');
  t.notRegex(response.text, /select|stack|\.ts/);
});
