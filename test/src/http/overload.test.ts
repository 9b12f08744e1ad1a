import { ReadQueues } from '#domain/read-queues.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { eventually } from '#test/eventually.ts';
import { createKey, createOrganization, unitsUsed } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

/** Number of statistics of an organization that run in parallel on one core, and that wait. */
const RUNNING = 1;
const WAITING = 64;

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
  app = await startTestApp({ endpoints: [STATISTICS, SEARCH], overrides: { readQueues: new ReadQueues(1, 100) } });
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
  await eventually(() => loads === RUNNING + 1);
  gate.resolve();
  for (const { status } of await Promise.all([served, ...calls])) t.is(status, 200);
  t.is(await unitsUsed(app.services, id), 1 + calls.length);
});
