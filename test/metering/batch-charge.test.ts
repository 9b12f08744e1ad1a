import { randomUUID } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import fc from 'fast-check';
import pg from 'pg';
import { chargeCalls } from '#metering/batch-charge.ts';
import { type Admitted, type ChargeRequest, type Refused, refundCharge, settleCharge } from '#metering/charge.ts';
import { Charges } from '#metering/charge-queue.ts';
import { createPool } from '#postgres/pool.ts';
import type { Config } from '#src/config.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import {
  createKey,
  createOrganization,
  createProject,
  makeChargeRequest,
  type OrganizationOptions,
  unitsUsed,
} from '#test/factories.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';

/** An arbitrary time, at which all calls are charged. */
const START = Date.parse('2026-06-10T10:20:30Z');
/** Maximum number of calls per statement, as in `Charges`. */
const AT_ONCE = 32;

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

const call = (key: string, more: Partial<ChargeRequest> = {}): ChargeRequest =>
  makeChargeRequest(app.services, key, { scope: 'listings', now: new Date(START), ...more });

const newSession = () => ({ session: randomUUID(), charge: 1 });
const inOne = (requests: readonly ChargeRequest[], id = newSession()) =>
  chargeCalls(app.services.pool, id, requests, 10_000);
const outcomes = (answers: readonly (Admitted | Refused)[]) => answers.map(({ outcome }) => outcome ?? 'ok');
const organization = (options: OrganizationOptions = {}) => createOrganization(app.services, options);

const project = async (organizationId: number, cap: number | null) =>
  (await createProject(app.services, organizationId, cap)).id;

/** Returns the units recorded for an organization, by kind of counter. */
async function counted(organizationId: number): Promise<Record<string, number>> {
  const { rows } = await app.services.pool.query<{ subject: string; units: number }>(
    `select subject, sum(units)::bigint as units from unit_counters
      where (subject in ('organization', 'tests') and subject_id = $1)
         or (subject = 'project' and subject_id in (select id from projects where organization_id = $1))
         or (subject = 'key' and subject_id in (select id from api_keys where organization_id = $1))
      group by 1`,
    [organizationId],
  );
  return Object.fromEntries(rows.filter(({ units }) => units > 0).map(({ subject, units }) => [subject, units]));
}

const units = (organizationId: number) => unitsUsed(app.services, organizationId);

test('if two organizations are charged in one statement, only the one over its quota is rejected', async (t) => {
  const [over, under] = [
    await organization({ plan: 'free', columns: { units_per_month: 3, units_per_minute: 100 } }),
    await organization({ plan: 'starter' }),
  ];
  const answers = await inOne([
    call(over.key, { units: 2 }),
    call(under.key, { units: 5 }),
    call(over.key, { units: 2 }),
    call('svc_live_nobody'),
    call(under.key, { units: 4, limit: 99 }),
    call(under.key, { units: 0, valid: false }),
    call(over.key),
  ]);
  t.deepEqual(outcomes(answers), [
    'ok',
    'ok',
    'monthly_quota_exceeded',
    'invalid_api_key',
    'page_size_exceeded',
    'invalid_request',
    'ok',
  ]);
  t.like(answers[0], { units: 2, quota_remaining: 1 });
  t.like(answers[1], { units: 5, rate_remaining: 55, organization_id: under.id });
  t.like(answers[6], { units: 1, quota_remaining: 0, organization_id: over.id });
  t.is(await units(over.id), 3);
  t.is(await units(under.id), 5);
});

test('if a statement charges many calls with one key, exactly as many calls are admitted as the limits allow', async (t) => {
  const kinds: [string, OrganizationOptions, number][] = [
    ['monthly_quota_exceeded', { plan: 'free', columns: { units_per_month: 20, units_per_minute: 1_000 } }, 20],
    ['rate_limited', { plan: 'starter', columns: { units_per_minute: 20 } }, 20],
    // The cap of 0.06 SAR allows 10 additional units at 6 SAR per 1,000 units.
    [
      'spend_cap_reached',
      { plan: 'starter', columns: { units_per_month: 10, units_per_minute: 1_000, spend_cap_sar: 0.06 } },
      20,
    ],
  ];
  for (const [refusal, options, limit] of kinds) {
    const { id, key } = await organization(options);
    const found = outcomes(await inOne(Array.from({ length: 12 }, () => call(key, { units: 3 }))));
    t.deepEqual(found, [...Array(6).fill('ok'), ...Array(6).fill(refusal)], refusal);
    t.deepEqual(outcomes(await inOne([2, 1, 2, 1].map((each) => call(key, { units: each })))), [
      'ok',
      refusal,
      refusal,
      refusal,
    ]);
    t.is(await units(id), limit);
  }
  const { id } = await organization({});
  const key = await createKey(app.services, id, { columns: { project_id: await project(id, 20) } });
  const found = outcomes(await inOne(Array.from({ length: 12 }, () => call(key, { units: 3 }))));
  t.deepEqual(found, [...Array(6).fill('ok'), ...Array(6).fill('project_cap_exceeded')]);
  t.deepEqual(await counted(id), { organization: 18, project: 18 });
});

test('each of several calls with one key returns the units that remain after that call', async (t) => {
  const columns = { units_per_month: 10, units_per_minute: 50, spend_cap_sar: 100 };
  const { key } = await organization({ plan: 'starter', columns });
  const answers = await inOne([4, 3, 6, 1].map((each) => call(key, { units: each })));
  const seen = (answers as Admitted[]).map((answer) => [answer.units, answer.rate_remaining, answer.quota_remaining]);
  t.deepEqual(seen, [
    [4, 46, 6],
    [3, 43, 3],
    [6, 37, 0],
    [1, 36, 0],
  ]);
  t.deepEqual(
    (answers as Admitted[]).map(({ id }) => id.charge),
    [1, 2, 3, 4],
  );
});

/** An organization with limits, and the state of each key. */
const caller = fc.record({
  plan: fc.constantFrom('free', 'starter', 'pro', 'enterprise'),
  units_per_minute: fc.option(fc.integer({ min: 3, max: 40 })),
  units_per_month: fc.option(fc.integer({ min: 3, max: 60 })),
  spend_cap_sar: fc.constantFrom(0, 0.06, 0.12),
  keys: fc.array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('live', 'test'), revoked: fc.constant(false) }),
      fc.record({ kind: fc.constant('live'), cap: fc.option(fc.integer({ min: 3, max: 30 })) }),
      fc.record({ kind: fc.constantFrom('live', 'admin'), revoked: fc.boolean() }),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});
const asked = fc.record({
  caller: fc.nat(),
  key: fc.nat(),
  scope: fc.constantFrom(null, 'listings', 'market'),
  units: fc.constantFrom(0, 1, 1, 2, 3, 10),
  valid: fc.constantFrom(true, true, true, false),
  limit: fc.constantFrom(0, 10, 25, 50),
  offset: fc.constantFrom(0, 240, 500),
  second: fc.constantFrom(0, 0, 0, 1, 59),
});

type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;

/** Creates an organization and keys. @returns the id of the organization, and the keys */
async function make({ plan, keys, ...columns }: Drawn<typeof caller>): Promise<{ id: number; keys: string[] }> {
  const { id } = await organization({ plan, columns });
  const made: string[] = [];
  for (const { kind, ...more } of keys) {
    const project_id = 'cap' in more ? await project(id, more.cap) : null;
    const revoked_at = 'revoked' in more && more.revoked ? new Date(START) : null;
    made.push(await createKey(app.services, id, { kind: kind as 'live', columns: { project_id, revoked_at } }));
  }
  return { id, keys: made };
}

/**
 * Returns the positions of calls in the order in which a statement evaluates them: identical calls are grouped at the
 * position of the first one.
 */
function inOrder(requests: readonly ChargeRequest[]): number[] {
  const alike = ({ keyHash, scope, units, valid, now }: ChargeRequest, place: number) =>
    valid && units > 0 ? `${keyHash.toString('hex')} ${scope} ${now?.getTime()}` : `${place}`;
  const groups = Map.groupBy(requests.keys(), (place) => alike(requests[place] as ChargeRequest, place));
  return [...groups.values()].flat();
}

const MADE_UP = new Set(['id', 'organization', 'organization_id', 'key', 'key_id', 'project_id']);
const shown = (answer: Admitted | Refused | undefined) =>
  Object.fromEntries(Object.entries(answer ?? {}).filter(([name]) => !MADE_UP.has(name)));

test('a statement that charges several calls has the same results and counters as one statement per call', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(caller, { minLength: 1, maxLength: 3 }),
      fc.array(fc.array(asked, { minLength: 2, maxLength: 14 }), { minLength: 1, maxLength: 3 }),
      async (callers, batches) => {
        const [together, apart] = await Promise.all([Promise.all(callers.map(make)), Promise.all(callers.map(make))]);
        const request = (of: typeof together, ask: Drawn<typeof asked>): ChargeRequest => {
          const { keys = [] } = of[ask.caller % of.length] ?? {};
          const { valid, scope, limit, offset, second } = ask;
          const now = new Date(START + second * 1_000);
          return call(keys[ask.key % keys.length] ?? '', {
            valid,
            scope,
            limit,
            offset,
            now,
            units: valid ? ask.units : 0,
          });
        };
        for (const batch of batches) {
          const found = await inOne(batch.map((ask) => request(together, ask)));
          const alone = batch.map((ask) => request(apart, ask));
          for (const place of inOrder(alone)) {
            const [expected] = await inOne([alone[place] as ChargeRequest]);
            t.deepEqual(shown(found[place]), shown(expected), `call ${place}`);
          }
        }
        for (const [at, { id }] of together.entries())
          t.deepEqual(await counted(id), await counted(apart[at]?.id ?? 0));
      },
    ),
    { numRuns: 30 },
  );
});

test('statements with the same keys in opposite order do not deadlock with each other or with refunds', async (t) => {
  const pools = [0, 1].map(() => createPool(app.services.config.databaseUrl, { max: 4, asynchronousCommit: true }));
  t.teardown(() => Promise.all(pools.map((pool) => pool.end())));
  const organizations = await Promise.all(Array.from({ length: 4 }, () => organization({ plan: 'enterprise' })));
  const keys: string[] = [];
  for (const { id, key } of organizations) {
    const project_id = await project(id, null);
    keys.push(key, await createKey(app.services, id, { columns: { project_id } }));
    // Each key may use 30 units per minute, enough for one unit per round.
    for (let n = 0; n < 3; n++) keys.push(await createKey(app.services, id, { kind: 'test' }));
  }
  const rounds = 25;
  let taken = 0;
  const worker = async (index: number): Promise<void> => {
    const db = pools[index % 2] as pg.Pool;
    const ordered = index % 2 === 0 ? keys : [...keys].reverse();
    const id = newSession();
    for (let round = 0; round < rounds; round++) {
      const now = new Date(START + round * 60_000);
      const first = { session: id.session, charge: 1 + round * keys.length };
      // Each statement starts with a different key.
      const from = (index * 7 + round * 3) % keys.length;
      const mine = [...ordered.slice(from), ...ordered.slice(0, from)];
      const answers = await chargeCalls(
        db,
        first,
        mine.map((key) => call(key, { now })),
        30_000,
      );
      taken += answers.filter(({ outcome }) => outcome === null).length;
      const back = answers[round % answers.length];
      if (back?.outcome !== null) continue;
      await refundCharge(db, back.id, back);
      taken--;
    }
  };
  await t.notThrowsAsync(Promise.all(Array.from({ length: 8 }, (_, index) => worker(index))));
  const sums = await Promise.all(organizations.map(({ id }) => counted(id)));
  t.is(
    sums.reduce((sum, { organization = 0, tests = 0 }) => sum + organization + tests, 0),
    taken,
  );
  for (const { tests, key } of sums) t.is(tests, key);
});

test('when a charge statement is cancelled but still takes effect, each of its calls is refunded once', async (t) => {
  const [one, other] = [await organization(), await organization({ columns: { units_per_month: 4 }, plan: 'free' })];
  const testKey = await createKey(app.services, one.id, { kind: 'test' });
  const id = newSession();
  const calls = [
    call(one.key, { units: 5 }),
    call(other.key, { units: 3 }),
    call(testKey, { units: 7 }),
    call(other.key, { units: 3 }),
    call(one.key, { units: 2 }),
  ];
  t.deepEqual(outcomes(await inOne(calls, id)), ['ok', 'ok', 'ok', 'monthly_quota_exceeded', 'ok']);
  t.deepEqual(await counted(one.id), { organization: 7, tests: 7, key: 7 });
  for (let number = 0; number <= calls.length + 1; number++)
    await Promise.all([1, 2].map(() => settleCharge(app.services.pool, { ...id, charge: number })));
  t.deepEqual([await counted(one.id), await counted(other.id)], [{}, {}]);
  await t.throwsAsync(inOne(calls, { ...id, charge: 6 }), { message: /session is closed/ });
  t.deepEqual([await counted(one.id), await counted(other.id)], [{}, {}]);
});

test('settling a call refunds nothing if its session has executed a later charge statement', async (t) => {
  const { id: organizationId, key } = await organization();
  const id = newSession();
  const earlier = await inOne([call(key), call(key)], id);
  await inOne([call(key), call(key), call(key)], { ...id, charge: 3 });
  for (const charge of [1, 2]) await settleCharge(app.services.pool, { ...id, charge });
  t.is(await units(organizationId), 5);
  const [first] = earlier as [Admitted];
  await refundCharge(app.services.pool, first.id, first);
  await refundCharge(app.services.pool, first.id, first);
  t.is(await units(organizationId), 4, 'a completed call can be refunded');
});

/** Creates the charge queue of an API node with a separate connection pool. */
function startNode(t: ExecutionContext, changes: Partial<Config> = {}) {
  const { pool, logger, config } = app.services;
  const { databaseUrl, journalDir, timeoutFactor } = { ...config, ...changes };
  const chargePool = createPool(databaseUrl, { max: 8, asynchronousCommit: true, statementTimeout: 2_000 });
  const charges = new Charges({ chargePool, pool, logger, now: Date.now, journalDir, timeoutFactor });
  t.teardown(async () => {
    await charges.close();
    await chargePool.end();
  });
  return { charges, chargePool };
}

const verdicts = async (calls: readonly Promise<Admitted | Refused>[]) =>
  (await Promise.allSettled(calls)).map((result) =>
    result.status === 'rejected' ? result.reason.name : (result.value.outcome ?? 'ok'),
  );

test('calls in the same event loop iteration share a statement, up to the maximum number of calls', async (t) => {
  const { charges, chargePool } = startNode(t);
  const sizes: number[] = [];
  chargePool.on('connect', (client) => {
    const { query } = client;
    client.query = ((...of: [{ name?: string; values?: unknown[] }]) => {
      if (of[0].name === 'charge') sizes.push(1);
      if (of[0].name === 'charge-calls') sizes.push(Number(of[0].values?.[1]));
      return (query as (...of: unknown[]) => unknown).apply(client, of);
    }) as typeof client.query;
  });
  const organizations = await Promise.all(Array.from({ length: 3 }, () => organization()));
  const send = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, at) => {
        const { key } = organizations[at % 3] as { key: string };
        return charges.charge(call(key), key);
      }),
    );
  await send(1);
  t.deepEqual(sizes.splice(0), [1]);
  await send(5);
  t.deepEqual(sizes.splice(0), [5]);
  await send(2 * AT_ONCE + 10);
  // The sizes are recorded in order, because prepared statements with the same name run sequentially.
  t.deepEqual(sizes.splice(0), [AT_ONCE, AT_ONCE, 10]);
  t.deepEqual(await Promise.all(organizations.map(({ id }) => units(id))), [28, 27, 25]);
});

test('a call that cannot be charged does not make other calls of its statement fail', async (t) => {
  const { charges, chargePool } = startNode(t);
  // The stuck call fails early enough for the other calls to succeed in time.
  chargePool.on('connect', (client) => void client.query('set statement_timeout = 700'));
  const organizations = await Promise.all(Array.from({ length: 6 }, () => organization()));
  const stuck = organizations[2] as { id: number; key: string };
  await charges.charge(call(stuck.key, { units: 3 }), 'warm');
  const holder = new pg.Client({ connectionString: app.services.config.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin');
  await holder.query(`select from unit_counters where subject = 'organization' and subject_id = $1 for update`, [
    stuck.id,
  ]);
  const found = await verdicts(organizations.map(({ key }) => charges.charge(call(key, { units: 2 }), key)));
  t.deepEqual(found, ['ok', 'ok', 'StoreError', 'ok', 'ok', 'ok']);
  await holder.query('rollback');
  await t.notThrowsAsync(eventually(() => charges.pendingRefunds === 0));
  t.deepEqual(await Promise.all(organizations.map(({ id }) => units(id))), [2, 2, 3, 2, 2, 2]);
  t.is((await charges.charge(call(stuck.key), stuck.key)).outcome, null);
});

test('calls with other keys do not wait for a call that is blocked by a lock', async (t) => {
  const { charges, chargePool } = startNode(t);
  // The statement timeout is high, so that only the lock timeout aborts statements.
  chargePool.on('connect', (client) => void client.query('set statement_timeout = 60000'));
  const stuck = await organization();
  const others = await Promise.all(Array.from({ length: 3 }, () => organization()));
  const holder = new pg.Client({ connectionString: app.services.config.databaseUrl });
  await holder.connect();
  t.teardown(() => holder.end());
  await charges.charge(call(stuck.key), stuck.key);
  await holder.query('begin');
  await holder.query(`select from unit_counters where subject = 'organization' and subject_id = $1 for update`, [
    stuck.id,
  ]);
  let answered = false;
  const waiting = charges.charge(call(stuck.key, { units: 4 }), stuck.key).finally(() => {
    answered = true;
  });
  for (let round = 0; round < 3; round++) {
    const found = await verdicts(others.map(({ key }) => charges.charge(call(key, { units: 2 }), key)));
    t.deepEqual(found, ['ok', 'ok', 'ok']);
    if (round === 0) t.false(answered, 'the other calls completed first');
  }
  await holder.query('rollback');
  // On a busy machine, the call may have timed out by now.
  const [verdict] = await verdicts([waiting]);
  await t.notThrowsAsync(eventually(() => charges.pendingRefunds === 0));
  t.is(await units(stuck.id), verdict === 'ok' ? 5 : 1);
  t.deepEqual(await Promise.all(others.map(({ id }) => units(id))), [6, 6, 6]);
});

for (const [title, mode] of [
  ['it is executed after its caller timed out', 'freeze'],
  ['it is executed and its response is lost', 'cut'],
] as const) {
  test(`all calls of a charge statement are refunded if ${title}`, async (t) => {
    const database = new URL(app.services.config.databaseUrl);
    const proxy = await startTcpProxy(new URL(database));
    t.teardown(proxy.close);
    database.hostname = '127.0.0.1';
    database.port = String(proxy.port);
    const { charges } = startNode(t, { databaseUrl: database.href, timeoutFactor: 1 });
    const organizations = await Promise.all(Array.from({ length: 5 }, () => organization({ plan: 'starter' })));
    const send = (each: number) =>
      verdicts(organizations.flatMap(({ key }) => [1, 2].map(() => charges.charge(call(key, { units: each }), key))));
    const all = () => Promise.all(organizations.map(({ id }) => units(id)));
    const allGoThrough = async (): Promise<boolean> => (await send(1)).every((verdict) => verdict === 'ok');
    const settled = () => eventually(() => charges.pendingRefunds === 0);
    // Repeated, because connecting is slow on a busy machine.
    await t.notThrowsAsync(eventually(allGoThrough));
    await t.notThrowsAsync(settled());
    const before = await all();
    await proxy.set(mode);
    t.deepEqual(await send(3), Array(10).fill('StoreError'));
    await proxy.set('pass');
    await t.notThrowsAsync(settled());
    t.deepEqual(await all(), before);
    await t.notThrowsAsync(eventually(allGoThrough));
  });
}
