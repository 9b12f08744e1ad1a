import { CreateBucketCommand } from '@aws-sdk/client-s3';
import { ERRORS, type ErrorCode, errorType } from '#domain/errors.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createOrganization, type TestOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';
import { sendRaw } from './raw.ts';

const MARKET = testEndpoint('/v1/test/market', { scope: 'market' });
const PROXIES = '127.0.0.0/8,10.0.0.0/8,::1';

const all = [...endpoints, MARKET];
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

test('the IP allowlist has addresses and ranges, and X-Forwarded-For is trusted as far as trusted proxies wrote it', async (t) => {
  for (const [on, list, forwarded, expected] of [
    [app, '127.0.0.1/32', null, 'ok'],
    [app, '203.0.113.7/32', '203.0.113.7', 'ip_not_allowed'],
    [proxied, '203.0.113.0/24', '203.0.113.7', 'ok'],
    [proxied, '203.0.113.0/24', '203.0.114.7', 'ip_not_allowed'],
    [proxied, '2001:db8::/32', '2001:db8::1', 'ok'],
    [proxied, '2001:db8::/32', '2001:db9::1', 'ip_not_allowed'],
    // An IPv4-mapped IPv6 address equals the IPv4 address. The zone of an IPv6 address is ignored.
    [proxied, '203.0.113.7/32', '::ffff:203.0.113.7', 'ok'],
    [proxied, 'fe80::/10', 'fe80::1%eth0', 'ok'],
    // Through a second trusted proxy.
    [proxied, '203.0.113.7/32', '203.0.113.7, 10.1.2.3', 'ok'],
    // Addresses that the client claims.
    [proxied, '203.0.113.7/32', '1.2.3.4, 203.0.113.7', 'ok'],
    // Claimed by an untrusted caller.
    [proxied, '203.0.113.7/32', '203.0.113.7, 198.51.100.9', 'ip_not_allowed'],
    [proxied, '203.0.113.7/32', '203.0.113.7, nonsense', 'ip_not_allowed'],
  ] as const) {
    const { key } = await createOrganization(app.services, { columns: { ip_allowlist: [list] } });
    const headers: Record<string, string> = forwarded === null ? {} : { 'X-Forwarded-For': forwarded };
    const response = await on.request('/v1/cities', { key, headers });
    t.is(response.status === 200 ? 'ok' : errorOf(response), expected, `${list} ${forwarded}`);
  }
});

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

test('missing resources return the error code for their type, and escapes in paths are decoded', async (t) => {
  const { key } = organization;
  for (const [path, code] of [
    ['/v1/', 'route_not_found'],
    ['/v1/cities/', 'route_not_found'],
    ['/v1/%ff', 'route_not_found'],
    ['/v1/listings/%E0%A4%A', 'route_not_found'],
    ['/v1/%6Cistings/1', 'route_not_found'],
    ['/v1/listings/%31', 'listing_not_found'],
    ['/r/1', 'listing_not_found'],
    ['/v1/exports/exp%5Fabc', 'export_not_found'],
    ['/v1/cities/atlantis/directions', 'city_not_found'],
  ] as const) {
    const response = await app.request(path, { key });
    t.deepEqual([response.status, errorOf(response)], [404, code], path);
  }
  const escaped = city.replaceAll('_', '%5f').replaceAll('t', '%74');
  t.is((await app.request(`/v1/cities/${escaped}/neighborhoods`, { key })).status, 200);
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
