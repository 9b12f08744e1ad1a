import fc from 'fast-check';
import { hashKey } from '#src/accounts/keys.ts';
import { Charges } from '#src/metering/charge.ts';
import { type Admitted, type ChargeRequest, type Refusal, refund } from '#src/metering/charge-statement.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import {
  createKey,
  createOrganization,
  createProject,
  makeChargeRequest,
  type OrganizationOptions,
  unitsUsed,
} from '#test/factories.ts';
import { test } from '#test/test.ts';

const START = Date.parse('2026-06-30T23:56:00Z');
const NEXT_MONTH = Date.parse('2026-07-01T00:00:00Z');
const MONTH_AFTER = Date.parse('2026-08-01T00:00:00Z');
const TIMEOUT_MS = 10_000;

let app: TestApp;
test.before(async () => {
  app = await sharedApp();
});

/** The limits of one key in the model. Counters with the same name are shared. */
interface Limits {
  rate: { counter: string; limit: number };
  quota: { counter: string; limit: number; ceiling: number; exceeded: string };
  cap: { counter: string; limit: number; exceeded: string } | null;
  pageSize: number;
  pagingDepth: number;
}

interface Expected {
  outcome: string | null;
  rate_remaining?: number;
  quota_remaining?: number;
  units_until_refused?: number;
  limited_by?: string;
  retry_after?: number | null;
}

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  monthly_quota_exceeded: 'monthly_quota',
  spend_cap_reached: 'spend_cap',
  project_cap_exceeded: 'project_cap',
};

/** The charging law in plain code: units within the last 60 seconds and within the month, by counter. */
class Model {
  readonly #minutes = new Map<string, { second: number; units: number }[]>();
  readonly #months = new Map<string, number>();

  used(counter: string, month: number): number {
    return this.#months.get(`${counter} ${month}`) ?? 0;
  }

  charge(limits: Limits, { units, limit, offset, valid }: Ask, at: number): Expected {
    if (limit > limits.pageSize) return { outcome: 'page_size_exceeded' };
    if (!valid) return { outcome: 'invalid_request' };
    if (offset >= limits.pagingDepth) return { outcome: 'result_window_exceeded' };
    const { rate, quota, cap } = limits;
    const charges = this.#minutes.get(rate.counter) ?? [];
    // A node with a slow clock continues the latest second.
    const second = Math.max(Math.floor(at / 1_000), charges.at(-1)?.second ?? 0);
    const within = (now: number): number =>
      charges.filter((each) => each.second > now - 60).reduce((sum, each) => sum + each.units, 0);
    if (units > 0 && within(second) + units > rate.limit) {
      let wait = 1;
      while (wait < 60 && within(second + wait) + units > rate.limit) wait++;
      return { outcome: 'rate_limited', retry_after: wait };
    }
    const date = new Date(at);
    const month = date.getUTCFullYear() * 100 + date.getUTCMonth() + 1;
    const monthEnd = Math.ceil(((at < NEXT_MONTH ? NEXT_MONTH : MONTH_AFTER) - at) / 1_000);
    const after = (counter: string): number => this.used(counter, month) + units;
    if (units > 0 && after(quota.counter) > quota.ceiling) return { outcome: quota.exceeded, retry_after: monthEnd };
    if (units > 0 && cap && after(cap.counter) > cap.limit) return { outcome: cap.exceeded, retry_after: monthEnd };
    for (const counter of new Set([quota.counter, ...(cap ? [cap.counter] : [])]))
      this.#months.set(`${counter} ${month}`, after(counter));
    if (units > 0) this.#minutes.set(rate.counter, [...charges, { second, units }]);
    const left = quota.limit - this.used(quota.counter, month);
    const capLeft = cap ? cap.limit - this.used(cap.counter, month) : Number.POSITIVE_INFINITY;
    const payable = quota.ceiling - this.used(quota.counter, month);
    return {
      outcome: null,
      rate_remaining: Math.max(0, rate.limit - within(second) - units),
      quota_remaining: Math.max(0, Math.min(left, capLeft)),
      units_until_refused: Math.max(0, Math.min(payable, capLeft)),
      limited_by: LIMIT_NAMES[(capLeft < payable ? cap?.exceeded : null) ?? quota.exceeded] as string,
    };
  }
}

type Ask = Pick<ChargeRequest, 'units' | 'limit' | 'offset' | 'valid'>;

const asks = fc.record({
  key: fc.nat(3),
  wait: fc.oneof(fc.integer({ min: -3, max: 40 }), fc.constant(0), fc.constantFrom(59, 60)),
  units: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.constant(0)),
  limit: fc.oneof({ weight: 9, arbitrary: fc.constant(10) }, fc.constantFrom(7, 26)),
  offset: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.constantFrom(199, 200)),
  valid: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false)),
});

const settings = fc.record({
  plan: fc.constantFrom('free' as const, 'starter' as const),
  rate: fc.integer({ min: 12, max: 40 }),
  quota: fc.integer({ min: 20, max: 120 }),
  /** Halalas: 0.006 SAR pay for one unit. */
  spendCap: fc.constantFrom(0, 0.06, 0.3),
  projectCap: fc.integer({ min: 5, max: 40 }),
});

test('the SQL function follows the model for any calls of live, project and test keys, across a month', async (t) => {
  const { services } = app;
  const charges = new Charges(services.pool);
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(asks, { minLength: 8, maxLength: 30 }),
      async ({ plan, rate, quota, spendCap, projectCap }, steps) => {
        const columns = { units_per_minute: rate, units_per_month: quota, spend_cap_sar: spendCap };
        const { id, key } = await createOrganization(services, {
          plan,
          columns: { ...columns, page_size: 25, paging_depth: 200 },
        });
        const project = await createProject(services, id, projectCap);
        const keys = [
          key,
          await createKey(services, id, { columns: { project_id: project.id } }),
          await createKey(services, id, { kind: 'test' }),
          await createKey(services, id, { kind: 'test' }),
        ];
        const mayExceed = plan === 'starter' && spendCap > 0;
        const shared = {
          rate: { counter: 'organization', limit: rate },
          quota: {
            counter: 'organization',
            limit: quota,
            ceiling: quota + (mayExceed ? Math.floor((spendCap * 1_000) / 6) : 0),
            exceeded: mayExceed ? 'spend_cap_reached' : 'monthly_quota_exceeded',
          },
          pageSize: 25,
          pagingDepth: 200,
        };
        const limitsOfTest = (name: string): Limits => ({
          ...shared,
          rate: { counter: name, limit: Math.min(rate, 30) },
          quota: { counter: name, limit: quota, ceiling: quota, exceeded: 'monthly_quota_exceeded' },
          cap: { counter: 'tests', limit: quota, exceeded: 'monthly_quota_exceeded' },
        });
        const limits: Limits[] = [
          { ...shared, cap: null },
          { ...shared, cap: { counter: 'project', limit: projectCap, exceeded: 'project_cap_exceeded' } },
          limitsOfTest('test 1'),
          limitsOfTest('test 2'),
        ];
        const model = new Model();
        let at = START;
        for (const { key: index, wait, ...ask } of steps) {
          at += wait * 1_000;
          const request = makeChargeRequest(services, keys[index] as string, { ...ask, now: new Date(at) });
          const answer = await charges.charge(request, TIMEOUT_MS);
          const expected = model.charge(limits[index] as Limits, ask, at);
          t.like(answer, expected, JSON.stringify({ ask, index, at: new Date(at) }));
        }
        for (const [subject, subjectId, counter] of [
          ['organization', id, 'organization'],
          ['tests', id, 'tests'],
          ['project', project.id, 'project'],
        ] as const)
          t.is(await countedIn(subject, subjectId, 202606), model.used(counter, 202606), subject);
      },
    ),
    { numRuns: 30 },
  );
});

async function countedIn(subject: string, id: number, month: number): Promise<number> {
  const { rows } = await app.services.pool.query<{ units: number }>(
    'select units from unit_counters where subject = $1 and subject_id = $2 and month = $3',
    [subject, id, month],
  );
  return rows[0]?.units ?? 0;
}

test('parallel calls on two nodes are admitted exactly up to the rate, the quota, the spend cap and the project cap', async (t) => {
  const nodes = [new Charges(app.services.pool), new Charges(app.services.chargePool)];
  const count = async (key: string): Promise<number> => {
    const now = new Date(START);
    const calls = Array.from({ length: 96 }, (_, at) =>
      (nodes[at % 2] as Charges).charge(makeChargeRequest(app.services, key, { now }), 30_000),
    );
    return (await Promise.all<Admitted | Refusal>(calls)).filter(({ outcome }) => outcome === null).length;
  };
  const hard = await createOrganization(app.services, { columns: { units_per_month: 50 } });
  const rated = await createOrganization(app.services, { plan: 'starter' });
  const soft = await createOrganization(app.services, {
    plan: 'starter',
    columns: { units_per_minute: 10_000, units_per_month: 20, spend_cap_sar: 0.12 },
  });
  const capped = await createOrganization(app.services);
  const project = await createProject(app.services, capped.id, 30);
  const inProject = await createKey(app.services, capped.id, { columns: { project_id: project.id } });
  t.deepEqual(
    [await count(rated.key), await count(hard.key), await count(soft.key), await count(inProject)],
    [60, 50, 40, 30],
  );
  t.deepEqual(
    [
      await countedIn('organization', rated.id, 202606),
      await countedIn('organization', hard.id, 202606),
      await countedIn('organization', soft.id, 202606),
      await countedIn('project', project.id, 202606),
    ],
    [60, 50, 40, 30],
  );
});

test('concurrent charges and refunds of one project do not deadlock', async (t) => {
  const { id } = await createOrganization(app.services);
  const project = await createProject(app.services, id, 1_000_000);
  const key = await createKey(app.services, id, { columns: { project_id: project.id } });
  const charges = new Charges(app.services.chargePool);
  const worker = async (): Promise<void> => {
    for (let at = 0; at < 20; at++) {
      const charged = await charges.charge(makeChargeRequest(app.services, key, { units: 2 }), 30_000);
      if (charged.outcome !== null) throw new Error(charged.outcome);
      if (at % 2 === 0) await inTransaction(app.services.pool, (db) => refund(db, charged));
    }
  };
  await t.notThrowsAsync(Promise.all(Array.from({ length: 12 }, worker)));
  t.is(await unitsUsed(app.services, id), 12 * 10 * 2);
  t.is(await unitsUsed(app.services, project.id, 'project'), 12 * 10 * 2);
});

test('a test key has limits that never exceed those of its organization', async (t) => {
  const limitsOfTest = async (options: OrganizationOptions) => {
    const key = await createKey(app.services, (await createOrganization(app.services, options)).id, { kind: 'test' });
    return app.services.charges.charge(makeChargeRequest(app.services, key), TIMEOUT_MS);
  };
  const wide = { rate_limit: 30, quota_limit: 1_000, page_size: 25, paging_depth: 250 };
  t.like(await limitsOfTest({ plan: 'pro' }), wide);
  t.like(await limitsOfTest({ plan: 'enterprise' }), wide);
  const small = await limitsOfTest({ plan: 'free', columns: { units_per_minute: 20, page_size: 10 } });
  t.like(small, { rate_limit: 20, quota_limit: 250, page_size: 10, paging_depth: 250 });
});

test('all test keys of an organization, however many it makes in a month, have the units of three', async (t) => {
  const { id } = await createOrganization(app.services, { plan: 'enterprise' });
  const chargeNew = async (units: number) => {
    const key = await createKey(app.services, id, { kind: 'test' });
    return (await app.services.charges.charge(makeChargeRequest(app.services, key, { units }), TIMEOUT_MS)).outcome;
  };
  t.is(await chargeNew(5), null);
  const { rowCount } = await app.services.pool.query(
    `update unit_counters set units = 2990 where subject = 'tests' and subject_id = $1`,
    [id],
  );
  t.is(rowCount, 1);
  t.is(await chargeNew(11), 'monthly_quota_exceeded');
  t.is(await chargeNew(10), null);
  t.is(await chargeNew(1), 'monthly_quota_exceeded');
});

/**
 * Charges the given units in separate calls through the API's charge pool.
 * @returns for each charge, the `synchronous_commit` setting of its transaction, or the reason for the refusal
 */
async function commits(key: string, units: readonly number[]): Promise<string[]> {
  const found = [];
  const client = await app.services.chargePool.connect();
  try {
    for (const each of units) {
      await client.query('begin');
      const { rows } = await client.query(
        `select charge($1, 'data', null, $2, true, 0, 0, null, null) ->> 'outcome' as outcome`,
        [hashKey(key, app.services.config.keyPepper), each],
      );
      const setting = await client.query<{ synchronous_commit: string }>('show synchronous_commit');
      found.push(rows[0]?.outcome ?? setting.rows[0]?.synchronous_commit);
      await client.query('commit');
    }
  } finally {
    client.release();
  }
  return found;
}

test('charges that are not billed commit asynchronously, and all other writes synchronously', async (t) => {
  const columns = { units_per_month: 10, units_per_minute: 1_000, spend_cap_sar: 0.06 };
  const { id, key } = await createOrganization(app.services, { plan: 'starter', columns });
  t.deepEqual(await commits(key, [5, 5, 1, 9, 1]), ['off', 'off', 'on', 'on', 'spend_cap_reached']);
  const ofTest = await createKey(app.services, id, { kind: 'test' });
  t.deepEqual(await commits(ofTest, [10, 20]), ['off', 'monthly_quota_exceeded'], 'test keys have no overage');
  // Unlimited plans and test keys are never billed.
  const unlimited = await createOrganization(app.services, { plan: 'enterprise' });
  t.deepEqual(await commits(unlimited.key, [50_000]), ['off']);
  t.deepEqual(await commits(await createKey(app.services, unlimited.id, { kind: 'test' }), [30]), ['off']);
  const { rows } = await app.services.pool.query<{ synchronous_commit: string }>('show synchronous_commit');
  t.is(rows[0]?.synchronous_commit, 'on');
});
