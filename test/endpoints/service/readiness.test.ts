import type { ExecutionContext } from 'ava';
import pg from 'pg';
import type { StoredListing } from '#domain/listings/listing.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { type HttpProxy, startProxy } from '#test/http-proxy.ts';
import { textOfMarkup } from '#test/markup.ts';
import { startTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../search/own-indexes.ts';

const NEEDS_MANAGER = /^\/_(cluster|cat)\b|^(\/[^/]+)?\/_(alias|aliases|mapping|settings)\b/;
const NO_MANAGER =
  '{"error":{"type":"cluster_manager_not_discovered_exception","reason":"ClusterManagerNotDiscoveredException"},"status":503}';

const indexes = ownIndexes();
const PREFIX = indexes.prefix;
const ALIAS = `${PREFIX}listings`;

const target = new URL(testEnv().OPENSEARCH_URL);
/** State of a proxy for OpenSearch that can refuse requests that need the cluster manager, and counts searches. */
const front = { withoutManager: false, probes: 0 };
let frontProxy: HttpProxy;
let other: TcpProxy;
let databaseUrl: string;
let app: TestApp;
let key: string;
let slug: string;
let listing: StoredListing;
let search: string;
test.before(async () => {
  frontProxy = await startProxy(target.href, async (path, { method }, response) => {
    if (path.includes('_search') && method === 'GET') front.probes++;
    if (front.withoutManager && NEEDS_MANAGER.test(path))
      response.writeHead(503, { 'Content-Type': 'application/json' }).end(NO_MANAGER);
  });
  other = await startTcpProxy(target);
  databaseUrl = await createDatabase('readiness');
  app = await startTestApp({
    env: {
      OPENSEARCH_URL: `${frontProxy.url},http://127.0.0.1:${other.port}`,
      DATABASE_URL: databaseUrl,
      INDEX_PREFIX: PREFIX,
    },
  });
  ({ key } = await createOrganization(app.services, { plan: 'enterprise' }));
  ({ slug } = await app.addCity());
  listing = makeListing({ location: { city: slug } });
  // Searches do not return the second one.
  const hidden = makeListing({ location: { city: slug } }, { plausible_typed: false, plausible_pooled: false });
  await indexListings(app.services, [listing, hidden]);
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

/** Checks that the node stays ready after the cached verdict has been replaced twice. */
async function staysReady(t: ExecutionContext): Promise<void> {
  const before = front.probes;
  await eventually(async () => {
    const { status, text } = await app.request('/readyz');
    t.is(status, 200, text);
    return front.probes >= before + 2;
  });
  const read = await app.request(search, { key });
  t.is(read.status, 200);
  t.is(read.body.data.length, 1);
}

const settings = (index: object): Promise<unknown> =>
  indexes.client.send('PUT', `/${ALIAS}/_settings`, { body: { index } });

test('a node with available datastores is ready, also while the index rejects writes', async (t) => {
  const { body } = await verdict(t, 200, null);
  t.deepEqual(body.data, { status: 'ready', opensearch: 'ok', postgres: 'ok', reason: null });
  for (const block of ['blocks.write', 'blocks.read_only_allow_delete', 'blocks.read_only']) {
    await settings({ [block]: true });
    await staysReady(t).finally(() => settings({ [block]: null }));
  }
});

test('the home page states the number of listings that searches return', async (t) => {
  const { text } = await app.request('/');
  t.is(textOfMarkup(/<dl class="counts"><div><dd>(.*?)<\/dd>/s.exec(text)?.[1] ?? ''), '1');
});

test('a node stays ready while the cluster manager and one of two search nodes are unavailable', async (t) => {
  await verdict(t, 200, null);
  await other.set('refuse');
  front.withoutManager = true;
  try {
    await staysReady(t);
  } finally {
    front.withoutManager = false;
    await other.set('pass');
  }
});

test('the readiness result is cached for one second, and probes are never rejected', async (t) => {
  await verdict(t, 200, null);
  const before = front.probes;
  const begun = performance.now();
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => app.request(n % 2 === 0 ? '/readyz' : '/healthz')),
    );
    t.true(answers.every(({ status }) => status === 200));
  }
  const seconds = (performance.now() - begun) / 1_000;
  t.true(front.probes - before <= Math.ceil(seconds) + 1, `${front.probes - before} probes in ${seconds} s`);
});

test('while the search engine does not respond, a node returns not_ready within the time limit of a request', async (t) => {
  const [a, b] = await Promise.all([startTcpProxy(new URL(frontProxy.url)), startTcpProxy(new URL(frontProxy.url))]);
  const urls = [a, b].map(({ port }) => `http://127.0.0.1:${port}`).join(',');
  const bent = await startTestApp({
    env: { OPENSEARCH_URL: urls, DATABASE_URL: databaseUrl, INDEX_PREFIX: PREFIX, TIMEOUT_FACTOR: '1' },
  });
  try {
    await Promise.all([a.set('hang'), b.set('hang')]);
    const { status, body } = await bent.request('/readyz');
    t.is(status, 503);
    t.deepEqual(body.data, {
      status: 'not_ready',
      opensearch: 'unavailable',
      postgres: 'ok',
      reason: 'opensearch_unavailable',
    });
  } finally {
    await Promise.all([a.set('pass'), b.set('pass')]);
    await bent.close();
    await Promise.all([a.close(), b.close()]);
  }
});

/** Checks for an error that clients retry: 503 with `Retry-After`, without any mention of a datastore. */
function isRetryable(t: ExecutionContext, { status, headers, body, text }: TestResponse): void {
  t.is(status, 503, text);
  t.is(body.error.code, 'internal_error');
  t.truthy(headers.get('Retry-After'));
  t.notRegex(text.replace(body.error.doc_url, ''), /index|read-only|transaction|opensearch|postgres/i);
}

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
  await verdict(t, 200, null);
  await onServer(`alter database "${name}" set default_transaction_read_only = on`);
  try {
    const { body } = await verdict(t, 503, 'postgres_read_only');
    t.deepEqual(body.data, {
      status: 'not_ready',
      opensearch: 'ok',
      postgres: 'unavailable',
      reason: 'postgres_read_only',
    });
    isRetryable(t, await app.request(search, { key }));
    t.is((await app.services.pool.query('select 1 as one')).rows[0].one, 1, 'a statement that only reads succeeds');
  } finally {
    await onServer(`alter database "${name}" reset default_transaction_read_only`);
  }
  await verdict(t, 200, null);
  t.is((await app.request(search, { key })).status, 200);
});

test('a node without its listings index is not ready, and reads return 503 with Retry-After', async (t) => {
  await verdict(t, 200, null);
  const { body: aliases } = await indexes.client.indices.getAlias({ name: ALIAS });
  await indexes.client.indices.delete({ index: Object.keys(aliases) });
  const { body, text } = await verdict(t, 503, 'index_lost');
  t.is(body.data.opensearch, 'unavailable');
  t.is(body.data.postgres, 'ok');
  t.false(text.includes(PREFIX));
  for (const path of [search, `/v1/listings/${listing.display.id}`, `${search}&limit=25`])
    isRetryable(t, await app.request(path, { key }));
});
