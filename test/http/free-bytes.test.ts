import fc from 'fast-check';
import { request } from 'undici';
import { endpoints } from '#endpoints/index.ts';
import { RateLimit } from '#http/limits/rate-limit.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

const PER_MINUTE = 300_000;
/**
 * Size of a response in bytes. The digits are barely compressible, so that the compressed response has almost the same
 * size.
 */
const SIZE = 100_000;
const TEXT = Array.from({ length: SIZE / 10 }, (_, n) => String((n * 7_919) % 9_999_999_967).padStart(10, '0')).join(
  '',
);
const body = { data: { text: TEXT } };

let effects = 0;
let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    env: { FREE_BYTES_PER_MINUTE: String(PER_MINUTE) },
    endpoints: [
      ...endpoints,
      testEndpoint('/v1/free', { price: { units: 0 }, handle: async () => ({ body }) }),
      testEndpoint('/v1/priced', { load: async () => ({ body }) }),
      testEndpoint('/v1/free-action', {
        method: 'POST',
        price: { units: 0 },
        handle: async () => {
          effects++;
          return { body };
        },
      }),
      { ...testEndpoint('/v1/document', { price: { units: 0 } }), audience: 'public', handle: async () => ({ body }) },
    ] as typeof endpoints,
  });
});
test.after(() => app.close());

const get = async (path: string, key?: string) => {
  const found = await request(`${app.url}${path}`, {
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
  });
  return { status: found.statusCode, headers: found.headers, bytes: Buffer.from(await found.body.arrayBuffer()) };
};
type Found = Awaited<ReturnType<typeof get>>;

const served = (all: readonly Found[]): number => all.filter(({ status }) => status === 200).length;

async function exhaust(path: string, key?: string): Promise<Found> {
  for (let n = 0; n < 20; n++) {
    const found = await get(path, key);
    if (found.status === 429) return found;
  }
  throw new Error(`${path} has no limit`);
}

test('response bytes of operations without a price are limited per key, without affecting other calls', async (t) => {
  const { id, key } = await createOrganization(app.services, { plan: 'free' });
  const other = await createOrganization(app.services, { plan: 'free' });
  const begun = performance.now();
  const all = await Promise.all(Array.from({ length: 20 }, () => get('/v1/free', key)));
  // During the calls, the allowance refills and permits more responses. One response may exceed the allowance.
  const refilled = Math.ceil(((performance.now() - begun) * PER_MINUTE) / 60_000 / SIZE);
  t.true(served(all) >= 3 && served(all) <= 4 + refilled, `${served(all)}`);
  const refusals = all.filter(({ status }) => status === 429);
  t.is(served(all) + refusals.length, all.length);
  for (const { headers, bytes } of refusals) {
    t.is(headers['content-type'], 'application/json; charset=utf-8');
    t.is(Number(headers['content-length']), bytes.length);
    t.truthy(headers['x-request-id']);
    t.truthy(headers['access-control-allow-origin']);
    for (const name of ['x-request-units', 'content-encoding', 'ratelimit-limit']) t.is(headers[name], undefined, name);
  }

  const refused = await exhaust('/v1/free', key);
  const { error } = JSON.parse(refused.bytes.toString());
  t.is(error.code, 'rate_limited');
  t.regex(error.message, /bytes from operations that cost no units/);
  t.regex(String(refused.headers['retry-after']), /^[1-9]\d?$/);
  t.is((await get('/v1/priced', key)).status, 200);
  t.is((await get('/v1/free', other.key)).status, 200);
  const { data } = (await app.request('/v1/limits', { key: other.key })).body;
  t.like(data, {
    free_bytes_per_minute: PER_MINUTE,
    free_calls_per_minute: app.services.config.limits.unchargedCalls,
  });
  const adminKey = await createKey(app.services, id, { kind: 'admin' });
  t.is((await get('/v1/organization', adminKey)).status, 200);
});

test('a free POST response is not limited by bytes, because the call has already taken effect', async (t) => {
  const { key } = await createOrganization(app.services);
  await exhaust('/v1/free', key);
  const before = effects;
  for (let n = 0; n < 5; n++) t.is((await app.request('/v1/free-action', { method: 'POST', key })).status, 200);
  t.is(effects, before + 5);
});

test('documents that require no key are limited per address, and health checks are not limited', async (t) => {
  const refused = await exhaust('/v1/document');
  t.regex(String(refused.headers['retry-after']), /^[1-9]\d?$/);
  t.regex(refused.bytes.toString(), /Your address/);
  t.is(refused.headers['cache-control'], 'no-store');
  t.is((await exhaust('/v1/openapi.json')).status, 429, 'all documents count');
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
