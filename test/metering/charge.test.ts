import fc from 'fast-check';
import type pg from 'pg';
import type { Admitted, ChargeRequest, Refused } from '#metering/charge.ts';
import { Charges } from '#metering/charge-queue.ts';
import { createPool } from '#postgres/pool.ts';
import type { Config } from '#src/config.ts';
import type { Services } from '#src/services.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
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
const FAILING = testEndpoint('/v1/test/failing', {
  price: { units: 10 },
  handle: async () => {
    throw new Error('fails');
  },
});
/** The app under test. Its clock is fixed at `START`, including for the charges of HTTP requests. */
let app: TestApp;
let config: Config;
let pool: pg.Pool;
let logger: Services['logger'];
let journalDir: string;
let timeoutFactor: number;
let pools: pg.Pool[];
/** The charge queues of two API nodes. */
let nodes: [Charges, Charges];
test.before(async () => {
  app = await startTestApp({
    endpoints: [FREE_OF_CHARGE, TEN, FAILING],
    overrides: { clock: { now: () => START, chargeTime: () => new Date(START) } },
  });
  ({ config, pool, logger } = app.services);
  ({ journalDir, timeoutFactor } = config);
  pools = [0, 1].map(() => createPool(config.databaseUrl, { max: 8, asynchronousCommit: true }));
  nodes = pools.map(
    (chargePool) => new Charges({ chargePool, pool, logger, now: () => START, journalDir, timeoutFactor }),
  ) as [Charges, Charges];
});
test.after(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await app.close();
});

type Ask = Partial<Omit<ChargeRequest, 'now'>> & { at?: number; node?: Charges };

/** Returns a function that charges calls with a key, as an API node does. */
function caller(key: string): (ask?: Ask) => Promise<Admitted | Refused> {
  return ({ at = START, node = nodes[0], ...ask } = {}) =>
    node.charge(makeChargeRequest(app.services, key, { scope: 'listings', ...ask, now: new Date(at) }), key);
}

function admitted(answer: Admitted | Refused): Admitted {
  if (answer.outcome !== null) throw new Error(`refused: ${answer.outcome}`);
  return answer;
}

/** Returns the `Retry-After` seconds of a rejected call. */
const waitOf = (answer: Admitted | Refused) => ('retry_after' in answer ? answer.retry_after : undefined);

async function organization(options: OrganizationOptions = {}) {
  const made = await createOrganization(app.services, options);
  return { ...made, ask: caller(made.key) };
}

const project = async (organizationId: number, cap: number | null) =>
  (await createProject(app.services, organizationId, cap)).id;

/** Returns the units recorded for a counter. */
async function counted(subject: 'organization' | 'project' | 'key', id: number, month = 202606): Promise<number> {
  const { rows } = await app.services.pool.query<{ units: number }>(
    'select units from unit_counters where subject = $1 and subject_id = $2 and month = $3',
    [subject, id, month],
  );
  return rows[0]?.units ?? 0;
}

test('sixteen concurrent calls on two nodes are admitted exactly up to the rate limit', async (t) => {
  const { ask, id } = await organization({ plan: 'starter' });
  const calls = Array.from({ length: 16 }, async (_, worker) => {
    const outcomes: (string | null)[] = [];
    for (let i = 0; i < 12; i++) outcomes.push((await ask({ node: nodes[worker % 2] as Charges })).outcome);
    return outcomes;
  });
  const outcomes = (await Promise.all(calls)).flat();
  t.is(outcomes.filter((outcome) => outcome === null).length, 60);
  t.is(outcomes.filter((outcome) => outcome === 'rate_limited').length, 16 * 12 - 60);
  t.is(await counted('organization', id), 60);
});

test('sixteen concurrent calls on two nodes are admitted exactly up to the quota, the spend cap and the project cap', async (t) => {
  const hard = await organization({ columns: { units_per_month: 50 } });
  const soft = await organization({
    plan: 'starter',
    columns: { units_per_minute: 10_000, units_per_month: 20, spend_cap_sar: 0.12 },
  });
  const capped = await organization({});
  const projectId = await project(capped.id, 30);
  const inProject = caller(await createKey(app.services, capped.id, { columns: { project_id: projectId } }));
  const count = async (ask: typeof hard.ask) => {
    const calls = Array.from({ length: 96 }, (_, index) => ask({ node: nodes[index % 2] as Charges }));
    return (await Promise.all(calls)).filter(({ outcome }) => outcome === null).length;
  };
  t.is(await count(hard.ask), 50);
  t.is(await counted('organization', hard.id), 50);
  // The cap of 0.12 SAR allows 20 additional units at 6 SAR per 1,000 units.
  t.is(await count(soft.ask), 40);
  t.is(await counted('organization', soft.id), 40);
  t.is(await count(inProject), 30);
  t.is(await counted('project', projectId), 30);
  t.is(await counted('organization', capped.id), 30);
});

test('the rate limit window slides: units become available again a minute after they were used', async (t) => {
  const { ask } = await organization({ columns: { units_per_minute: 10 } });
  t.like(await ask({ units: 4 }), { outcome: null, rate_limit: 10, rate_remaining: 6, rate_reset: 60 });
  t.like(await ask({ units: 4, at: START + 20_000 }), { outcome: null, rate_remaining: 2, rate_reset: 40 });
  t.like(await ask({ units: 3, at: START + 30_000 }), { outcome: 'rate_limited', retry_after: 30 });
  t.like(await ask({ units: 7, at: START + 30_000 }), { outcome: 'rate_limited', retry_after: 50 });
  t.like(await ask({ units: 2, at: START + 30_000 }), { outcome: null, rate_remaining: 0, rate_reset: 30 });
  t.is((await ask({ units: 1, at: START + 59_999 })).outcome, 'rate_limited');
  t.like(await ask({ units: 4, at: START + 60_000 }), { outcome: null, rate_remaining: 0, rate_reset: 20 });
  t.like(await ask({ units: 10, at: START + 10 * MINUTE }), { outcome: null, rate_remaining: 0, rate_reset: 60 });
});

test('a rejected call uses no units from the rate limit or the quota', async (t) => {
  const { ask, id } = await organization({ columns: { units_per_minute: 10, units_per_month: 12 } });
  await ask({ units: 8 });
  for (let i = 0; i < 5; i++) t.is((await ask({ units: 3 })).outcome, 'rate_limited');
  t.like(await ask({ units: 2 }), { outcome: null, rate_remaining: 0, quota_remaining: 2 });
  for (let i = 0; i < 5; i++) t.is((await ask({ units: 3, at: START + MINUTE })).outcome, 'monthly_quota_exceeded');
  t.like(await ask({ units: 2, at: START + MINUTE }), { outcome: null, rate_remaining: 8, quota_remaining: 0 });
  t.is(await counted('organization', id), 12);
});

test('a node whose clock is behind does not widen the rate limit window', async (t) => {
  const { ask } = await organization({ columns: { units_per_minute: 5 } });
  t.is((await ask({ units: 3 })).outcome, null);
  t.like(await ask({ units: 2, at: START - 3_000 }), { outcome: null, rate_remaining: 0 });
  t.is((await ask({ at: START - 3_000 })).outcome, 'rate_limited');
  t.is((await ask({ at: START + 59_000 })).outcome, 'rate_limited');
});

test('the rate limit matches a model for any sequence of calls, and Retry-After is exact', async (t) => {
  const step = fc.record({ wait: fc.integer({ min: 0, max: 45 }), units: fc.integer({ min: 1, max: 9 }) });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 9, max: 25 }),
      fc.array(step, { minLength: 5, maxLength: 14 }),
      async (limit, steps) => {
        const { ask } = await organization({ columns: { units_per_minute: limit } });
        const used: { second: number; units: number }[] = [];
        let second = 0;
        const within = (at: number) =>
          used.filter((each) => each.second > at - 60).reduce((sum, each) => sum + each.units, 0);
        for (const { wait, units } of steps) {
          second += wait;
          const result = await ask({ units, at: START + second * 1_000 });
          const fits = within(second) + units <= limit;
          t.is(result.outcome, fits ? null : 'rate_limited');
          if (fits) {
            used.push({ second, units });
            t.is(admitted(result).rate_remaining, limit - within(second));
          } else {
            const wait = waitOf(result);
            const back = second + (wait ?? 0);
            t.true(within(back) + units <= limit && within(back - 1) + units > limit, `${wait}`);
          }
        }
      },
    ),
    { numRuns: 12 },
  );
});

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

test('the quota of the Free plan is a hard limit that a spend cap does not extend', async (t) => {
  const { ask } = await organization({ plan: 'free', columns: { units_per_minute: 1_000, spend_cap_sar: 100 } });
  t.like(await ask({ units: 249 }), { outcome: null, quota_limit: 250, quota_remaining: 1 });
  const refused = await ask({ units: 2 });
  t.is(refused.outcome, 'monthly_quota_exceeded');
  t.is(waitOf(refused), Math.ceil((Date.parse('2026-07-01T00:00:00Z') - START) / 1000));
  t.like(await ask(), { outcome: null, quota_remaining: 0 });
});

test('paid plans can exceed the quota up to the spend cap, with 0 units remaining', async (t) => {
  const columns = { units_per_minute: 1_000_000, spend_cap_sar: 12 };
  const { ask, id } = await organization({ plan: 'starter', columns });
  t.like(await ask({ units: 50_000 }), { outcome: null, quota_remaining: 0 });
  t.like(await ask({ units: 2_000 }), { outcome: null, quota_remaining: 0 });
  t.is((await ask()).outcome, 'spend_cap_reached');
  await app.services.pool.query('update organizations set spend_cap_sar = 18 where id = $1', [id]);
  t.like(await ask({ units: 1_000 }), { outcome: null, quota_limit: 50_000, quota_remaining: 0 });
  t.is((await ask()).outcome, 'spend_cap_reached');
  await app.services.pool.query('update organizations set spend_cap_sar = 0 where id = $1', [id]);
  t.is((await ask()).outcome, 'monthly_quota_exceeded');
});

test('a project over its cap does not block other projects', async (t) => {
  const { ask, id } = await organization({ plan: 'pro' });
  const [small, open] = [await project(id, 5), await project(id, null)];
  const key = (projectId: number) => createKey(app.services, id, { columns: { project_id: projectId } });
  const [inSmall, inOpen] = [caller(await key(small)), caller(await key(open))];
  t.is((await inSmall({ units: 4 })).outcome, null);
  const refused = await inSmall({ units: 2 });
  t.is(refused.outcome, 'project_cap_exceeded');
  t.is(waitOf(refused), Math.ceil((Date.parse('2026-07-01T00:00:00Z') - START) / 1000));
  t.is((await inSmall()).outcome, null);
  t.is((await inOpen({ units: 7 })).outcome, null);
  t.is((await ask()).outcome, null);
  t.is(await counted('project', small), 5);
  t.is(await counted('project', open), 7);
  t.is(await counted('organization', id), 13);
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

test('invalid requests are authenticated and cost nothing', async (t) => {
  const { ask, id } = await organization({ columns: { units_per_minute: 3, units_per_month: 3 } });
  for (let i = 0; i < 5; i++) t.is((await ask({ valid: false, units: 0 })).outcome, 'invalid_request');
  t.like(await ask({ units: 3 }), { outcome: null, rate_remaining: 0, quota_remaining: 0 });
  t.is((await ask({ valid: false, units: 0 })).outcome, 'invalid_request');
  t.is(await counted('organization', id), 3);
});

test('calls that cost 0 units succeed even if all units are used', async (t) => {
  const { ask, id } = await organization({ columns: { units_per_minute: 3, units_per_month: 3 } });
  await ask({ units: 3 });
  t.is((await ask()).outcome, 'rate_limited');
  const result = await ask({ units: 0, scope: null });
  t.like(result, { outcome: null, units: 0, rate_remaining: 0, quota_remaining: 0 });
  t.is(await counted('organization', id), 3);
});

test('a refund is credited to the month, organization and project that were charged', async (t) => {
  const { id } = await organization({ plan: 'pro' });
  const projectId = await project(id, 100);
  const ask = caller(await createKey(app.services, id, { columns: { project_id: projectId } }));
  const charged = admitted(await ask({ units: 10, at: Date.parse('2026-06-30T23:59:59Z') }));
  await ask({ units: 3, at: Date.parse('2026-07-01T00:00:00Z') });
  await nodes[1].refund(charged);
  await nodes[0].refund(charged);
  t.is(await counted('organization', id, 202606), 0);
  t.is(await counted('project', projectId, 202606), 0);
  t.is(await counted('organization', id, 202607), 3);
  t.is(await counted('project', projectId, 202607), 3);
});

test('concurrent charges and refunds of one project do not deadlock', async (t) => {
  const { id } = await organization({});
  const projectId = await project(id, 1_000_000);
  const ask = caller(await createKey(app.services, id, { columns: { project_id: projectId } }));
  const worker = async (index: number) => {
    const node = nodes[index % 2] as Charges;
    for (let i = 0; i < 25; i++) {
      const charged = admitted(await ask({ units: 2, node }));
      if (i % 2 === 0) await node.refund(charged);
    }
  };
  await t.notThrowsAsync(Promise.all(Array.from({ length: 12 }, (_, index) => worker(index))));
  t.deepEqual(
    nodes.map(({ pendingRefunds }) => pendingRefunds),
    [0, 0],
  );
  t.is(await counted('organization', id), 12 * 12 * 2);
  t.is(await counted('project', projectId), 12 * 12 * 2);
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
  const unlimited = await organization({});
  t.deepEqual(meteringOf((await app.request(TEN.path, { key: unlimited.key })).headers), { 'x-request-units': '10' });
});

test('errors have no metering headers, and failed calls are refunded', async (t) => {
  const { key, id } = await organization({ plan: 'pro' });
  for (const [path, status] of [
    [FAILING.path, 500],
    [`${TEN.path}?x=1`, 400],
  ] as const) {
    const response = await app.request(path, { key });
    t.is(response.status, status);
    t.deepEqual(meteringOf(response.headers), {});
  }
  t.is(await counted('organization', id), 0);
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
