import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { ReadQueues } from '#domain/read-queues.ts';
import type { Endpoint } from '#http/endpoint.ts';
import { createSearchEngine, type SearchEngine } from '#search/read-engine.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import {
  createKey,
  createOrganization,
  indexListings,
  makeListing,
  type TestOrganization,
  unitsUsed,
} from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../search/own-indexes.ts';

/** Number of statistics of an organization that run in parallel on one core, and that wait. */
const RUNNING = 1;
const WAITING = 64;

/** Aggregations that were sent since `hold`, which wait until `release`. */
const sent: string[] = [];
let gate: PromiseWithResolvers<void> | null = null;
const hold = (): void => {
  gate = Promise.withResolvers();
  sent.length = 0;
};
const release = (): void => {
  gate?.resolve();
  gate = null;
};

// The test uses separate indexes, because identical calls share a result only while nothing is written to the indexes.
const indexes = ownIndexes();
let app: TestApp;
let city: string;
let listing: number;
test.before(async () => {
  const engine = createSearchEngine({
    ...testConfig().opensearch,
    indexPrefix: indexes.prefix,
    timeout: 30_000,
    connections: 8,
  });
  const search: SearchEngine = {
    ...engine,
    search: async <T>(...asked: Parameters<SearchEngine['search']>): Promise<T> => {
      const text = JSON.stringify(asked[1]);
      if (/"neighborhoods":|"circles":/.test(text)) {
        sent.push(text);
        await gate?.promise;
      }
      return engine.search<T>(...asked);
    },
  };
  app = await startTestApp({
    env: { INDEX_PREFIX: indexes.prefix },
    overrides: { search, readQueues: new ReadQueues(1, 100) },
  });
  city = (await app.addCity()).slug;
  const listings = [makeListing({ location: { city } })];
  listing = listings[0]?.display.id as number;
  await indexListings(app.services, listings);
});
test.afterEach(release);
test.after(async () => {
  await app?.close();
  await indexes.remove();
});

let cohorts = 0;
/** Returns a path for statistics that have not been requested before. */
const another = (): string => `/v1/market/neighborhoods?city=${city}&listing_type=rent&area_min=${++cohorts}`;

/** Creates an organization whose key is cached by the process. */
async function known(): Promise<TestOrganization> {
  const organization = await createOrganization(app.services, { plan: 'enterprise' });
  await app.request('/v1/limits', { key: organization.key });
  return organization;
}

const call = ({ key }: { key: string }, path = another()): Promise<TestResponse> => app.request(path, { key });
const waiting = (): number => app.services.readQueues.queues().find(({ load }) => load === 'statistics')?.waiting ?? 0;

/** Fills the queue of an organization. */
async function fill(organization: TestOrganization, path = another): Promise<Promise<TestResponse>[]> {
  const calls = Array.from({ length: RUNNING + WAITING }, () => call(organization, path()));
  await eventually(() => waiting() === WAITING);
  return calls;
}

function isRefused(t: ExecutionContext, { status, headers, body }: TestResponse): void {
  t.is(status, 503);
  t.regex(body.error.message, /Too many expensive calls/);
  t.is(headers.get('Retry-After'), '1');
  t.false(headers.has('X-Request-Units'));
}

test('a call that cannot be queued is refused without a search or a charge', async (t) => {
  const organization = await known();
  // The window ends in the current minute.
  const statistics = async (): Promise<unknown> => {
    const { body } = await call(organization, `/v1/market/summary?city=${city}&listing_type=rent`);
    return { ...body.data, window: null };
  };
  const first = await statistics();
  hold();
  const calls = await fill(organization);
  const second = { key: await createKey(app.services, organization.id) };
  await app.request('/v1/limits', { key: second.key });
  for (const caller of [organization, second]) isRefused(t, await call(caller));
  t.is(sent.length, RUNNING);
  t.is(await unitsUsed(app.services, organization.id), 1, 'no waiting call is charged');
  t.is((await call(organization, `/v1/listings/${listing}`)).status, 200, 'searches have another queue');
  t.deepEqual(await statistics(), first, 'cached statistics need no queue');
  release();
  for (const { status } of await Promise.all(calls)) t.is(status, 200);
  t.is(await unitsUsed(app.services, organization.id), 1 + calls.length + 2);
});

test('calls of another organization, of MCP tools and of pages are served while a queue is full', async (t) => {
  const [flooding, other] = [await known(), await known()];
  hold();
  const calls = await fill(flooding);
  const tool = app.request('/mcp', {
    key: other.key,
    headers: { Accept: 'application/json, text/event-stream' },
    json: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'listMarketNeighborhoods', arguments: { city, listing_type: 'rent', area_min: ++cohorts } },
    },
  });
  const path = another();
  const served = call(other, path);
  const page = app.request(`/listings/${listing}`, { headers: { Accept: 'text/html' } });
  await eventually(() => waiting() > WAITING);
  release();
  t.is((await served).status, 200);
  t.regex((await tool).text, /structuredContent/);
  t.is((await page).status, 200);
  t.true(sent.findIndex((text) => text.includes(`{"gte":${path.split('=').at(-1)}`)) < 5);
  for (const { status } of await Promise.all(calls)) t.is(status, 200);
});

test('every endpoint that uses the search engine has a queue', async (t) => {
  const folder = join(import.meta.dirname, '../../src/endpoints');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8');
    // Cached aggregations wait only when they are computed.
    if (/cohortEndpoint|marketEndpoint|cachedAggregation/.test(text)) continue;
    if (!/searchIndex|readListings\(|findSubject|byIds|ById/.test(text)) continue;
    const exported: readonly unknown[] = Object.values(await import(join(folder, name)));
    for (const endpoint of exported as readonly Partial<Endpoint>[])
      if (endpoint.operationId !== undefined) t.truthy(endpoint.queue, `${name}: ${endpoint.operationId}`);
  }
});
