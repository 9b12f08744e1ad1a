import type { ExecutionContext } from 'ava';
import pg from 'pg';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { type HttpProxy, startProxy } from '#test/http-proxy.ts';
import { startTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../../stores/opensearch/own-indexes.ts';

const NEEDS_MANAGER = /^\/_(cluster|cat)\b|^(\/[^/]+)?\/_(alias|aliases|mapping|settings)\b/;
const NO_MANAGER =
  '{"error":{"type":"cluster_manager_not_discovered_exception","reason":"ClusterManagerNotDiscoveredException"},"status":503}';

const indexes = ownIndexes();
const target = new URL(testEnv().OPENSEARCH_URL);
/** State of a proxy for OpenSearch that can refuse requests that need the cluster manager, and counts searches. */
const front = { withoutManager: false, probes: 0 };
let frontProxy: HttpProxy;
let other: TcpProxy;
let databaseUrl: string;
let app: TestApp;
let key: string;
let search: string;
test.before(async () => {
  frontProxy = await startProxy(target.href, async (path, { method }, response) => {
    if (path.includes('_search') && method === 'GET') front.probes++;
    if (front.withoutManager && NEEDS_MANAGER.test(path))
      response.writeHead(503, { 'Content-Type': 'application/json' }).end(NO_MANAGER);
  });
  other = await startTcpProxy(target);
  databaseUrl = await createDatabase('readiness');
  const urls = `${frontProxy.url},http://127.0.0.1:${other.port}`;
  app = await startTestApp({ env: { OPENSEARCH_URL: urls, DATABASE_URL: databaseUrl, INDEX_PREFIX: indexes.prefix } });
  ({ key } = await createOrganization(app.services, { plan: 'enterprise' }));
  const { slug } = await app.addCity();
  await indexListings(app.services, [makeListing({ location: { city: slug } })]);
  search = `/v1/listings?city=${slug}&listing_type=rent`;
});
test.after(async () => {
  await other.set('pass');
  await app.close();
  await other.close();
  await frontProxy.close();
  await indexes.remove();
});

/** Waits until the readiness check returns the given status and reason. @returns the last response */
async function verdict(t: ExecutionContext, status: number, reason: string | null): Promise<TestResponse> {
  let response: TestResponse | undefined;
  await eventually(async () => {
    response = await app.request('/readyz');
    return response.status === status && response.body.data.reason === reason;
  }).catch((error: Error) => t.fail(`${error.message}: ${response?.text}`));
  t.is(response?.body.data.status, status === 200 ? 'ready' : 'not_ready');
  t.is(response?.headers.has('Retry-After'), status !== 200);
  return response as TestResponse;
}

test('a node stays ready while the index rejects writes, or the cluster manager and one of two search nodes are unavailable', async (t) => {
  const { body } = await verdict(t, 200, null);
  t.deepEqual(body.data, { status: 'ready', opensearch: 'ok', postgres: 'ok', index_writes: 'ok', reason: null });
  const block = (is: true | null) =>
    indexes.client.send('PUT', `/${indexes.prefix}listings/_settings`, { body: { index: { 'blocks.read_only': is } } });
  const lose = async (isLost: boolean) => {
    front.withoutManager = isLost;
    await other.set(isLost ? 'refuse' : 'pass');
  };
  for (const [begin, end, writes] of [
    [() => block(true), () => block(null), 'blocked'],
    [() => lose(true), () => lose(false), 'ok'],
  ] as const) {
    await begin();
    try {
      // The cached verdict is replaced twice.
      const before = front.probes;
      await eventually(async () => {
        const { status, text, body: readiness } = await app.request('/readyz');
        t.is(status, 200, text);
        return front.probes >= before + 2 && readiness.data.index_writes === writes;
      });
      t.is((await app.request(search, { key })).body.data.length, 1);
    } finally {
      await end();
    }
  }
});

test('a node is not ready while Postgres is read-only, and calls return 503 with Retry-After', async (t) => {
  const name = new URL(databaseUrl).pathname.slice(1);
  const onServer = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: testEnv().DATABASE_URL });
    await client.connect();
    await client.query(sql);
    // Open sessions keep the previous setting.
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await client.end();
  };
  await onServer(`alter database "${name}" set default_transaction_read_only = on`);
  try {
    const { body } = await verdict(t, 503, 'postgres_read_only');
    t.like(body.data, { opensearch: 'ok', postgres: 'unavailable' });
    const refused = await app.request(search, { key });
    t.deepEqual([refused.status, refused.body.error.code], [503, 'internal_error']);
    t.truthy(refused.headers.get('Retry-After'));
    t.notRegex(
      refused.text.replace(refused.body.error.doc_url, ''),
      /index|read-only|transaction|opensearch|postgres/i,
    );
  } finally {
    await onServer(`alter database "${name}" reset default_transaction_read_only`);
  }
  await verdict(t, 200, null);
  t.is((await app.request(search, { key })).status, 200);
});
