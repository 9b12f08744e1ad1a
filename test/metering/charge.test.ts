import type { Admitted, ChargeRequest, Refused } from '#metering/charge.ts';
import { startTestApp } from '#test/app.ts';
import {
  createKey,
  createOrganization,
  createProject,
  makeChargeRequest,
  type OrganizationOptions,
} from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

const MINUTE = 60_000;
/** An arbitrary time, at which most tests begin. */
const START = Date.parse('2026-06-10T10:20:30Z');

const FREE_OF_CHARGE = testEndpoint('/v1/test/free', { scope: null, price: { units: 0 } });
const TEN = testEndpoint('/v1/test/ten', { price: { units: 10 } });
/** The app under test. Its clock is fixed at `START`, including for the charges of HTTP requests. */
let app: Awaited<ReturnType<typeof startTestApp>>;
test.before(async () => {
  app = await startTestApp({
    endpoints: [FREE_OF_CHARGE, TEN],
    overrides: { clock: { now: () => START, chargeTime: () => new Date(START) } },
  });
});
test.after(() => app?.close());

type Ask = Partial<Omit<ChargeRequest, 'now'>> & { at?: number };

/** Returns a function that charges calls with a key. */
function caller(key: string): (ask?: Ask) => Promise<Admitted | Refused> {
  return ({ at = START, ...ask } = {}) =>
    app.services.charges.charge(
      makeChargeRequest(app.services, key, { scope: 'listings', ...ask, now: new Date(at) }),
      10_000,
    );
}

async function organization(options: OrganizationOptions = {}) {
  const made = await createOrganization(app.services, options);
  return { ...made, ask: caller(made.key) };
}

const project = async (organizationId: number, cap: number | null) =>
  (await createProject(app.services, organizationId, cap)).id;

/** Returns the units recorded for a counter. */
async function counted(subject: 'organization' | 'key', id: number, month = 202606): Promise<number> {
  const { rows } = await app.services.pool.query<{ units: number }>(
    'select units from unit_counters where subject = $1 and subject_id = $2 and month = $3',
    [subject, id, month],
  );
  return rows[0]?.units ?? 0;
}

test('quota months are calendar months in UTC', async (t) => {
  const { ask, id } = await organization({ columns: { units_per_month: 10 } });
  const at = (text: string) => Date.parse(text);
  t.like(await ask({ units: 10, at: at('2026-06-30T23:59:59.500Z') }), {
    month: 202606,
    quota_remaining: 0,
    quota_reset: 1,
  });
  t.like(await ask({ at: at('2026-06-30T23:59:59.999Z') }), { outcome: 'monthly_quota_exceeded', retry_after: 1 });
  t.like(await ask({ at: at('2026-07-01T00:00:00Z') }), {
    outcome: null,
    month: 202607,
    quota_remaining: 9,
    quota_reset: 31 * 86_400,
  });
  t.like(await ask({ at: at('2026-07-01T02:59:59+03:00') }), { outcome: 'monthly_quota_exceeded', month: 202606 });
  t.like(await ask({ at: at('2026-12-31T23:59:59Z') }), { month: 202612, quota_reset: 1 });
  t.like(await ask({ at: at('2027-01-01T00:00:00Z') }), {
    month: 202701,
    quota_remaining: 9,
    quota_reset: 31 * 86_400,
  });
  t.like(await ask({ at: at('2028-02-01T00:00:00Z') }), { month: 202802, quota_reset: 29 * 86_400 });
  t.is(await counted('organization', id, 202606), 10);
  t.is(await counted('organization', id, 202701), 1);
});

test('test keys have separate counters and limits that never exceed those of the organization', async (t) => {
  const { ask, id } = await organization({ plan: 'pro', columns: { spend_cap_sar: 100 } });
  const { rows } = await app.services.pool.query<{ id: number }>(
    `update api_keys set kind = 'test' where organization_id = $1 returning id`,
    [id],
  );
  const keyId = rows[0]?.id ?? 0;
  const wide = { rate_limit: 30, quota_limit: 1_000, page_size: 25, paging_depth: 250 };
  t.like(await ask({ units: 30 }), { outcome: null, kind: 'test', ...wide, rate_remaining: 0, quota_remaining: 970 });
  t.is((await ask()).outcome, 'rate_limited');
  for (let i = 1; i < 33; i++) t.is((await ask({ units: 30, at: START + i * MINUTE })).outcome, null);
  t.is((await ask({ units: 30, at: START + 40 * MINUTE })).outcome, 'monthly_quota_exceeded');
  t.like(await ask({ units: 10, at: START + 40 * MINUTE }), { outcome: null, quota_remaining: 0 });
  t.is(await counted('key', keyId), 1_000);
  t.is(await counted('organization', id), 0);
  t.is((await ask({ limit: 26 })).outcome, 'page_size_exceeded');
  t.is((await ask({ offset: 250, at: START + 50 * MINUTE })).outcome, 'result_window_exceeded');

  const small = await createOrganization(app.services, {
    plan: 'free',
    columns: { units_per_minute: 20, page_size: 10 },
  });
  const testKey = caller(await createKey(app.services, small.id, { kind: 'test' }));
  t.like(await testKey(), { rate_limit: 20, quota_limit: 250, page_size: 10, paging_depth: 250 });
  const unlimited = await createOrganization(app.services, { plan: 'enterprise' });
  t.like(await caller(await createKey(app.services, unlimited.id, { kind: 'test' }))(), wide);
});

test('page size and paging depth follow the plan unless the organization has a different setting', async (t) => {
  const { ask } = await organization({ plan: 'growth' });
  t.is((await ask({ limit: 100 })).outcome, null);
  t.is((await ask({ limit: 101 })).outcome, 'page_size_exceeded');
  t.is((await ask({ offset: 4_999 })).outcome, null);
  t.is((await ask({ offset: 5_000 })).outcome, 'result_window_exceeded');
  const own = await organization({ columns: { page_size: 7, paging_depth: 70 } });
  t.like(await own.ask({ limit: 7, offset: 69 }), { outcome: null, page_size: 7, paging_depth: 70 });
  t.is((await own.ask({ limit: 8 })).outcome, 'page_size_exceeded');
});

const METERED = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-units'];
const QUOTA = ['x-quota-limit', 'x-quota-remaining', 'x-quota-reset'];
const meteringOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => METERED.includes(name) || QUOTA.includes(name)));

test('a successful metered call has quota and rate limit headers', async (t) => {
  const { key } = await organization({ plan: 'pro' });
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
});

test('an unlimited plan has no quota headers', async (t) => {
  const { key } = await organization({ columns: { units_per_minute: 500 } });
  const { headers } = await app.request(TEN.path, { key });
  t.deepEqual(Object.keys(meteringOf(headers)).sort(), METERED);
  const enterprise = await organization({ plan: 'enterprise' });
  const own = meteringOf((await app.request(TEN.path, { key: enterprise.key })).headers);
  t.deepEqual(Object.keys(own).sort(), METERED);
  t.like(own, { 'ratelimit-limit': '60000', 'ratelimit-remaining': '59990' });
});

test('a HEAD request is free', async (t) => {
  const { key } = await organization({ plan: 'pro', columns: { units_per_minute: 10 } });
  for (let calls = 0; calls < 3; calls++) {
    const { status, headers } = await app.request(TEN.path, { key, method: 'HEAD' });
    t.is(status, 200);
    t.like(meteringOf(headers), { 'x-request-units': '0', 'ratelimit-remaining': '10', 'x-quota-remaining': '750000' });
  }
});

test('an error has no metering headers', async (t) => {
  const { key } = await organization({ plan: 'pro' });
  const { status, headers } = await app.request(`${TEN.path}?x=1`, { key });
  t.is(status, 400);
  t.deepEqual(meteringOf(headers), {});
});

test('every 429 has Retry-After in whole seconds', async (t) => {
  const month = String((Date.parse('2026-07-01T00:00:00Z') - START) / 1000);
  const cases: [string, OrganizationOptions, string][] = [
    ['rate_limited', { plan: 'pro', columns: { units_per_minute: 15 } }, '60'],
    ['monthly_quota_exceeded', { plan: 'free', columns: { units_per_month: 15 } }, month],
    ['spend_cap_reached', { plan: 'pro', columns: { units_per_month: 10, spend_cap_sar: 0.01 } }, month],
  ];
  for (const [code, options, wait] of cases) {
    const { key } = await organization(options);
    t.is((await app.request(TEN.path, { key })).status, 200, code);
    const response = await app.request(TEN.path, { key });
    t.is(response.status, 429);
    t.is(response.body.error.code, code);
    t.is(response.headers.get('Retry-After'), wait);
  }
  const { id } = await organization({ plan: 'pro' });
  const key = await createKey(app.services, id, { columns: { project_id: await project(id, 5) } });
  const response = await app.request(TEN.path, { key });
  t.is(response.body.error.code, 'project_cap_exceeded');
  t.is(response.headers.get('Retry-After'), month);
});
