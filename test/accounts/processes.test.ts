import { openServices } from '#src/open-services.ts';
import type { Services } from '#src/services.ts';
import { type ApiProcess, startApiProcess } from '#test/api-process.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization, unitsUsed } from '#test/factories.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';

let database: string;
/** Services used to create organizations and to read the database. Requests are sent to the API processes. */
let services: Services;
let closeServices: () => Promise<void>;
// The processes are started sequentially, because the first one creates the indexes.
let first: ApiProcess;
let nodes: readonly [ApiProcess, ApiProcess];
test.before(async () => {
  database = await createDatabase('processes');
  ({ services, close: closeServices } = await openServices(testConfig({ DATABASE_URL: database })));
  first = await startApiProcess({ DATABASE_URL: database });
  nodes = [first, await startApiProcess({ DATABASE_URL: database })] as const;
});
test.after(async () => {
  await Promise.all(nodes.map((node) => node.end('SIGTERM')));
  await closeServices();
});

const CONCURRENCY = 12;

interface Flood {
  /** Total units of successful responses according to their `X-Request-Units` headers. */
  answered: number;
  codes: Record<string, number>;
  seconds: number;
}

/** Sends requests to both processes alternately, 12 at a time. */
async function flood(key: string, paths: readonly string[]): Promise<Flood> {
  const found: Flood = { answered: 0, codes: {}, seconds: 0 };
  const begun = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < paths.length; index = next++) {
      const response = await fetch(`${nodes[index % 2]?.url}${paths[index]}`, {
        headers: { Authorization: `Bearer ${key}` },
        signal: AbortSignal.timeout(30_000),
      });
      const body = (await response.json()) as { error?: { code: string } };
      const code = body.error?.code ?? 'ok';
      found.codes[code] = (found.codes[code] ?? 0) + 1;
      if (response.ok) found.answered += Number(response.headers.get('X-Request-Units'));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  found.seconds = (performance.now() - begun) / 1_000;
  return found;
}

const SEARCH = '/v1/listings?city=riyadh&listing_type=rent';
/** Returns paths for requests that cost 1 or 3 units each, and at least `units` in total. */
function mixed(units: number): string[] {
  const paths = Array.from({ length: Math.ceil(units / 2) }, (_, index) =>
    index % 2 === 0 ? SEARCH : `${SEARCH}&limit=25`,
  );
  // Requests that cost 1 unit use up a remainder that is too small for a request that costs 3 units.
  return [...paths, SEARCH, SEARCH, SEARCH];
}

test('two processes that receive ten times the rate limit together serve exactly the rate limit', async (t) => {
  const limit = 30;
  const { id, key } = await createOrganization(services, { columns: { units_per_minute: limit } });
  const { answered, codes, seconds } = await flood(key, mixed(limit * 10));
  t.true(seconds < 55, `took ${seconds} s, so that units were replenished`);
  t.is(answered, limit);
  t.is(await unitsUsed(services, id), limit);
  t.deepEqual(Object.keys(codes).sort(), ['ok', 'rate_limited']);
});

async function createKeyOver(url: string, admin: string, idempotencyKey: string): Promise<Response> {
  return fetch(`${url}/v1/organization/keys`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${admin}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    },
    body: JSON.stringify({ name: 'once' }),
    signal: AbortSignal.timeout(20_000),
  });
}

async function keysNamedOnce(organizationId: number): Promise<number> {
  const { rows } = await services.pool.query<{ count: number }>(
    `select count(*) from api_keys where organization_id = $1 and name = 'once'`,
    [organizationId],
  );
  return rows[0]?.count ?? -1;
}

test('fifty concurrent requests to two processes with the same idempotency key create one key', async (t) => {
  const { id } = await createOrganization(services);
  const admin = await createKey(services, id, { kind: 'admin' });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => createKeyOver((nodes[index % 2] as ApiProcess).url, admin, 'both')),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  t.is(answers.filter(({ headers }) => !headers.has('Idempotent-Replay')).length, 1);
  t.is(new Set(await Promise.all(answers.map((answer) => answer.text()))).size, 1);
  t.is(await keysNamedOnce(id), 1);
  t.is((await services.pool.query('select from audit_events where organization_id = $1', [id])).rowCount, 1);
});

for (const [title, what, effects] of [
  ['after the commit and before the response, a retry returns the stored response', 'answer', 1],
  ['before the commit, a retry runs the request', 'request', 0],
] as const) {
  test(`if a process is killed ${title}`, async (t) => {
    const proxy = await startTcpProxy(new URL(database));
    const doomed = await startApiProcess({ DATABASE_URL: proxy.url });
    const { id } = await createOrganization(services);
    const admin = await createKey(services, id, { kind: 'admin' });
    await proxy.set({ commits: what });
    const lost = createKeyOver(doomed.url, admin, 'killed').then(
      () => 'answered',
      () => 'lost',
    );
    await proxy.held;
    // With `answer`, the proxy holds only the confirmation of the commit, so that the effect is committed but the
    // client receives no response.
    await eventually(async () => (await keysNamedOnce(id)) === effects);
    await doomed.end('SIGKILL');
    t.is(await lost, 'lost');
    await proxy.close();

    const retry = await createKeyOver(nodes[0].url, admin, 'killed');
    t.is(retry.status, 201);
    t.is(retry.headers.get('Idempotent-Replay'), effects === 1 ? 'true' : null);
    const { data } = (await retry.json()) as { data: { id: string; secret: string } };
    t.is(await keysNamedOnce(id), 1);
    const events = await services.pool.query('select target_id from audit_events where organization_id = $1', [id]);
    t.deepEqual(events.rows, [{ target_id: data.id }]);
    const used = await fetch(`${nodes[1].url}/v1/limits`, { headers: { Authorization: `Bearer ${data.secret}` } });
    t.is(used.status, 200, 'the secret in the lost response works');
  });
}

test('on SIGTERM a process finishes open requests and writes its buffered log before it exits', async (t) => {
  const node = await startApiProcess({ DATABASE_URL: database });
  const { id, key } = await createOrganization(services);
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => fetch(`${node.url}${SEARCH}`, { headers: { Authorization: `Bearer ${key}` } })),
  );
  t.true(answers.every(({ status }) => status === 200));
  const under = fetch(`${node.url}${SEARCH}`, { headers: { Authorization: `Bearer ${key}`, Connection: 'close' } });
  const [code, last] = await Promise.all([node.end('SIGTERM'), under.catch(() => null)]);
  t.is(code, 0);
  const { rows } = await services.pool.query<{ logged: number; used: number }>(
    `select (select count(*) from request_logs where organization_id = $1) as logged,
            (select sum(units)::bigint from usage_days where organization_id = $1) as used`,
    [id],
  );
  const expected = 40 + (last === null ? 0 : 1);
  t.deepEqual(rows, [{ logged: expected, used: expected }]);
  t.is(
    node.lines.filter((line) => line.includes('"route":"/v1/listings"')).length,
    expected,
    'and the log of the process',
  );
});

test('a database connection that is lost inside a transaction does not crash the process', async (t) => {
  const { id } = await createOrganization(services);
  const admin = await createKey(services, id, { kind: 'admin' });
  const holder = await services.pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from organizations where id = $1 for update', [id]);
  const waiting = createKeyOver(nodes[0].url, admin, 'cut');
  await eventually(async () => {
    const { rowCount } = await services.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'listings-api' and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    return rowCount !== 0;
  });
  await holder.query('rollback');
  holder.release();
  const { status } = await waiting;
  t.true(status === 500 || status === 503, String(status));
  t.is((await createKeyOver(nodes[0].url, admin, 'cut')).status, 201);
});
