import { verdict } from '#test/administration.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createKey, createOrganization, makeChargeRequest, type OrganizationOptions } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

const START = Date.parse('2026-06-10T10:20:30Z');
const FREE_OF_CHARGE = testEndpoint('/v1/test/free', { scope: null, price: { units: 0 } });
const TEN = testEndpoint('/v1/test/ten', { price: { units: 10 } });

/** Current time of the service and of its charges in epoch milliseconds. */
let now = START;
let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    endpoints: [FREE_OF_CHARGE, TEN],
    overrides: { clock: { now: () => now, chargeTime: () => new Date(now) } },
  });
});
test.after(() => app?.close());

test('a test key has limits that never exceed those of its organization', async (t) => {
  const limitsOfTest = async (options: OrganizationOptions) => {
    const key = await createKey(app.services, (await createOrganization(app.services, options)).id, { kind: 'test' });
    return app.services.charges.charge(makeChargeRequest(app.services, key), 10_000);
  };
  const wide = { rate_limit: 30, quota_limit: 1_000, page_size: 25, paging_depth: 250 };
  t.like(await limitsOfTest({ plan: 'pro' }), wide);
  t.like(await limitsOfTest({ plan: 'enterprise' }), wide);
  const small = await limitsOfTest({ plan: 'free', columns: { units_per_minute: 20, page_size: 10 } });
  t.like(small, { rate_limit: 20, quota_limit: 250, page_size: 10, paging_depth: 250 });
});

const METERED = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-units'];
const QUOTA = ['x-quota-limit', 'x-quota-remaining', 'x-quota-reset'];
const meteringOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => METERED.includes(name) || QUOTA.includes(name)));

test('a successful metered call has rate limit headers, and quota headers unless the plan is unlimited', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const reset = String((Date.parse('2026-07-01T00:00:00Z') - START) / 1000);
  const first = await app.request(TEN.path, { key });
  t.regex(first.headers.get('X-Request-Id') ?? '', /^req_[0-9a-f]+$/);
  t.deepEqual(meteringOf(first.headers), {
    'ratelimit-limit': '300',
    'ratelimit-remaining': '290',
    'ratelimit-reset': '60',
    'x-request-units': '10',
    'x-quota-limit': '750000',
    'x-quota-remaining': '749990',
    'x-quota-reset': reset,
  });
  const free = await app.request(FREE_OF_CHARGE.path, { key });
  t.like(meteringOf(free.headers), { 'x-request-units': '0', 'x-quota-remaining': '749990' });
  const enterprise = await createOrganization(app.services, { plan: 'enterprise' });
  const own = meteringOf((await app.request(TEN.path, { key: enterprise.key })).headers);
  t.deepEqual(Object.keys(own).sort(), METERED);
  t.like(own, { 'ratelimit-limit': '60000', 'ratelimit-remaining': '59990' });
});

test('a revocation, an expiry, the end of a term and a suspension take effect at the exact millisecond', async (t) => {
  const edge = '2026-06-29T12:00:00Z';
  const { id } = await createOrganization(app.services);
  const ofKey = (column: string) => createKey(app.services, id, { columns: { [column]: edge } });
  const ofOrganization = async (column: string) =>
    (await createOrganization(app.services, { columns: { [column]: edge } })).key;
  const keys = [
    await ofKey('expires_at'),
    await ofKey('revoked_at'),
    await ofOrganization('term_ends_at'),
    await ofOrganization('suspended_at'),
  ];
  const ask = () => Promise.all(keys.map(async (key) => verdict(await app.request(FREE_OF_CHARGE.path, { key }))));
  now = Date.parse(edge) - 1;
  t.deepEqual(await ask(), ['200', '200', '200', '200']);
  now++;
  t.deepEqual(await ask(), [
    '401 expired_api_key',
    '401 revoked_api_key',
    '403 client_expired',
    '403 client_suspended',
  ]);
});
