import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { endpoints } from '#src/endpoints/index.ts';
import { ApiError } from '#src/http/errors/api-error.ts';
import { administered, verdict } from '#test/administration.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createOrganization, type TestOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/**
 * Events of the test endpoint. `begun <organization id>` is emitted when the side effect has begun. Emit `end
 * <organization id>` to release a held call.
 */
const effects = new EventEmitter();

/** Number of preparations by organization. */
const prepared = new Map<number, number>();

/**
 * A POST endpoint with a countable side effect. The request body can delay, hold or fail the call.
 */
const EFFECT = testEndpoint('/v1/test/effect', {
  method: 'POST',
  bodySchema: {
    type: 'object',
    properties: { fail: { type: 'boolean' }, wait: { type: 'number' }, hold: { type: 'boolean' } },
  },
  prepare: async ({ caller }) => {
    prepared.set(caller.organization_id, (prepared.get(caller.organization_id) ?? 0) + 1);
  },
  handle: async (call, preparation) => {
    const { db } = call;
    await preparation;
    const { fail, hold, wait = 0 } = call.body as { fail?: boolean; hold?: boolean; wait?: number };
    await db.query(
      `insert into audit_events (public_id, organization_id, actor_type, action) values ($1, $2, 'system', 'effect')`,
      [randomUUID(), call.caller.organization_id],
    );
    const held = hold ? once(effects, `end ${call.caller.organization_id}`) : null;
    effects.emit(`begun ${call.caller.organization_id}`);
    await held;
    await db.query('select pg_sleep($1)', [wait]);
    if (fail) throw new ApiError('conflict');
    return { body: { data: { id: randomUUID() } } };
  },
});

/** Current time for the services in epoch milliseconds; null uses the system clock. */
let clock: number | null = null;
const now = () => clock ?? Date.now();
const options = { endpoints: [...endpoints, EFFECT], overrides: { clock: { now, chargeTime: () => null } } };
let app: TestApp;
/**
 * An app in which concurrent requests with the same idempotency key wait at most three seconds for the first request.
 */
let shortWaitApp: TestApp;
test.before(async () => {
  app = await startTestApp(options);
  shortWaitApp = await startTestApp({ ...options, env: { TIMEOUT_FACTOR: '2' } });
});
test.after(() => Promise.all([app.close(), shortWaitApp.close()]));

function post(
  org: TestOrganization,
  idempotencyKey: string,
  body: unknown = {},
  to: TestApp = app,
): Promise<TestResponse> {
  return to.request(EFFECT.path, {
    method: 'POST',
    key: org.key,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function countEffects(org: TestOrganization): Promise<number> {
  const { rows } = await app.services.pool.query<{ effects: number }>(
    `select count(*) as effects from audit_events where organization_id = $1 and action = 'effect'`,
    [org.id],
  );
  return rows[0]?.effects ?? 0;
}

const replayed = ({ headers }: TestResponse) => headers.get('Idempotent-Replay') === 'true';

test('of fifty concurrent requests to two nodes with one idempotency key, one runs, and all return its response', async (t) => {
  const org = await createOrganization(app.services);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => post(org, 'same', { wait: 0.05 }, index % 2 ? app : shortWaitApp)),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  t.is(new Set(answers.map(({ text }) => text)).size, 1);
  t.is(answers.filter((answer) => !replayed(answer)).length, 1);
  t.is(await countEffects(org), 1);
});

test('a retry sent while the first request runs waits for it, and returns 409 after the time limit', async (t) => {
  const org = await createOrganization(app.services);
  const begun = once(effects, `begun ${org.id}`);
  const send = () => post(org, 'slow', { hold: true }, shortWaitApp);
  const first = send();
  await begun;
  const others = await Promise.all(Array.from({ length: 30 }, send));
  effects.emit(`end ${org.id}`);
  for (const copy of others) {
    t.is(verdict(copy), '409 conflict');
    t.truthy(copy.headers.get('Retry-After'));
  }
  t.is((await first).status, 200);
  const preparations = prepared.get(org.id);
  t.true(replayed(await send()));
  t.is(prepared.get(org.id), preparations, 'a stored response needs no preparation');
  t.is(await countEffects(org), 1);
});

test('an idempotency key reused with another body or path is rejected', async (t) => {
  const org = await administered(app);
  const made = await org.post('/keys', { name: 'first' }, 'reused');
  t.is(made.status, 201);
  for (const response of [
    await org.post('/keys', { name: 'second' }, 'reused'),
    await org.post('/keys', { name: 'first', kind: 'test' }, 'reused'),
    await org.post(`/keys/${made.body.data.id}/revoke`, undefined, 'reused'),
  ]) {
    t.is(verdict(response), '409 idempotency_key_reuse');
    t.is(response.body.error.param, 'Idempotency-Key');
  }
  const revoke = (id: string) => org.post(`/keys/${id}/revoke`, undefined, 'revoke');
  const { id: another } = (await org.post('/keys', { name: 'another' })).body.data;
  t.is((await revoke(another)).status, 200);
  t.is(verdict(await revoke(made.body.data.id)), '409 idempotency_key_reuse', 'another key of the same operation');
  const again = await org.post('/keys', { name: 'first' }, 'reused');
  t.is(again.status, 201);
  t.true(replayed(again));
  t.is(again.text, made.text);
  const other = await administered(app);
  t.false(
    replayed(await other.post('/keys', { name: 'first' }, 'reused')),
    'idempotency keys are scoped to the organization',
  );
  for (const [length, expected] of [
    [255, '201'],
    [256, '400 invalid_value'],
  ] as const)
    t.is(verdict(await other.post('/keys', { name: `${length}` }, 'k'.repeat(length))), expected);
});

test('the idempotency key of failed calls can be used again, also by concurrent calls', async (t) => {
  const org = await createOrganization(app.services);
  t.is(verdict(await post(org, 'retry', { fail: true })), '409 conflict');
  t.is(verdict(await post(org, 'retry', '{')), '400 invalid_body');
  const refused = await Promise.all(Array.from({ length: 10 }, () => post(org, 'retry', { fail: true })));
  t.deepEqual([...new Set(refused.map(verdict))], ['409 conflict']);
  t.is(await countEffects(org), 0);
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(org, 'retry', { fail: false })));
  t.deepEqual([...new Set(answers.map(verdict))], ['200']);
  t.is(answers.filter((answer) => !replayed(answer)).length, 1);
  t.is(await countEffects(org), 1);
});

test('an idempotency key expires after exactly 24 hours', async (t) => {
  const org = await createOrganization(app.services);
  const begin = Date.parse('2027-12-31T10:00:00Z');
  clock = begin;
  const first = await post(org, 'day');
  t.false(replayed(first));
  clock = begin + 24 * 3_600_000 - 1;
  const second = await post(org, 'day');
  t.true(replayed(second));
  t.is(second.text, first.text);
  clock = begin + 24 * 3_600_000;
  const third = await post(org, 'day', { other: 'body' });
  t.is(third.status, 200, 'even with another body');
  t.false(replayed(third));
  clock = null;
});
