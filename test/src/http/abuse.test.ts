import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { generateKey } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { RateLimit } from '#src/metering/rate-limit.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Limits per minute for calls that cost no units and for calls with unknown keys, low enough for a test to reach. */
const UNCHARGED = 40;
const UNKNOWN = 20;

const PRICED = testEndpoint('/v1/test/priced');
const large = async () => ({ body: { data: { text: 'x'.repeat(100_000) } } });
const FREE = { price: { units: 0 }, handle: large };

let app: TestApp;
test.beforeEach(async () => {
  app = await startTestApp({
    endpoints: [
      ...endpoints,
      PRICED,
      testEndpoint('/v1/free', FREE),
      testEndpoint('/v1/free-action', { ...FREE, method: 'POST' }),
    ],
    env: {
      UNCHARGED_CALLS_PER_MINUTE: String(UNCHARGED),
      UNKNOWN_KEYS_PER_MINUTE: String(UNKNOWN),
      FREE_BYTES_PER_MINUTE: '300000',
    },
  });
});
test.afterEach(() => app?.close());

/** Sends calls sequentially. */
async function call(count: number, path: string, key: () => string): Promise<TestResponse[]> {
  const unparsable = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' };
  const answers: TestResponse[] = [];
  for (let n = 0; n < count; n++)
    answers.push(await app.request(path, { key: key(), ...(path === '/mcp' && unparsable) }));
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
    ['/mcp', '400 invalid_body'],
  ] as const) {
    const { id, key } = await createOrganization(app.services, { plan: 'free' });
    const answers = await call(UNCHARGED + 30, called, () => key);
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
  t.is(statuses(await call(UNCHARGED + 60, PRICED.path, () => key))['200 ok'], 5);
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

async function get(path: string, key = '') {
  const headers = { 'Accept-Encoding': 'identity', ...(key && { Authorization: `Bearer ${key}` }) };
  const response = await fetch(new URL(path, app.url), { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function exhaust(path: string, key?: string) {
  for (let n = 0; n < 20; n++) {
    const found = await get(path, key);
    if (found.status === 429) return found;
  }
  throw new Error(`${path} has no limit`);
}

test('response bytes of operations without a price are limited per key, without affecting other calls', async (t) => {
  const { id, key } = await createOrganization(app.services, { plan: 'free' });
  const other = await createOrganization(app.services, { plan: 'free' });
  const { headers, text } = await exhaust('/v1/free', key);
  t.regex(text, /"rate_limited".+bytes from operations that cost no units/);
  t.regex(headers.get('Retry-After') ?? '', /^[1-9]\d?$/);
  t.is((await get(PRICED.path, key)).status, 200);
  t.is((await get('/v1/free', other.key)).status, 200);
  const adminKey = await createKey(app.services, id, { kind: 'admin' });
  t.is((await get('/v1/organization', adminKey)).status, 200);
});

test('a free POST response is not limited by bytes, because the call has already taken effect', async (t) => {
  const { key } = await createOrganization(app.services);
  await exhaust('/v1/free', key);
  const { status, body } = await app.request('/v1/free-action', { method: 'POST', key });
  t.deepEqual([status, body.data.text.length], [200, 100_000]);
});

test('documents that require no key are limited per address, and health checks are not limited', async (t) => {
  const { headers, text } = await exhaust('/v1/openapi.json');
  t.regex(headers.get('Retry-After') ?? '', /^[1-9]\d?$/);
  t.regex(text, /Your address/);
  for (let n = 0; n < 50; n++) t.is((await get('/healthz')).status, 200);
  const { key } = await createOrganization(app.services);
  t.is((await get('/v1/limits', key)).status, 200);
});

test('calls receive one minute’s allowance, refills and one response, also after a pause', (t) => {
  const perMinute = 1_000;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.oneof(fc.nat(30_000), fc.constantFrom(0, 180_000)), fc.integer({ min: 1, max: 900 })), {
        maxLength: 100,
        size: 'max',
      }),
      (calls) => {
        const limit = new RateLimit(perMinute);
        let now = 0;
        const taken: { at: number; size: number }[] = [];
        const since = (from: number): number =>
          taken.reduce((sum, { at, size: one }) => sum + (at >= from ? one : 0), 0);
        for (const [pause, size] of calls) {
          now += pause;
          const wait = limit.wait('key', now);
          if (wait > 0) {
            const patient = limit.wait('key', now + wait * 1_000);
            t.is(patient, 0, 'Retry-After is long enough');
            now += wait * 1_000;
            continue;
          }
          limit.take('key', size, now);
          taken.push({ at: now, size });
          t.true(since(0) <= perMinute + (now * perMinute) / 60_000 + 900);
          t.true(since(now - 60_000) <= 2 * perMinute + 900);
        }
      },
    ),
  );
});
