import { randomBytes } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { generateKey } from '#accounts/keys.ts';
import { ERROR_CODES, ERRORS, type ErrorCode, errorType } from '#domain/errors.ts';
import { endpoints } from '#endpoints/index.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey, createOrganization, type TestOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';
import { sendRaw } from './raw.ts';

/** An independent copy of the documented table of errors: codes by status and type. */
const TABLE = Object.entries({
  '400 invalid_request': `invalid_value missing_parameter unknown_parameter invalid_body unknown_city
    result_window_exceeded limit_reached invalid_cursor`,
  '401 authentication_error': 'missing_api_key invalid_api_key revoked_api_key expired_api_key api_key_in_query',
  '403 permission_error': `scope_not_in_plan scope_not_in_key admin_key_required admin_key_not_allowed forbidden_action
    cr_outside_allowlist ip_not_allowed client_suspended client_expired`,
  '404 not_found': `not_found city_not_found route_not_found listing_not_found neighborhood_not_found project_not_found
    period_not_found release_not_found export_not_found`,
  '405 method_not_allowed': 'method_not_allowed',
  '409 conflict': 'conflict idempotency_key_reuse key_limit project_limit name_taken export_limit',
  '429 rate_limit_error': 'rate_limited monthly_quota_exceeded spend_cap_reached project_cap_exceeded',
  '500 api_error': 'internal_error',
}).flatMap(([kind, codes]) => codes.split(/\s+/).map((code) => `${kind} ${code}`));

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
  const registry = ERROR_CODES.map((code) => `${ERRORS[code].status} ${errorType(code)} ${code}`);
  t.deepEqual(registry.toSorted(), TABLE.toSorted());
  for (const { en } of Object.values(ERRORS)) t.regex(en.message, /\.$/);
});

test('missing, malformed, mistyped, unknown, revoked and expired keys, and keys in the URL, have different error codes', async (t) => {
  const past = new Date(Date.now() - 60_000);
  const { id, key } = organization;
  const revoked = await createKey(app.services, id, { columns: { revoked_at: past } });
  const expired = await createKey(app.services, id, { columns: { expires_at: past } });
  const mistyped = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  for (const [authorization, code] of [
    ['', 'missing_api_key'],
    ['Bearer', 'missing_api_key'],
    [`Basic ${btoa(`${key}:`)}`, 'missing_api_key'],
    [key, 'missing_api_key'],
    ['Bearer nonsense', 'invalid_api_key'],
    [`Bearer ${key} more`, 'invalid_api_key'],
    [`Bearer ${mistyped}`, 'invalid_api_key'],
    [`Bearer ${generateKey('live', randomBytes)}`, 'invalid_api_key'],
    [`Bearer ${revoked}`, 'revoked_api_key'],
    [`Bearer ${expired}`, 'expired_api_key'],
  ] as const) {
    const headers: Record<string, string> = authorization === '' ? {} : { Authorization: authorization };
    t.is(errorOf(await app.request('/v1/cities', { headers })), code, authorization);
  }
  t.is((await app.request('/v1/cities', { headers: { Authorization: `bearer  ${key} ` } })).status, 200);
  for (const path of ['/v1/cities', '/v1/openapi.json', '/healthz']) {
    const response = await app.request(`${path}?api_key=${key}`, { key });
    t.is(errorOf(response), 'api_key_in_query');
    t.is(response.body.error.param, 'api_key');
    t.false(response.text.includes(key));
  }
  const { headers } = await app.request('/v1/cities', { headers: { Origin: 'https://example.test' } });
  t.true(headers.get('Access-Control-Expose-Headers')?.split(', ').includes('WWW-Authenticate'));
});

test('an admin key is accepted only for administration, and a data key only for other operations', async (t) => {
  const [admin, testKey] = await Promise.all(
    (['admin', 'test'] as const).map((kind) => createKey(app.services, organization.id, { kind })),
  );
  t.is(errorOf(await app.request('/v1/cities', { key: admin })), 'admin_key_not_allowed');
  for (const key of [organization.key, testKey])
    t.is(errorOf(await app.request(ADMIN.path, { key })), 'admin_key_required');
  t.is((await app.request(ADMIN.path, { key: admin })).status, 200);
});

test('the IP allowlist accepts IPv4 and IPv6 addresses and ranges', async (t) => {
  for (const [list, forwarded, expected] of [
    [['127.0.0.1/32'], null, 'ok'],
    [['203.0.113.0/24'], null, 'ip_not_allowed'],
    [['203.0.113.0/24'], '203.0.113.7', 'ok'],
    [['203.0.113.0/24'], '203.0.114.7', 'ip_not_allowed'],
    [['2001:db8::/32'], '2001:db8::1', 'ok'],
    [['2001:db8::/32'], '2001:db9::1', 'ip_not_allowed'],
    [['2001:db8::1/128', '198.51.100.4/32'], '198.51.100.4', 'ok'],
    // An IPv4-mapped IPv6 address equals the IPv4 address. The zone of an IPv6 address is ignored.
    [['203.0.113.7/32'], '::ffff:203.0.113.7', 'ok'],
    [['fe80::/10'], 'fe80::1%eth0', 'ok'],
  ] as const) {
    const { key } = await createOrganization(app.services, { columns: { ip_allowlist: list } });
    t.is(await codeFrom(proxied, key, forwarded), expected, `${list} ${forwarded}`);
  }
});

test('X-Forwarded-For is trusted only for the part that trusted proxies have written', async (t) => {
  const { key } = await createOrganization(app.services, { columns: { ip_allowlist: ['203.0.113.7/32'] } });
  for (const [on, forwarded, expected] of [
    [proxied, '203.0.113.7', 'ok'],
    // Through a second trusted proxy.
    [proxied, '203.0.113.7, 10.1.2.3', 'ok'],
    // Addresses that the client claims.
    [proxied, '1.2.3.4, 203.0.113.7', 'ok'],
    // Claimed by an untrusted caller.
    [proxied, '203.0.113.7, 198.51.100.9', 'ip_not_allowed'],
    [proxied, '203.0.113.7, nonsense', 'ip_not_allowed'],
    [app, '203.0.113.7', 'ip_not_allowed'],
  ] as const)
    t.is(await codeFrom(on, key, forwarded), expected, forwarded);
});

async function codeFrom(on: TestApp, key: string, forwarded: string | null): Promise<string> {
  const headers: Record<string, string> = forwarded === null ? {} : { 'X-Forwarded-For': forwarded };
  const response = await on.request('/v1/cities', { key, headers });
  return response.status === 200 ? 'ok' : errorOf(response);
}

test('if a call has several errors, the first in the order key, account, address, scope, parameters is reported', async (t) => {
  const past = new Date(Date.now() - 1_000);
  const all = { suspended_at: past, term_ends_at: past, ip_allowlist: ['203.0.113.0/24'] };
  const { id, key } = await createOrganization(app.services, { plan: 'free', columns: all });
  await app.services.pool.query(`update api_keys set scopes = '{listings}' where organization_id = $1`, [id]);
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
  t.is(await ask(), 'scope_not_in_key');
  await app.services.pool.query('update api_keys set scopes = null where organization_id = $1', [id]);
  t.is(await ask(), 'unknown_parameter');
});

test('missing resources return the error code for their type', async (t) => {
  const { key } = organization;
  const cases: readonly (readonly [ErrorCode, readonly string[]])[] = [
    [
      'route_not_found',
      [
        ...['/nothing', '/v1', '/v1/', '/v2/cities', '/v1/cities/', '/v1/nothing', '/v1/listings/1/2', '/v1/%ff'],
        ...['/v1/listings/%E0%A4%A', '/v1/%6Cistings/1'],
      ],
    ],
    ['listing_not_found', ['/v1/listings/%31', '/v1/listings/1', '/v1/listings/1/price-history', '/r/1']],
    ['export_not_found', ['/v1/exports/exp%5Fabc']],
    ['city_not_found', ['/v1/cities/atlantis/neighborhoods', '/v1/cities/atlantis/directions']],
  ];
  for (const [code, paths] of cases)
    for (const path of paths) t.is(errorOf(await app.request(path, { key })), code, path);
  // Percent-encoded unreserved characters in path parameters are decoded.
  for (const slug of [city.replaceAll('_', '%5F'), city.replaceAll('t', '%74'), city.replaceAll('_', '%5f')])
    t.is((await app.request(`/v1/cities/${slug}/neighborhoods`, { key })).status, 200, slug);
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

test('every path returns 405 with Allow for another method, and 204 for a preflight with and without a key', async (t) => {
  for (const path of new Set(endpoints.map((endpoint) => endpoint.path))) {
    const url = path.replaceAll(/\{(\w+)\}/g, '1');
    const methods = endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method);
    const allow = [...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'];
    for (const method of ['PUT', 'PATCH', 'DELETE', methods.includes('POST') ? 'PROPFIND' : 'POST']) {
      const response = await app.request(url, { method });
      t.is(errorOf(response), 'method_not_allowed', path);
      t.deepEqual(response.headers.get('Allow')?.split(', '), allow);
    }
    const preflight = { Origin: 'https://example.test', 'Access-Control-Request-Method': methods[0] ?? 'GET' };
    for (const key of [undefined, organization.key]) {
      const { status, text, headers } = await app.request(url, { method: 'OPTIONS', headers: preflight, key });
      t.deepEqual([status, text], [204, '']);
      t.is(headers.get('Access-Control-Allow-Origin'), '*');
      t.deepEqual(headers.get('Access-Control-Allow-Methods')?.split(', '), allow);
      t.regex(headers.get('Access-Control-Allow-Headers') ?? '', /Authorization/);
    }
  }
});

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
