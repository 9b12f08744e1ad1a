import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { Pool } from 'pg';
import { generateKey } from '#src/accounts/keys.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { Charges } from '#src/metering/charge.ts';
import type { ChargeRequest } from '#src/metering/charge-statement.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization, createProject, makeChargeRequest, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Number of loads, and what happens during the next one. */
let loads = 0;
let meanwhile: () => Promise<unknown> = async () => {};
/** Presentations and charges in their order. */
let steps: string[] = [];

const READ = testEndpoint('/v1/test/read', {
  price: { units: 10 },
  parameters: [{ name: 'limit', schema: { type: 'integer', default: 10 }, description: 'Rows.' }],
  paged: true,
  errors: ['listing_not_found'],
  load: async () => {
    loads++;
    await meanwhile();
    return { body: { data: {} } };
  },
});
const BROKEN = testEndpoint('/v1/test/broken', {
  price: { units: 10 },
  present: () => {
    throw new Error('a bug');
  },
});
const SHOWN = testEndpoint('/v1/test/shown', {
  price: { units: 10 },
  present: ({ caller }) => {
    steps.push('present');
    return { body: { data: { links: caller.source_links, text: 'x'.repeat(2_000) } } };
  },
});
const SMALL = testEndpoint('/v1/test/small', { price: { units: 2 } });
const FREE = testEndpoint('/v1/test/free', { price: { units: 0 }, scope: null });

/** Current time in epoch milliseconds for charges and repeated refusals. */
let now = Date.parse('2026-06-10T10:20:30Z');
let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    endpoints: [READ, BROKEN, SHOWN, SMALL, FREE],
    overrides: { clock: { now: () => now, chargeTime: () => new Date(now) } },
  });
});
test.beforeEach(() => {
  loads = 0;
  steps = [];
  meanwhile = async () => {};
});
test.after(() => app?.close());

const setColumn = (table: string, id: number, column: string, value: unknown) =>
  app.services.pool.query(
    `update ${table} set ${column} = $2 where ${table === 'api_keys' ? 'organization_id' : 'id'} = $1`,
    [id, value],
  );

const code = ({ status, body }: Awaited<ReturnType<TestApp['request']>>): string =>
  `${status} ${body?.error?.code ?? 'ok'}`;

const logged = async (id: number): Promise<string[]> => {
  await app.services.requestLog.flush();
  const { rows } = await app.services.pool.query<{ line: string }>(
    `select method || ' ' || status || ' ' || units as line from request_logs where organization_id = $1 order by 1`,
    [id],
  );
  return rows.map(({ line }) => line);
};

test('only a 2xx response of a GET or HEAD costs its units', async (t) => {
  const { id, key } = await createOrganization(app.services);
  t.is((await app.request(READ.path, { key })).headers.get('X-Request-Units'), '10');
  t.is(await unitsUsed(app.services, id), 10);
  const head = await app.request(READ.path, { key, method: 'HEAD' });
  t.is(head.status, 200);
  t.is(head.headers.get('X-Request-Units'), '10');
  meanwhile = async () => {
    throw new ApiError('listing_not_found');
  };
  t.is(code(await app.request(READ.path, { key })), '404 listing_not_found');
  meanwhile = async () => {
    throw new Error('fails');
  };
  t.is(code(await app.request(READ.path, { key })), '500 internal_error');
  t.is(code(await app.request(`${READ.path}?x=1`, { key })), '400 unknown_parameter');
  t.is(code(await app.request(BROKEN.path, { key })), '500 internal_error', 'not presented');
  t.is(await unitsUsed(app.services, id), 20);
  t.deepEqual(await logged(id), ['GET 200 10', 'GET 400 0', 'GET 404 0', 'GET 500 0', 'GET 500 0', 'HEAD 200 10']);
});

const METERED = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-units'];
const QUOTA = ['x-quota-limit', 'x-quota-remaining', 'x-quota-reset'];
const meteringOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => METERED.includes(name) || QUOTA.includes(name)));

test('a successful metered call has rate limit headers, and quota headers unless the plan is unlimited', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'pro' });
  const reset = String((Date.parse('2026-07-01T00:00:00Z') - now) / 1000);
  const first = await app.request(SMALL.path, { key });
  t.regex(first.headers.get('X-Request-Id') ?? '', /^req_[0-9a-f]+$/);
  t.deepEqual(meteringOf(first.headers), {
    'ratelimit-limit': '300',
    'ratelimit-remaining': '298',
    'ratelimit-reset': '60',
    'x-request-units': '2',
    'x-quota-limit': '750000',
    'x-quota-remaining': '749998',
    'x-quota-reset': reset,
  });
  const free = await app.request(FREE.path, { key });
  t.like(meteringOf(free.headers), { 'x-request-units': '0', 'x-quota-remaining': '749998' });
  const enterprise = await createOrganization(app.services, { plan: 'enterprise' });
  const own = meteringOf((await app.request(SMALL.path, { key: enterprise.key })).headers);
  t.deepEqual(Object.keys(own).sort(), METERED);
  t.like(own, { 'ratelimit-limit': '60000', 'ratelimit-remaining': '59998' });
});

test('a response is ready before its call is charged, and follows the plan at the charge', async (t) => {
  const { charges } = app.services;
  const charge = charges.charge.bind(charges);
  charges.charge = (request, timeoutMs) => {
    if (request.units > 0) steps.push('charge');
    return charge(request, timeoutMs);
  };
  t.teardown(() => {
    charges.charge = charge;
  });
  const { id, key } = await createOrganization(app.services, { plan: 'free' });
  const first = await app.request(SHOWN.path, { key, headers: { 'Accept-Encoding': 'br' } });
  t.is(first.headers.get('Content-Encoding'), 'br');
  t.is(first.headers.get('Vary')?.includes('Accept-Encoding'), true);
  t.is(first.body.data.links, false);
  t.deepEqual(steps, ['present', 'charge']);
  await setColumn('organizations', id, 'plan', 'enterprise');
  t.is((await app.request(SHOWN.path, { key })).body.data.links, true);
  t.deepEqual(steps, ['present', 'charge', 'present', 'charge', 'present']);
  t.is(await unitsUsed(app.services, id), 20);
});

test('a call loads only if the account that was last read allows it', async (t) => {
  const { id, key } = await createOrganization(app.services, { columns: { page_size: 20 } });
  const stranger = generateKey('live', randomBytes);
  t.is(code(await app.request(READ.path, { key: stranger })), '401 invalid_api_key');
  t.is(code(await app.request(`${READ.path}?limit=21`, { key })), '400 invalid_value');
  t.is(loads, 0);
  t.is(code(await app.request(READ.path, { key })), '200 ok');
  t.is(code(await app.request(`${READ.path}?limit=21`, { key })), '400 invalid_value');
  t.is(loads, 1);
  await setColumn('organizations', id, 'ip_allowlist', ['203.0.113.0/24']);
  t.is(code(await app.request(READ.path, { key })), '403 ip_not_allowed', 'the charge decides');
  t.is(loads, 2);
  t.is(code(await app.request(READ.path, { key })), '403 ip_not_allowed');
  t.is(loads, 2, 'the key is looked up first');
  now += 5_000;
  await setColumn('organizations', id, 'ip_allowlist', ['127.0.0.0/8', '::1/128']);
  t.is(code(await app.request(READ.path, { key })), '200 ok');
  t.is(code(await app.request(READ.path, { key })), '200 ok');
});

test('a key that is revoked while its call loads is refused, and a failed load does not hide the refusal', async (t) => {
  for (const fails of [false, true]) {
    const { id, key } = await createOrganization(app.services);
    t.is(code(await app.request(READ.path, { key })), '200 ok');
    meanwhile = async () => {
      await setColumn('api_keys', id, 'revoked_at', new Date(now));
      if (fails) throw new Error('fails');
    };
    t.is(code(await app.request(READ.path, { key })), '401 revoked_api_key');
    t.is(await unitsUsed(app.services, id), 10);
    t.deepEqual(await logged(id), ['GET 200 10', 'GET 401 0']);
    meanwhile = async () => {};
    const before = loads;
    now += 5_000;
    t.is(code(await app.request(READ.path, { key })), '401 revoked_api_key');
    t.is(loads, before, 'the key is looked up first');
  }
});

test('a client that disconnects while its call loads is not charged', async (t) => {
  const { id, key } = await createOrganization(app.services);
  await app.request(FREE.path, { key });
  const leaving = new AbortController();
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  meanwhile = () => {
    begun.resolve();
    return gate.promise;
  };
  const headers = { Authorization: `Bearer ${key}` };
  const call = fetch(new URL(READ.path, app.url), { headers, signal: leaving.signal }).catch(() => null);
  await begun.promise;
  leaving.abort();
  await call;
  // The server notices the end of the connection before it handles a later request.
  await app.request(FREE.path, { key });
  gate.resolve();
  await eventually(async () => (await logged(id)).length === 3);
  t.true((await logged(id)).includes('GET 499 0'), 'no failure of the service');
  t.is(await unitsUsed(app.services, id), 0);
});

test('a refusal is repeated without a load or a query for less than a second, and not for smaller calls', async (t) => {
  const { id, key } = await createOrganization(app.services, { columns: { units_per_minute: 15 } });
  const other = await createKey(app.services, id);
  t.is(code(await app.request(READ.path, { key })), '200 ok');
  const first = await app.request(READ.path, { key });
  t.is(code(first), '429 rate_limited');
  t.is(loads, 2);
  const { charges } = app.services;
  const { charge } = charges;
  let queries = 0;
  charges.charge = (...asked) => {
    queries++;
    return charge.apply(charges, asked);
  };
  t.teardown(() => Object.assign(charges, { charge }));
  t.is(code(await app.request(FREE.path, { key: other })), '200 ok');
  queries = 0;
  now += 900;
  for (const each of [key, other]) {
    const again = await app.request(READ.path, { key: each });
    t.is(code(again), '429 rate_limited');
    const wait = (seconds: string | null) => `Retry after ${seconds} seconds.`;
    t.true(first.body.error.message.includes(wait(first.headers.get('Retry-After'))));
    t.true(again.body.error.message.includes(wait(again.headers.get('Retry-After'))));
    t.not(again.body.error.request_id, first.body.error.request_id);
    t.is(again.headers.get('Retry-After'), first.headers.get('Retry-After'));
  }
  t.is(queries, 0);
  t.is(loads, 2);
  t.is(code(await app.request(SMALL.path, { key })), '200 ok', 'fewer units');
  t.is(code(await app.request(FREE.path, { key })), '200 ok', 'no units');
  await setColumn('organizations', id, 'units_per_minute', 1_000);
  t.is(code(await app.request(READ.path, { key })), '200 ok');
  t.is((await logged(id)).filter((line) => line === 'GET 429 0').length, 3);
  const project = await createProject(app.services, id, 5);
  const capped = await createKey(app.services, id, { columns: { project_id: project.id } });
  for (let times = 0; times < 2; times++)
    t.is(code(await app.request(READ.path, { key: capped })), '429 project_cap_exceeded');
  t.is(code(await app.request(READ.path, { key })), '200 ok', 'outside of the project');
});

test('a changed quota, spend cap or project cap applies within a second', async (t) => {
  for (const [refusal, table, column, low, high] of [
    ['monthly_quota_exceeded', 'organizations', 'units_per_month', 5, 20],
    ['spend_cap_reached', 'organizations', 'spend_cap_sar', 0.006, 1],
    ['project_cap_exceeded', 'projects', 'monthly_unit_cap', 5, 20],
  ] as const) {
    const columns = { units_per_month: table === 'projects' ? 100 : 5, units_per_minute: 1_000 };
    const { id } = await createOrganization(app.services, { plan: 'starter', columns });
    const project = await createProject(app.services, id, 1_000);
    const key = await createKey(app.services, id, { columns: { project_id: project.id } });
    const limited = table === 'projects' ? project.id : id;
    await setColumn(table, limited, column, low);
    for (let times = 0; times < 2; times++) t.is(code(await app.request(READ.path, { key })), `429 ${refusal}`);
    await setColumn(table, limited, column, high);
    now += 1_000;
    t.is(code(await app.request(READ.path, { key })), '200 ok', refusal);
    await setColumn(table, limited, column, low);
    t.is(code(await app.request(READ.path, { key })), `429 ${refusal}`);
  }
});

/** At a time in milliseconds from the previous call, or from the earliest time at which a call will be admitted. */
const calls = fc.record({
  from: fc.constantFrom('previous', 'promise', 'promise'),
  pause: fc.oneof(fc.integer({ min: -1_000, max: 0 }), fc.constant(0), fc.constantFrom(0, 300, 900, 20_000)),
  caller: fc.nat(1),
  isSmall: fc.boolean(),
});

test('a call that has waited for Retry-After is admitted, whichever calls were refused meanwhile', async (t) => {
  const promisesKept: number[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 20, maxLength: 40 }), async (steps) => {
      const { id, key } = await createOrganization(app.services, { columns: { units_per_minute: 21 } });
      const keys = [key, await createKey(app.services, id)];
      /** Units and times of calls that will be admitted, since the last one that was. */
      let promised: { units: number; at: number }[] = [];
      for (const { from, pause, caller, isSmall } of steps) {
        const earliest = Math.min(...promised.map(({ at }) => at));
        now = Math.max(now, (from === 'promise' && Number.isFinite(earliest) ? earliest : now) + pause);
        const [path, units] = isSmall ? [SMALL.path, 2] : [READ.path, 10];
        const { status, headers } = await app.request(path, { key: keys[caller] });
        const isPromised = promised.some((each) => units <= each.units && each.at <= now);
        if (isPromised) promisesKept.push(status);
        if (status === 200) promised = [];
        else promised.push({ units, at: now + Number(headers.get('Retry-After')) * 1_000 });
      }
    }),
    { numRuns: 25 },
  );
  t.deepEqual([...new Set(promisesKept)], [200]);
});

test('a charge whose response arrives while the process is busy has not timed out', async (t) => {
  const { key } = await createOrganization(app.services);
  const pool = createPool(app.services.config.databaseUrl, { max: 1 });
  t.teardown(() => pool.end());
  const charges = new Charges(pool);
  const request = makeChargeRequest(app.services, key);
  await charges.charge(request, 10_000);
  const charging = charges.charge(request, 2_000);
  while (pool.idleCount > 0) await nextTurn();
  await nextTurn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
  t.like(await charging, { outcome: null, units: 1 });
});

/** Creates charges with their own connections, and locks the counters of organizations until `unlock`. */
async function blocked(t: ExecutionContext, organizations = 1) {
  const all = await Promise.all(Array.from({ length: organizations }, () => createOrganization(app.services)));
  const [{ id, key: first }] = all as [(typeof all)[number]];
  const pool = createPool(app.services.config.databaseUrl, { max: 8, name: `blocked ${id}` });
  t.teardown(() => pool.end());
  const charges = new Charges(pool);
  const charge = (units: number, timeoutMs = 30_000, key = first) =>
    charges.charge(makeChargeRequest(app.services, key, { units }), timeoutMs);
  for (const { key } of all) await charge(1, 30_000, key);
  const lock = await app.services.pool.connect();
  await lock.query('begin');
  await lock.query('update unit_counters set units = units where subject_id = any ($1)', [all.map((each) => each.id)]);
  const unlock = async () => {
    await lock.query('commit');
    lock.release();
  };
  const running = async () => {
    const { rows } = await app.services.pool.query<{ running: number }>(
      `select count(*) as running from pg_stat_activity where application_name = $1 and state = 'active'`,
      [`blocked ${id}`],
    );
    return rows[0]?.running;
  };
  return { id, all, charges, charge, unlock, running };
}

test('at most 20 units are being charged at a time, and calls of 0 units do not wait', async (t) => {
  const { all: organizations, charges, charge, unlock, running } = await blocked(t, 5);
  const all = [10, 10, 10, 25, 1].map((units, at) => charge(units, 30_000, organizations[at]?.key));
  await eventually(async () => (await running()) === 2);
  t.is(charges.waiting, 3);
  t.like(await charge(0), { outcome: null });
  t.is(await running(), 2);
  await unlock();
  for (const admitted of await Promise.all(all)) t.is(admitted.outcome, null);
  const used = await Promise.all(organizations.map(({ id }) => unitsUsed(app.services, id)));
  t.deepEqual(used, [11, 11, 11, 26, 2]);
  t.is(charges.waiting, 0);
});

test('charges of an organization run one after another, on one connection', async (t) => {
  const { id, charges, charge, unlock, running } = await blocked(t);
  const all = Array.from({ length: 30 }, () => charge(1));
  await eventually(async () => (await running()) === 1);
  t.is(charges.waiting, 29);
  await unlock();
  for (const admitted of await Promise.all(all)) t.is(admitted.outcome, null);
  t.is(await unitsUsed(app.services, id), 31);
});

test('calls of 0 units that begin together share a statement, for which those of a line wait and others do not', async (t) => {
  const { key } = await createOrganization(app.services);
  /** Calls of the statements. */
  const sent: number[] = [];
  const query = ({ values: [hashes] }: { values: unknown[][] }) => {
    sent.push(hashes?.length ?? 0);
    return new Promise(() => {});
  };
  const pool = { waitingCount: 0, connect: async () => ({ query, release() {} }) };
  const charges = new Charges(pool as unknown as Pool);
  const charge = (line: string) =>
    t.throwsAsync(charges.charge(makeChargeRequest(app.services, key, { units: 0 }), 200, line));
  const all = [...Array<string>(12).fill('one'), 'two'].map(charge);
  await nextTurn();
  t.deepEqual([sent, charges.waiting], [[11], 2]);
  all.push(charge('three'), charge('one'));
  await nextTurn();
  t.deepEqual([sent, charges.waiting], [[11, 1], 3]);
  await Promise.all(all);
});

test('calls of 0 units that share a statement are decided as each alone', async (t) => {
  const { services } = app;
  const { id, key } = await createOrganization(services, { plan: 'free' });
  const revoked = await createKey(services, id, { columns: { revoked_at: '2026-01-01T00:00:00Z' } });
  const far = await createOrganization(services, { columns: { ip_allowlist: ['203.0.113.0/24'] } });
  const keys = [
    key,
    revoked,
    far.key,
    await createKey(services, id, { kind: 'admin' }),
    generateKey('live', randomBytes),
  ];
  const variants = fc.record({
    scope: fc.constantFrom(null, 'listings' as const, 'exports' as const),
    audience: fc.constantFrom('data' as const, 'admin' as const),
    valid: fc.boolean(),
    limit: fc.constantFrom(0, 25, 100),
    offset: fc.constantFrom(0, 500),
    ip: fc.constantFrom(null, '203.0.113.9', '2001:db8::1'),
  });
  const request = fc
    .tuple(fc.constantFrom(...keys), variants)
    .map(([secret, variant]) => makeChargeRequest(services, secret, { ...variant, units: 0, now: new Date(now) }));
  // The clock is that of Postgres.
  const decide = async (each: ChargeRequest) => ({ ...(await services.charges.charge(each, 10_000)), clock: 0 });
  const outcomes = new Set<string | null>();
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 70 }), async (requests) => {
      const together = await Promise.all(requests.map(decide));
      for (const [at, each] of requests.entries()) {
        const alone = await decide(each);
        outcomes.add(alone.outcome);
        t.deepEqual(together[at], alone);
      }
    }),
    { numRuns: 10 },
  );
  t.true(outcomes.size > 5, [...outcomes].join());
});

/** Locks each row of an organization, in every table, until `unlock`. */
async function lockRows(id: number): Promise<() => Promise<void>> {
  const db = await app.services.pool.connect();
  const { rows } = await db.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and c.column_name = 'organization_id' and t.table_type = 'BASE TABLE'`,
  );
  await db.query('begin');
  for (const { name } of rows) await db.query(`select 1 from ${name} where organization_id = $1 for update`, [id]);
  await db.query('select 1 from organizations where id = $1 for update', [id]);
  for (const name of ['unit_counters', 'rate_windows'])
    await db.query(
      `select 1 from ${name} where (subject in ('organization', 'tests') and subject_id = $1)
       or (subject = 'key' and subject_id in (select id from api_keys where organization_id = $1))
       or (subject = 'project' and subject_id in (select id from projects where organization_id = $1)) for update`,
      [id],
    );
  return async () => {
    await db.query('commit');
    db.release();
  };
}

test('while all rows of some organizations are locked, calls of others take less than 250 ms', async (t) => {
  const locked = await Promise.all([1, 2].map(() => createOrganization(app.services)));
  const other = await createOrganization(app.services);
  for (const { key } of [...locked, other]) t.is(code(await app.request(READ.path, { key })), '200 ok');
  const unlocks = [];
  for (const { id } of locked) unlocks.push(await lockRows(id));
  const waiting = locked.flatMap(({ key }) => Array.from({ length: 30 }, () => app.request(READ.path, { key })));
  await eventually(() => app.services.charges.waiting >= 50);
  const times: number[] = [];
  for (let call = 0; call < 20; call++) {
    const begun = performance.now();
    t.is(code(await app.request(call % 4 === 0 ? FREE.path : READ.path, { key: other.key })), '200 ok');
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  // The longest may be a pause of a busy machine.
  t.true((times.at(-2) ?? 0) < 250, times.map(Math.round).join(' '));
  for (const unlock of unlocks) await unlock();
  let units = 0;
  for (const each of await Promise.all(waiting)) {
    t.true(['200 ok', '503 internal_error'].includes(code(each)), code(each));
    units += Number(each.headers.get('X-Request-Units'));
  }
  const used = await Promise.all(locked.map(({ id }) => unitsUsed(app.services, id)));
  t.is(
    used.reduce((sum, each) => sum + each, 0),
    units + 20,
  );
});

test('a charge that Postgres processes after its deadline charges nothing', async (t) => {
  const { id, charge, unlock, running } = await blocked(t);
  await t.throwsAsync(charge(1, 500), { message: /the charge timed out/ });
  await unlock();
  await eventually(async () => (await running()) === 0);
  t.is(await unitsUsed(app.services, id), 1);
});

test('every endpoint that costs units is a GET that loads before it is charged, in a queue unless it is cached', (t) => {
  for (const { operationId, method, price, load, audience } of endpoints) {
    t.is(load !== undefined, price.units > 0, operationId);
    if (price.units > 0) t.deepEqual([method, audience], ['GET', 'data'], operationId);
  }
  const unqueued = endpoints.filter(({ price, queue }) => price.units > 0 && queue === undefined);
  // Cached aggregations wait only when they are computed.
  t.deepEqual(unqueued.map(({ operationId }) => operationId).sort(), [
    'compareNeighborhoods',
    'getAreaDistribution',
    'getAskingVsRegistered',
    'getMarketSummary',
    'getMarketSupply',
    'getMarketTrends',
    'getMarketVacancy',
    'getPriceDistribution',
    'getRentalYield',
    'listMarketNeighborhoods',
  ]);
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
  const ask = () => Promise.all(keys.map(async (key) => code(await app.request(FREE.path, { key }))));
  now = Date.parse(edge) - 1;
  t.deepEqual(await ask(), Array(4).fill('200 ok'));
  now++;
  t.deepEqual(await ask(), [
    '401 expired_api_key',
    '401 revoked_api_key',
    '403 client_expired',
    '403 client_suspended',
  ]);
});
