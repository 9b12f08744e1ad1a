import { isDeepStrictEqual } from 'node:util';
import { ReadQueues } from '#domain/read-queues.ts';
import { endpoints } from '#src/endpoints/index.ts';
import type { Endpoint } from '#src/http/endpoint.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Statistics of an organization that run in parallel in a new process, and that wait. */
const RUNNING = 2;
const WAITING = 128;

const PAGINATION = { limit: 10, next_cursor: null, has_more: false, result_window_reached: false };

let loads = 0;
const gate = Promise.withResolvers<void>();
const STATISTICS = testEndpoint('/v1/test/statistics', {
  queue: 'statistics',
  load: async () => {
    loads++;
    await gate.promise;
    return { body: { data: {} } };
  },
});
const SEARCH = testEndpoint('/v1/test/search', { queue: 'searches' });

let app: TestApp;
test.before(async () => {
  app = await startTestApp({
    endpoints: [STATISTICS, SEARCH],
    overrides: { readQueues: new ReadQueues({ timeoutFactor: 100 }) },
  });
});
test.after(() => app?.close());

test('calls that cannot be queued are refused without a load or a charge, and other calls are served', async (t) => {
  const [{ id, key }, other] = [await createOrganization(app.services), await createOrganization(app.services)];
  const call = (bearer: string) => app.request(STATISTICS.path, { key: bearer });
  const calls = Array.from({ length: RUNNING + WAITING }, () => call(key));
  await eventually(() => app.services.readQueues.queues().some(({ waiting }) => waiting === WAITING));
  for (const bearer of [key, await createKey(app.services, id)]) {
    const { status, headers, body } = await call(bearer);
    t.is(status, 503);
    t.regex(body.error.message, /Too many expensive calls/);
    t.is(headers.get('Retry-After'), '1');
    t.false(headers.has('X-Request-Units'));
  }
  t.is(loads, RUNNING);
  t.is(await unitsUsed(app.services, id), 0, 'no waiting call is charged');
  t.is((await app.request(SEARCH.path, { key })).status, 200, 'searches have another queue');
  const served = call(other.key);
  await eventually(() => app.services.readQueues.queues().some(({ waiting }) => waiting === WAITING + 1));
  gate.resolve();
  for (const { status } of await Promise.all([served, ...calls])) t.is(status, 200);
  t.is(await unitsUsed(app.services, id), 1 + calls.length);
});

test('visitors and Free keys wait in their own queue, however their calls arrive, and others do not', async (t) => {
  const visitorGate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const gated = (endpoint: Endpoint): Endpoint =>
    ({
      ...endpoint,
      load: async ({ requester: { name, isVisitor } }: { requester: { name: string; isVisitor?: boolean } }) => {
        begun.push(name);
        if (isVisitor) await visitorGate.promise;
        return {};
      },
      present: () => ({ body: { data: [], pagination: PAGINATION } }),
    }) as Endpoint;
  const own = await startTestApp({
    endpoints: endpoints.map((each) => (each.operationId === 'searchListings' ? gated(each) : each)),
    overrides: { readQueues: new ReadQueues({ timeoutFactor: 100 }) },
  });
  t.teardown(own.close);
  const { slug } = await own.addCity();
  const query = `city=${slug}&listing_type=rent`;
  const [{ key: free }, { key: paying }] = [
    await createOrganization(own.services, { plan: 'free' }),
    await createOrganization(own.services),
  ];
  const waiting = async (count: number) => {
    const state = { load: 'visitor searches', slots: 1, running: 1, waiting: count };
    await eventually(() => own.services.readQueues.queues().some((each) => isDeepStrictEqual(each, state)));
  };
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'searchListings', arguments: { city: slug, listing_type: 'rent' } },
  };
  const session = await own.visit();
  const calls = [];
  for (const send of [
    () => own.request(`/v1/listings?${query}`, { key: free }),
    () => own.request(`/v1/listings?${query}`, { key: free, method: 'HEAD' }),
    () => own.request('/mcp', { key: free, json: message, headers: { Accept: 'application/json, text/event-stream' } }),
    () => own.request(`/explorer/api/listings?${query}`, { headers: session }),
  ]) {
    calls.push(send());
    await waiting(calls.length - 1);
  }
  t.is((await own.request(`/v1/listings?${query}`, { key: paying })).status, 200);
  t.is((await own.request('/readyz')).status, 200);
  t.is(begun.length, 2);
  visitorGate.resolve();
  for (const { status } of await Promise.all(calls)) t.is(status, 200);
  t.true(begun.includes('127.0.0.1'), 'the address of the visitor');
});
