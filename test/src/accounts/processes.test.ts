import { openServices } from '#app/open-services.ts';
import type { Services } from '#src/services.ts';
import { type ApiProcess, startApiProcess } from '#test/api-process.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization } from '#test/factories.ts';
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
