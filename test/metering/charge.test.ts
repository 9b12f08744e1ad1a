import type { Admitted, ChargeRequest, Refused } from '#metering/charge.ts';
import { startTestApp } from '#test/app.ts';
import {
  createKey,
  createOrganization,
  createProject,
  makeChargeRequest,
  type OrganizationOptions,
  unitsUsed,
} from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

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

test('a test key has limits that never exceed those of its organization', async (t) => {
  const test = async (options: OrganizationOptions) =>
    caller(await createKey(app.services, (await organization(options)).id, { kind: 'test' }));
  const wide = { rate_limit: 30, quota_limit: 1_000, page_size: 25, paging_depth: 250 };
  t.like(await (await test({ plan: 'pro' }))(), wide);
  t.like(await (await test({ plan: 'enterprise' }))(), wide);
  const small = await test({ plan: 'free', columns: { units_per_minute: 20, page_size: 10 } });
  t.like(await small(), { rate_limit: 20, quota_limit: 250, page_size: 10, paging_depth: 250 });
});

const METERED = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-units'];
const QUOTA = ['x-quota-limit', 'x-quota-remaining', 'x-quota-reset'];
const meteringOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => METERED.includes(name) || QUOTA.includes(name)));

test('a successful metered call has rate limit headers, and quota headers unless the plan is unlimited', async (t) => {
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
  const enterprise = await organization({ plan: 'enterprise' });
  const own = meteringOf((await app.request(TEN.path, { key: enterprise.key })).headers);
  t.deepEqual(Object.keys(own).sort(), METERED);
  t.like(own, { 'ratelimit-limit': '60000', 'ratelimit-remaining': '59990' });
});

test('every 429 has Retry-After in whole seconds', async (t) => {
  const month = String((Date.parse('2026-07-01T00:00:00Z') - START) / 1000);
  const cases: [string, OrganizationOptions, string][] = [
    ['rate_limited', { plan: 'pro', columns: { units_per_minute: 15 } }, '60'],
    ['monthly_quota_exceeded', { plan: 'free', columns: { units_per_month: 15 } }, month],
    ['spend_cap_reached', { plan: 'pro', columns: { units_per_month: 10, spend_cap_sar: 0.01 } }, month],
    ['project_cap_exceeded', { plan: 'pro' }, month],
  ];
  for (const [code, options, wait] of cases) {
    const { id } = await organization(options);
    const cap = code === 'project_cap_exceeded' ? 15 : null;
    const key = await createKey(app.services, id, { columns: { project_id: await project(id, cap) } });
    t.is((await app.request(TEN.path, { key })).status, 200, code);
    const response = await app.request(TEN.path, { key });
    t.is(response.status, 429);
    t.is(response.body.error.code, code);
    t.is(response.headers.get('Retry-After'), wait);
  }
});

test('beyond the quota, units are overage up to the spend cap for live keys, and none for test keys', async (t) => {
  const columns = { units_per_month: 2_000, units_per_minute: 10_000, spend_cap_sar: 100 };
  const { id, ask } = await organization({ plan: 'pro', columns });
  t.is((await ask({ units: 2_005 })).outcome, null);
  const other = await organization({ plan: 'pro', columns });
  const tested = caller(await createKey(app.services, other.id, { kind: 'test' }));
  t.is((await tested({ units: 1 })).outcome, null);
  // The month's quota of a test key is 1,000 units.
  await app.services.pool.query(
    `update unit_counters set units = 1_000 where subject = 'key' and subject_id in (select id from api_keys where organization_id = $1)`,
    [other.id],
  );
  t.is((await tested({ units: 1 })).outcome, 'monthly_quota_exceeded');
  t.is(await unitsUsed(app.services, id), 2_005);
});
