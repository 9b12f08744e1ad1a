import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { generateKey } from '#accounts/keys.ts';
import { endpoints } from '#endpoints/index.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Limits per minute for calls that cost no units and for calls with unknown keys, low enough for a test to reach. */
const UNCHARGED = 40;
const UNKNOWN = 20;

const PRICED = testEndpoint('/v1/test/priced');

let app: TestApp;
test.beforeEach(async () => {
  app = await startTestApp({
    endpoints: [...endpoints, PRICED],
    env: { UNCHARGED_CALLS_PER_MINUTE: String(UNCHARGED), UNKNOWN_KEYS_PER_MINUTE: String(UNKNOWN) },
  });
});
test.afterEach(() => app?.close());

/** Sends calls sequentially. */
async function call(count: number, path: string, key: string | (() => string)): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  for (let n = 0; n < count; n++) answers.push(await app.request(path, { key: typeof key === 'string' ? key : key() }));
  return answers;
}

const statuses = (answers: readonly TestResponse[]): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = `${status} ${body?.error?.code ?? 'ok'}`;
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
};

async function logRows(organizationId: number): Promise<number> {
  await app.services.requestLog.flush();
  const { rows } = await app.services.pool.query<{ count: number }>(
    'select count(*) from request_logs where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.count ?? -1;
}

test('calls that cost no units, are invalid or are refused are limited per key, and so are their entries in the request log', async (t) => {
  for (const [called, code] of [
    ['/v1/limits', '200 ok'],
    [`${PRICED.path}?x=1`, '400 unknown_parameter'],
  ] as const) {
    const { id, key } = await createOrganization(app.services, { plan: 'free' });
    const answers = await call(UNCHARGED + 30, called, key);
    const found = statuses(answers);
    t.true((found['429 rate_limited'] ?? 0) >= 20, JSON.stringify(found));
    t.is(Object.keys(found).length, 2);
    t.true((found[code] ?? 0) >= UNCHARGED, JSON.stringify(found));
    const refused = answers.find(({ status }) => status === 429);
    t.regex(refused?.headers.get('Retry-After') ?? '', /^[1-9]\d?$/);
    t.regex(refused?.body.error.message, /cost no units/);
    t.true((await logRows(id)) <= UNCHARGED + 10);
    t.is((await app.request(PRICED.path, { key })).status, 200, 'what costs units is held to units alone');
  }
  const { id, key } = await createOrganization(app.services, { plan: 'free', columns: { units_per_minute: 5 } });
  t.is(statuses(await call(UNCHARGED + 60, PRICED.path, key))['200 ok'], 5);
  t.true((await logRows(id)) <= UNCHARGED + 20);
  await app.services.pool.query('update organizations set units_per_minute = 1000000 where id = $1', [id]);
  const wait = Number((await app.request(PRICED.path, { key })).headers.get('Retry-After') ?? 0);
  t.true(wait <= 5, `the limit ends ${wait} s after the last refusal`);
});

test('calls with unknown keys are limited per address, without affecting known keys', async (t) => {
  const { key } = await createOrganization(app.services);
  t.is((await app.request(PRICED.path, { key })).status, 200);
  const invented = () => generateKey('live', randomBytes);
  const found = statuses(await call(UNKNOWN + 30, PRICED.path, invented));
  t.true((found['401 invalid_api_key'] ?? 0) >= UNKNOWN, JSON.stringify(found));
  t.true((found['429 rate_limited'] ?? 0) >= 20, JSON.stringify(found));
  t.is((await app.request(PRICED.path, { key })).status, 200);
  // Repeated, because the allowance may be refilled before the next call.
  let refused = await app.request(PRICED.path, { key: invented() });
  for (let attempt = 0; attempt < UNKNOWN && refused.status === 401; attempt++)
    refused = await app.request(PRICED.path, { key: invented() });
  t.is(refused.status, 429);
  t.true(Number(refused.headers.get('Retry-After')) >= 1);
});

/**
 * Sends a POST request with an incomplete body. @returns the status, or null if there is none within `limitMs`, because
 * the service waits for the rest of the body or the machine is busy
 */
async function withholdBody(path: string, key: string, limitMs: number): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Content-Length': 100_000 };
  const sent = httpRequest(new URL(path, app.url), { method: 'POST', headers });
  const timer = setTimeout(() => resolve(null), limitMs);
  sent.on('response', ({ statusCode = 0 }) => resolve(statusCode)).on('error', reject);
  sent.write('{');
  return promise.finally(() => {
    clearTimeout(timer);
    sent.off('error', reject).on('error', () => {});
    sent.destroy();
  });
}

test('a client over its limits is refused before its body is read', async (t) => {
  const { id, key } = await createOrganization(app.services);
  const adminKey = await createKey(app.services, id, { kind: 'admin' });
  const invented = () => generateKey('live', randomBytes);
  t.is((await app.request(PRICED.path, { key })).status, 200);
  for (const [free, withBody, bearer] of [
    [PRICED.path, '/v1/organization/keys', invented],
    ['/v1/organization', '/v1/organization/keys', () => adminKey],
    [PRICED.path, '/mcp', invented],
    ['/v1/limits', '/mcp', () => key],
  ] as const) {
    let status: number | null = null;
    // Repeated, because the allowance may be refilled before the next call.
    for (let limitMs = 1_000; limitMs < 60_000 && status === null; limitMs *= 2) {
      while ((await app.request(free, { key: bearer() })).status !== 429);
      status = await withholdBody(withBody, bearer(), limitMs);
    }
    t.is(status, 429, `${withBody} ${bearer === invented ? 'an invented key' : 'a known one'}`);
  }
  t.is((await app.request(PRICED.path, { key })).status, 200);
});

test('MCP messages that cannot be parsed count toward the limit of the key', async (t) => {
  const { key } = await createOrganization(app.services);
  const post = async (bearer: string): Promise<string> => {
    const headers = { 'Content-Type': 'application/json' };
    const { status, body } = await app.request('/mcp', { method: 'POST', key: bearer, headers, body: '{' });
    return `${status} ${body.error.code}`;
  };
  t.is(await post(generateKey('live', randomBytes)), '401 invalid_api_key');
  // The calls are sent concurrently, because the allowance refills over time. All calls in the first batch may be
  // accepted before the first of them is counted.
  const batch = () => Promise.all(Array.from({ length: UNCHARGED + 30 }, () => post(key)));
  const codes = [...(await batch()), ...(await batch())];
  t.deepEqual([...new Set(codes)].sort(), ['400 invalid_body', '429 rate_limited']);
});
