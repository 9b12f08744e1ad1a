import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import type { StoredListing } from '#domain/listings/listing.ts';
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

/** Number of `large` calls that run in parallel, and number of `large` calls that an organization can queue. */
const RUNNING = 2;
const WAITING = 64;

/**
 * A real search engine. After `hold`, aggregations wait until `release`. `sent` contains the aggregations since `hold`.
 */
class HeldEngine {
  readonly sent: string[] = [];
  readonly search: SearchEngine;
  #gate: PromiseWithResolvers<void> | null = null;

  constructor(indexPrefix: string) {
    const engine = createSearchEngine({ ...testConfig().opensearch, indexPrefix, timeout: 30_000, connections: 8 });
    this.search = {
      ...engine,
      searchInTurn: async (...asked) => {
        const text = JSON.stringify(asked[1]);
        if (text.includes('"neighborhoods":')) {
          this.sent.push(text);
          await this.#gate?.promise;
        }
        return engine.searchInTurn(...asked);
      },
      search: async <T>(...asked: Parameters<SearchEngine['search']>): Promise<T> => {
        if (JSON.stringify(asked[1]).includes('"circles":')) {
          this.sent.push('circles');
          await this.#gate?.promise;
        }
        return engine.search<T>(...asked);
      },
    };
  }

  hold(): void {
    this.#gate = Promise.withResolvers();
    this.sent.length = 0;
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }
}

// The test uses separate indexes, because identical calls share a result only while nothing is written to the indexes.
const indexes = ownIndexes();
const engine = new HeldEngine(indexes.prefix);
/** Number of database queries, counted as connections acquired from the pools. */
let queries = 0;
let app: TestApp;
let city: string;
let listings: StoredListing[];
let listing: number;
test.before(async () => {
  app = await startTestApp({ env: { INDEX_PREFIX: indexes.prefix }, overrides: { search: engine.search } });
  ({ slug: city } = await app.addCity());
  listings = [makeListing({ location: { city } })];
  listing = listings[0]?.display.id as number;
  await indexListings(app.services, listings);
  for (const pool of [app.services.pool, app.services.chargePool]) pool.on('acquire', () => queries++);
});
test.afterEach(() => engine.release());
test.after(async () => {
  await app.close();
  await indexes.remove();
});

let cohorts = 0;
/** Returns a path for statistics that have not been requested before. */
const another = (): string => `/v1/market/neighborhoods?city=${city}&listing_type=rent&area_min=${++cohorts}`;

/** Creates an organization whose key is cached by the process. */
async function known(): Promise<TestOrganization> {
  const organization = await createOrganization(app.services, { plan: 'enterprise' });
  await app.request(`/v1/listings/count?city=${city}&listing_type=rent`, { key: organization.key });
  return organization;
}

const call = ({ key }: { key: string }, path = another()): Promise<TestResponse> => app.request(path, { key });

const units = ({ id }: TestOrganization) => unitsUsed(app.services, id);

/** Fills the queue of an organization and waits until its calls are charged. */
async function fill(organization: TestOrganization): Promise<Promise<TestResponse>[]> {
  const before = await units(organization);
  const calls = Array.from({ length: RUNNING + WAITING }, () => call(organization));
  await eventually(async () => (await units(organization)) === before + calls.length);
  return calls;
}

function isRefused(t: ExecutionContext, { status, headers, body }: TestResponse): void {
  t.is(status, 503);
  t.is(body.error.code, 'internal_error');
  t.regex(body.error.message, /Too many expensive calls/);
  t.is(headers.get('Retry-After'), '1');
  t.false(headers.has('X-Request-Units'));
}

test('a call that cannot be queued is refused without a database query and without a charge', async (t) => {
  const organization = await known();
  engine.hold();
  const calls = await fill(organization);
  const [charged, before] = [await units(organization), queries];
  const refused = await Promise.all(Array.from({ length: 20 }, () => call(organization)));
  for (const response of refused) isRefused(t, response);
  t.is(queries, before);
  t.is(engine.sent.length, RUNNING);
  engine.release();
  for (const { status } of await Promise.all(calls)) t.is(status, 200);
  t.is(await units(organization), charged);
});

test('all keys of an organization share a queue, and calls by another organization are served', async (t) => {
  const [flooding, other] = [await known(), await known()];
  const second = { key: await createKey(app.services, flooding.id) };
  await app.request('/v1/limits', { key: second.key });
  engine.hold();
  const calls = await fill(flooding);
  isRefused(t, await call(second));
  const paths = [another(), another()];
  const served = paths.map((path) => call(other, path));
  await eventually(async () => (await units(other)) === 2 + 1);
  engine.release();
  for (const { status } of await Promise.all([...served, ...calls])) t.is(status, 200);
  const places = paths.map((path) =>
    engine.sent.findIndex((text) => text.includes(`{"gte":${path.split('=').at(-1)}`)),
  );
  t.true(
    places.every((place) => place >= RUNNING && place < RUNNING + 5),
    places.join(', '),
  );
});

test('cached statistics are served while the queue is full', async (t) => {
  const organization = await known();
  const path = another();
  const { text } = await call(organization, path);
  engine.hold();
  const calls = await fill(organization);
  t.is((await call(organization, path)).text, text);
  isRefused(t, await call(organization));
  engine.release();
  await Promise.all(calls);
});

test('identical calls take a single queue slot and are computed once', async (t) => {
  const [one, two] = [await known(), await known()];
  engine.hold();
  const path = another();
  const calls = Array.from({ length: 150 }, (_, at) => call(at % 2 === 0 ? one : two, path));
  await eventually(async () => (await units(one)) === 75 + 1 && (await units(two)) === 75 + 1);
  engine.release();
  const responses = await Promise.all(calls);
  t.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
  t.is(new Set(responses.map(({ text }) => text)).size, 1);
  t.is(engine.sent.length, 1);
});

test('when a client disconnects, its queued calls are removed and refunded', async (t) => {
  const organization = await known();
  engine.hold();
  const calls = [call(organization), call(organization)];
  await eventually(() => engine.sent.length === RUNNING);
  const before = await units(organization);
  const leaving = new AbortController();
  const headers = { Authorization: `Bearer ${organization.key}` };
  const left = Array.from({ length: WAITING }, () =>
    fetch(new URL(another(), app.url), { headers, signal: leaving.signal }).catch(() => null),
  );
  await eventually(async () => (await units(organization)) === before + WAITING);
  isRefused(t, await call(organization));
  leaving.abort();
  await Promise.all(left);
  await eventually(async () => (await units(organization)) === before);
  const next = call(organization);
  await eventually(async () => (await units(organization)) === before + 1);
  engine.release();
  for (const { status } of await Promise.all([...calls, next])) t.is(status, 200);
  t.is(engine.sent.length, RUNNING + 1, 'no work was done for those that left');
});

test('a comparables call is rejected while the queue is full, and low-cost calls are served', async (t) => {
  const organization = await known();
  const path = `/v1/listings/${listing}/comparables`;
  const { headers } = await call(organization, path);
  const cost = Number(headers.get('X-Request-Units'));
  engine.hold();
  const before = await units(organization);
  const calls = Array.from({ length: 4 + WAITING }, () => call(organization, path));
  await eventually(async () => (await units(organization)) === before + calls.length * cost);
  const asked = queries;
  isRefused(t, await call(organization, path));
  t.is(queries, asked);
  t.is(engine.sent.length, 4);
  t.is((await call(organization, `/v1/listings/${listing}`)).status, 200, 'low-cost calls go on');
  engine.release();
  for (const { status } of await Promise.all(calls)) t.is(status, 200);
});

test('calls with an uncached key use the queue of their network', async (t) => {
  const flooding = await known();
  engine.hold();
  const calls = await fill(flooding);
  const stranger = await createOrganization(app.services, { plan: 'enterprise' });
  const served = call(stranger);
  await eventually(async () => (await units(stranger)) === 1);
  const invented = await call({ key: `${stranger.key.slice(0, -1)}${stranger.key.endsWith('A') ? 'B' : 'A'}` });
  t.is(invented.status, 401);
  engine.release();
  t.is((await served).status, 200);
  await Promise.all(calls);
});

test('MCP tools use the queue of their organization', async (t) => {
  const [flooding, other] = [await known(), await known()];
  const tool = async ({ key }: TestOrganization) => {
    const response = await app.request('/mcp', {
      key,
      headers: { Accept: 'application/json, text/event-stream' },
      json: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'listMarketNeighborhoods', arguments: { city, listing_type: 'rent', area_min: ++cohorts } },
      },
    });
    const text = response.text.startsWith('event:')
      ? (/^data: (.*)$/m.exec(response.text)?.[1] as string)
      : response.text;
    const { result } = JSON.parse(text) as { result: { isError?: boolean; content: [{ text: string }] } };
    return { isError: result.isError ?? false, ...JSON.parse(result.content[0].text) };
  };
  engine.hold();
  const calls = await fill(flooding);
  const refused = await tool(flooding);
  t.like(refused, { isError: true, status: 503, retry_after_seconds: 1 });
  const before = await units(other);
  const served = tool(other);
  await eventually(async () => (await units(other)) === before + 1);
  engine.release();
  t.false((await served).isError);
  await Promise.all(calls);
});

test('a site page is served while an organization’s queue is full', async (t) => {
  const flooding = await known();
  engine.hold();
  const path = `/v1/listings/${listing}/comparables`;
  const calls = Array.from({ length: 4 + WAITING }, () => call(flooding, path));
  await eventually(() => engine.sent.length === 4);
  const page = app.request(`/listings/${listing}`, { headers: { Accept: 'text/html' } });
  await sleep(50);
  engine.release();
  t.is((await page).status, 200);
  await Promise.all(calls);
});

test('every endpoint that uses the search engine declares its load', async (t) => {
  const folder = join(import.meta.dirname, '../../src/endpoints');
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
  for (const name of files) {
    const text = await readFile(join(folder, name), 'utf8');
    if (!/searchIndex|readListings\(|findSubject|byIds|ById|cohortEndpoint|marketEndpoint|cachedAggregation/.test(text))
      continue;
    const exported: readonly unknown[] = Object.values(await import(join(folder, name)));
    for (const endpoint of exported as readonly Partial<Endpoint>[])
      if (endpoint.operationId !== undefined) t.truthy(endpoint.load, `${name}: ${endpoint.operationId}`);
  }
});
