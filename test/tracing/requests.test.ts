import type { ExecutionContext } from 'ava';
import { startTestApp } from '#test/app.ts';
import { testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { startProxy } from '#test/holding-proxy.ts';
import { test } from '#test/test.ts';
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from '#test/trace-receiver.ts';
import { startReceiver, startWebhookApp } from '#test/webhooks.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const TRACEPARENT = `00-${TRACE}-${CLIENT_SPAN}-01`;

/** Starts the service behind a proxy of OpenSearch that notes the `X-Opaque-Id` headers of searches. */
async function startTraced(t: ExecutionContext, env: Readonly<Record<string, string>>) {
  const opaqueIds: (string | undefined)[] = [];
  const front = await startProxy(testEnv().OPENSEARCH_URL, async (path, { method, headers }) => {
    if (method === 'POST' && path.includes('listings/_search'))
      opaqueIds.push(headers['x-opaque-id'] as string | undefined);
  });
  t.teardown(front.close);
  const app = await startTestApp({ env: { OPENSEARCH_URL: front.url, ...env } });
  t.teardown(app.close);
  const city = (await app.addCity()).slug;
  await indexListings(app.services, [makeListing({ location: { city } })]);
  const { key } = await createOrganization(app.services);
  opaqueIds.length = 0;
  return { app, key, opaqueIds, search: `/v1/listings?city=${city}&listing_type=rent` };
}

/** Returns the spans of a trace once its request span has arrived; children are recorded before it. */
async function spansOf(receiver: TraceReceiver, traceId: string): Promise<ReceivedSpan[]> {
  const found = () => receiver.spans.filter((span) => span.traceId === traceId);
  await eventually(() => found().some(({ kind }) => kind === 2));
  return found();
}

test('a request continues the trace of its client through Postgres and OpenSearch', async (t) => {
  const receiver = await startTraceReceiver();
  t.teardown(receiver.close);
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: 'listings-test' };
  const { app, key, opaqueIds, search } = await startTraced(t, env);
  const response = await app.request(search, { key, headers: { traceparent: TRACEPARENT } });
  t.is(response.status, 200);
  const requestId = response.headers.get('X-Request-Id');
  const spans = await spansOf(receiver, TRACE);
  const named = (name: string) => spans.find((span) => span.name === name);
  const root = named('GET /v1/listings');
  t.is(root?.parentSpanId, CLIENT_SPAN);
  t.like(root?.attributes, {
    'http.request.method': 'GET',
    'http.route': '/v1/listings',
    'http.response.status_code': '200',
    'listings.request_id': requestId,
    'listings.units': response.headers.get('X-Request-Units'),
  });
  const charge = named('charge');
  t.is(charge?.parentSpanId, root?.spanId);
  const statement = spans.find(
    ({ name, parentSpanId }) => /^postgresql /.test(name) && parentSpanId === charge?.spanId,
  );
  t.like(statement, { kind: 3, attributes: { 'db.system.name': 'postgresql' } });
  t.false(JSON.stringify(spans).includes(key.slice(-20)), 'no key');
  const found = named('opensearch search');
  t.is(found?.parentSpanId, root?.spanId);
  t.like(found?.attributes, { 'db.system.name': 'opensearch', 'db.operation.name': 'search' });
  t.regex(found?.attributes['db.collection.name'] ?? '', /listings$/);
  t.true(spans.every((span) => BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)));
  t.true(opaqueIds.length > 0);
  t.deepEqual([...new Set(opaqueIds)], [`${TRACE}/${requestId}`]);
  t.is(receiver.requests[0]?.service, 'listings-test');
});

test('a request with an invalid traceparent starts a new trace, and the trace of a failed request has its error', async (t) => {
  const receiver = await startTraceReceiver();
  t.teardown(receiver.close);
  const { app, key, search } = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  app.services.listings.read = () => Promise.reject(new Error('planted'));
  const headers = { traceparent: `00-${TRACE}-${'0'.repeat(16)}-01` };
  t.is((await app.request(search, { key, headers })).status, 500);
  t.is((await app.request(`${search}&bed=1`, { key })).status, 400);
  const roots = () => receiver.spans.filter(({ kind }) => kind === 2);
  await eventually(() => roots().length === 2);
  t.is(new Set(roots().map(({ traceId }) => traceId)).size, 2);
  t.deepEqual(
    roots().map(({ traceId, parentSpanId, status, attributes }) => [
      traceId === TRACE,
      parentSpanId,
      status.code,
      attributes['error.type'],
    ]),
    [
      [false, undefined, 2, 'internal_error'],
      [false, undefined, undefined, 'unknown_parameter'],
    ],
  );
});

test('an unavailable or unresponsive trace receiver affects no request', async (t) => {
  const receiver = await startTraceReceiver();
  receiver.status = null;
  for (const endpoint of ['http://127.0.0.1:9', receiver.url]) {
    const { app, key, search } = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await app.request(search, { key })).status),
    );
    t.deepEqual([...new Set(statuses)], [200]);
  }
  await receiver.close();
});

test('search requests of unsampled traces carry the trace id, and nothing is traced if no receiver is configured', async (t) => {
  const receiver = await startTraceReceiver();
  t.teardown(receiver.close);
  const headers = { traceparent: TRACEPARENT };
  const unrecorded = await startTraced(t, { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_TRACES_SAMPLER_ARG: '0' });
  t.is((await unrecorded.app.request(unrecorded.search, { key: unrecorded.key, headers })).status, 200);
  t.true(unrecorded.opaqueIds.every((id) => id?.startsWith(`${TRACE}/req_`)));
  const disabled = await startTraced(t, {});
  t.is(disabled.app.services.tracer, null);
  t.is((await disabled.app.request(disabled.search, { key: disabled.key, headers })).status, 200);
  t.deepEqual([...new Set(disabled.opaqueIds)], [undefined]);
  t.deepEqual(receiver.requests, []);
});

test('each webhook attempt has a separate trace, whose id is sent to the receiver', async (t) => {
  const traces = await startTraceReceiver();
  const receiver = await startReceiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
  const app = await startWebhookApp('traced_webhooks', { privateHosts: [receiver.host], env });
  t.teardown(async () => {
    await app.close();
    await Promise.all([traces.close(), receiver.close()]);
  });
  await app.subscribe(`${receiver.url}in`);
  const begun = receiver.received.length;
  const stop = app.startWorker();
  await app.run([{ listing: app.listing() }, { listing: app.listing() }]);
  await app.until(() => receiver.received.length === begun + 2);
  await stop();
  const ids = receiver.received.slice(begun).map(({ headers }) => String(headers.traceparent));
  const attempts = () => traces.spans.filter(({ name }) => name === 'POST webhook');
  await app.until(() => attempts().length === 2);
  t.deepEqual(
    ids.sort(),
    attempts()
      .map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
      .sort(),
  );
  t.is(new Set(attempts().map(({ traceId }) => traceId)).size, 2);
  for (const { parentSpanId, attributes } of attempts()) {
    t.is(parentSpanId, undefined);
    t.like(attributes, { 'http.response.status_code': '200', 'listings.event_type': 'listing.created' });
  }
});
