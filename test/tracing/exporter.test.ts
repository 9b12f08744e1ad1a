import { eventually } from '#test/eventually.ts';
import { test } from '#test/test.ts';
import { startTraceReceiver } from '#test/trace-receiver.ts';
import { SpanExporter } from '#tracing/exporter.ts';
import { activeSpan, type EndedSpan, inSpan } from '#tracing/span.ts';
import { formatTraceparent, parseTraceparent, Tracer } from '#tracing/tracer.ts';

const span = (name: string): EndedSpan => ({
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: null,
  name,
  kind: 'server',
  begunMs: 1_750_000_000_000.25,
  endedMs: 1_750_000_000_001.5,
  attributes: { text: 'x', number: 3, missing: undefined },
  failed: true,
});

test('valid traceparent headers are parsed, invalid ones are ignored', (t) => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  t.deepEqual(parseTraceparent(`00-${traceId}-${spanId}-01`), { traceId, spanId });
  t.deepEqual(parseTraceparent(`00-${traceId}-${spanId}-00`), { traceId, spanId });
  t.deepEqual(parseTraceparent(`cc-${traceId}-${spanId}-01-later`), { traceId, spanId }, 'a later version');
  t.deepEqual(parseTraceparent(formatTraceparent({ traceId, spanId })), { traceId, spanId });
  for (const invalid of [
    '',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`,
    `00-${traceId} -${spanId}-01`,
    `00-${traceId}-${spanId}-zz`,
  ])
    t.is(parseTraceparent(invalid), null, invalid);
});

test('the share of recorded traces is the sampling ratio, and only the trace id decides whether a trace is recorded', async (t) => {
  const recorded: EndedSpan[] = [];
  const tracer = new Tracer(0.25, (each) => recorded.push(each));
  const options = { name: 'GET', kind: 'server' } as const;
  for (let count = 0; count < 2_000; count++) await tracer.trace(options, async () => {});
  t.true(recorded.length > 400 && recorded.length < 600, `${recorded.length}`);
  const again = new Tracer(0.25, () => t.pass());
  const [{ traceId } = { traceId: '' }] = recorded;
  t.plan(2);
  // Even if the client declares that it does not record.
  await again.trace({ ...options, traceparent: `00-${traceId}-${'c'.repeat(16)}-00` }, async () => {});
});

test('spans are children of the active span, and work after the end of the trace is not recorded', async (t) => {
  const recorded: EndedSpan[] = [];
  const tracer = new Tracer(1, (each) => recorded.push(each));
  const child = { name: 'child', kind: 'internal' } as const;
  const begun = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  await t.throwsAsync(
    tracer.trace({ name: 'root', kind: 'server' }, async () => {
      late = begun.promise.then(() => inSpan({ ...child, name: 'late' }, async () => t.is(activeSpan(), undefined)));
      await inSpan(child, () => inSpan({ ...child, name: 'grandchild' }, async () => {}));
      throw new Error('planted');
    }),
    { message: 'planted' },
  );
  begun.resolve();
  await late;
  await inSpan(child, async () => t.is(activeSpan(), undefined));
  const [grandchild, parent, root] = recorded;
  t.deepEqual(
    recorded.map(({ name }) => name),
    ['grandchild', 'child', 'root'],
  );
  t.is(grandchild?.parentSpanId, parent?.spanId);
  t.is(parent?.parentSpanId, root?.spanId);
  t.deepEqual([root?.parentSpanId, root?.failed, parent?.failed], [null, true, false]);
});

test('spans are sent as OTLP/JSON in batches with the configured headers', async (t) => {
  const receiver = await startTraceReceiver();
  t.teardown(receiver.close);
  const logger = { warn: () => t.fail() };
  const headers = { 'x-tenant': 'a' };
  const exporter = new SpanExporter({ endpoint: receiver.url, headers, serviceName: 'listings', logger });
  for (let count = 0; count < 600; count++) exporter.record(span(`s${count}`));
  await exporter.close();
  t.is(receiver.spans.length, 600);
  t.deepEqual(
    receiver.requests.map((request) => [request.path, request.spans, request.service, request.headers['x-tenant']]),
    [
      ['/v1/traces', 512, 'listings', 'a'],
      ['/v1/traces', 88, 'listings', 'a'],
    ],
  );
  t.deepEqual(receiver.spans[0], {
    traceId: 'a'.repeat(32),
    spanId: 'b'.repeat(16),
    name: 's0',
    kind: 2,
    startTimeUnixNano: '1750000000000250000',
    endTimeUnixNano: '1750000000001500000',
    attributes: { text: 'x', number: '3' },
    status: { code: 2 },
  });
});

test('the span queue is bounded, and dropped spans are logged once per minute', async (t) => {
  const receiver = await startTraceReceiver();
  receiver.status = null;
  const lines: object[] = [];
  const logger = { warn: (details: object) => void lines.push(details) };
  const exporter = new SpanExporter({ endpoint: receiver.url, headers: {}, serviceName: 'listings', logger });
  for (let count = 0; count < 10_000; count++) exporter.record(span('s'));
  await eventually(() => receiver.requests.length === 1);
  t.deepEqual(lines, []);
  await receiver.close();
  await exporter.flush();
  t.is(lines.length, 1);
  // One batch was being sent, and the queue was full.
  t.like(lines, [{ spans: 10_000 - 2_048 }]);
  for (let round = 0; round < 3; round++) {
    exporter.record(span('s'));
    await exporter.flush();
  }
  t.is(lines.length, 1);
  await exporter.close();
});
