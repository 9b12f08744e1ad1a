import type { ExecutionContext } from 'ava';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { testEnv } from '#test/env.ts';
import { createOrganization, indexListings, makeListing, type TestOrganization, unitsUsed } from '#test/factories.ts';
import { startTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';

/** Maximum response time in milliseconds in any state of the datastores. */
const LIMIT = 10_000;

interface Bent {
  app: TestApp;
  organization: TestOrganization;
  search: string;
  detail: string;
  /** Paths of operations that each run several searches. */
  statistics: string[];
  proxy: TcpProxy;
}

/** Starts the service with a controllable proxy in front of one datastore. */
async function withProxy(variable: 'OPENSEARCH_URL' | 'DATABASE_URL'): Promise<Bent> {
  const url = new URL(testEnv()[variable]);
  const proxy = await startTcpProxy(new URL(url));
  url.hostname = '127.0.0.1';
  url.port = String(proxy.port);
  const app = await startTestApp({ env: { [variable]: url.href, TIMEOUT_FACTOR: '1' } });
  const organization = await createOrganization(app.services, { plan: 'enterprise' });
  const { slug } = await app.addCity();
  const listing = makeListing({ location: { city: slug } });
  await indexListings(app.services, [listing]);
  const search = `/v1/listings?city=${slug}&listing_type=rent`;
  const cohort = `city=${slug}&listing_type=rent`;
  const { id } = listing.display;
  const statistics = [
    `/v1/market/summary?${cohort}`,
    `/v1/market/trends?${cohort}`,
    `/v1/market/deals?${cohort}`,
    ...['comparables', 'estimate', 'price-band', 'market-position'].map((name) => `/v1/listings/${id}/${name}`),
  ];
  return { app, organization, search, detail: `/v1/listings/${id}`, statistics, proxy };
}

/** Both apps are shared by the tests in this file, which therefore run sequentially. */
let engine: Bent;
let database: Bent;
test.before(async () => {
  [engine, database] = await Promise.all([withProxy('OPENSEARCH_URL'), withProxy('DATABASE_URL')]);
});
test.afterEach(async () => {
  for (const { proxy } of [engine, database].filter(Boolean)) await proxy.set('pass');
});
test.after(async () => {
  for (const { app, proxy } of [engine, database].filter(Boolean)) {
    await app.close();
    await proxy.close();
  }
});

async function ask(t: ExecutionContext, { app, organization }: Bent, path: string): Promise<TestResponse> {
  const begun = Date.now();
  const response = await app.request(path, { key: organization.key });
  const took = Date.now() - begun;
  t.true(took < LIMIT, `${path} took ${took} ms`);
  return response;
}

/** Waits until the readiness status has changed, because readiness is cached for a second. */
async function settled(app: TestApp, status: number): Promise<TestResponse> {
  for (const deadline = Date.now() + LIMIT; ; ) {
    const ready = await app.request('/readyz');
    if (ready.status === status || Date.now() > deadline) return ready;
  }
}

/** Checks that the response is an error without details about the datastore. */
function isClean(t: ExecutionContext, { status, body, text, headers }: TestResponse): void {
  t.true(status === 500 || status === 503, `status ${status}`);
  t.is(body.error.code, 'internal_error');
  t.is(body.error.request_id, headers.get('X-Request-Id'));
  t.is(headers.has('Retry-After'), status === 503);
  t.notRegex(
    text.replace(body.error.doc_url, ''),
    /127\.0\.0\.1|ECONN|select |charge\(|_search|opensearch|postgres|undici|at .*\.ts|"query"/i,
  );
}

const units = ({ app, organization }: Bent) => unitsUsed(app.services, organization.id);

const OPENSEARCH_BUSY = '{"error":{"type":"circuit_breaking_exception","reason":"secret query"},"status":429}';
const OPENSEARCH_ERROR = '{"error":{"type":"null_pointer_exception","reason":"secret query"},"status":500}';
const http = (status: string, body: string): { answer: string } => ({
  answer: `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
});

type Mode = Parameters<TcpProxy['set']>[0];
const CASES: readonly (readonly [store: 'opensearch' | 'postgres', title: string, mode: Mode, status?: number])[] = [
  ['opensearch', 'refuses connections', 'refuse'],
  ['opensearch', 'does not respond', 'hang'],
  ['opensearch', 'closes the connection within a response', 'cut'],
  ['opensearch', 'responds byte by byte', 'drip'],
  ['opensearch', 'returns 429', http('429 Too Many Requests', OPENSEARCH_BUSY)],
  ['opensearch', 'returns 500', http('500 Internal Server Error', OPENSEARCH_ERROR), 500],
  ['opensearch', 'returns text that is not JSON', http('200 OK', '<html>'), 500],
  ['postgres', 'refuses connections', 'refuse'],
  ['postgres', 'does not respond', 'hang'],
  ['postgres', 'closes the connection within a response', 'cut'],
  ['postgres', 'processes statements after they have timed out', 'freeze'],
];
for (const [store, title, mode, status = 503] of CASES)
  test(`calls return an error in time and are not charged if ${store} ${title}`, async (t) => {
    const isEngine = store === 'opensearch';
    const bent = isEngine ? engine : database;
    const { app, proxy, search, detail, statistics, organization } = bent;
    // Not through the proxy.
    const charged = () => unitsUsed(engine.app.services, organization.id);
    t.is((await ask(t, bent, search)).status, 200);
    const before = await charged();
    await proxy.set(mode);
    const paths = isEngine ? [search, detail, search, ...statistics] : [...Array(20).fill(search), '/r/1'];
    for (const answer of await Promise.all(paths.map((path) => ask(t, bent, path)))) {
      isClean(t, answer);
      t.is(answer.status, status);
    }
    // Operations that do not need the datastore are served.
    for (const path of isEngine ? ['/v1/cities', '/v1/limits'] : ['/v1/openapi.json'])
      t.is((await ask(t, bent, path)).status, 200, path);
    if (isEngine) t.is(await charged(), before, 'no call is charged');
    const [alive, ready] = await Promise.all([app.request('/healthz'), settled(app, 503)]);
    t.is(alive.status, 200);
    t.is(ready.status, 503);
    t.truthy(ready.headers.get('Retry-After'));
    const states = { opensearch: 'ok', postgres: 'ok', index_writes: 'ok', [store]: 'unavailable' };
    t.deepEqual(ready.body, { data: { status: 'not_ready', ...states, reason: `${store}_unavailable` } });
    await proxy.set('pass');
    t.is((await ask(t, bent, search)).status, 200, 'it is used again once it is available');
    t.is((await settled(app, 200)).status, 200);
    // A charge in Postgres whose response was cut is made.
    if (isEngine || mode !== 'cut') t.is(await charged(), before + 1, 'no other call is charged');
  });

test('if the search engine is slow, a response that needs many searches times out', async (t) => {
  const { proxy, search, statistics } = engine;
  for (const path of [search, ...statistics]) t.is((await ask(t, engine, path)).status, 200, path);
  const before = await units(engine);
  await proxy.set({ delay: 4_200 });
  const answers = await Promise.all(statistics.map((path) => ask(t, engine, path)));
  const failed = answers.filter(({ status }) => status !== 200);
  t.true(failed.length > 0);
  for (const answer of failed) {
    isClean(t, answer);
    t.is(answer.status, 503);
  }
  await proxy.set('pass');
  const charged = answers.map(({ status, headers }) => (status === 200 ? Number(headers.get('X-Request-Units')) : 0));
  t.is(await units(engine), before + charged.reduce((sum, each) => sum + each, 0), 'a cancelled call is not charged');
});

test('while a datastore is unavailable, browsers get an error page and other clients get a JSON error', async (t) => {
  await Promise.all([engine.proxy.set('refuse'), database.proxy.set('refuse')]);
  const pageAs = ({ app }: Bent, path: string, accept: string) => app.request(path, { headers: { Accept: accept } });
  for (const [bent, path] of [
    [engine, '/ar'],
    [engine, `/listings/${engine.detail.split('/').at(-1)}`],
    [database, '/r/1'],
  ] as const) {
    const { status, text, headers } = await pageAs(bent, path, 'text/html,*/*;q=0.8');
    t.is(status, 503, path);
    t.truthy(headers.get('retry-after'), path);
    t.is(headers.get('cache-control'), 'no-store');
    t.regex(text, /<h1>(Temporarily unavailable|الخدمة غير متاحة الآن)<\/h1>/, path);
    t.notRegex(text, /ECONN|_search|StoreError/);
    isClean(t, await pageAs(bent, path, '*/*'));
  }
  t.is((await pageAs(engine, '/guides', 'text/html')).status, 200);
});
