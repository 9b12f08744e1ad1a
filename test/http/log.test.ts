import type { ExecutionContext } from 'ava';
import { createLogger, redactSecrets } from '#observability/logger.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '#test/app.ts';
import { testEnv } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { startTcpProxy } from '#test/tcp-proxy.ts';
import { test } from '#test/test.ts';
import { testEndpoint } from '#test/test-endpoint.ts';

const lines: string[] = [];
const logger = createLogger('trace', { write: (line) => void lines.push(line) });
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ overrides: { logger } });
});
test.after(() => app.close());

const lineOf = (requestId: string | null) =>
  lines.map((line) => JSON.parse(line)).find((line) => line.request_id === requestId && line.msg === 'request');

test('every request is logged in the access log', async (t) => {
  const { key, publicId } = await createOrganization(app.services, { plan: 'pro' });
  const found = await app.request('/v1/cities?x=1', { key });
  t.like(lineOf(found.headers.get('X-Request-Id')), {
    level: 30,
    method: 'GET',
    path: '/v1/cities',
    route: '/v1/cities',
    status: 400,
    code: 'unknown_parameter',
    organization: publicId,
    units: 0,
  });
  const charged = await app.request('/v1/listings/1/price-history', { key });
  t.like(lineOf(charged.headers.get('X-Request-Id')), { route: '/v1/listings/{id}/price-history', status: 404 });
  const { city } = { city: (await app.addCity()).slug };
  const page = await app.request(`/v1/listings?city=${city}&listing_type=rent&limit=30`, { key });
  const line = lineOf(page.headers.get('X-Request-Id'));
  t.like(line, { status: 200, units: 3, organization: publicId });
  t.regex(line.key, /^key_/);
  t.true(line.ms > 0);
  const nobody = await app.request('/nothing');
  t.like(lineOf(nobody.headers.get('X-Request-Id')), { path: '/nothing', status: 404, code: 'route_not_found' });
});

test('repeated refusals and datastore failures are sampled with a count and logged without stack traces', async (t) => {
  const proxy = await startTcpProxy(new URL(testEnv().OPENSEARCH_URL));
  const { app, log } = await startLogged(t, { env: { OPENSEARCH_URL: `http://127.0.0.1:${proxy.port}` } });
  t.teardown(proxy.close);
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  const { slug } = await app.addCity();
  await proxy.set('refuse');
  for (let count = 0; count < REPEATS; count++) {
    t.is((await app.request('/v1/nothing')).status, 404);
    t.is((await app.request(`/v1/listings?city=${slug}&listing_type=rent`, { key })).status, 503);
  }
  for (const [msg, code] of [
    ['request', 'route_not_found'],
    ['request', 'internal_error'],
    ['request failed', 'opensearch'],
  ]) {
    const logged = log().filter((line) => line.msg === msg && (line.code ?? 'opensearch') === code);
    const reports = log().filter((line) => line.suppressed && line.of === msg && line.code === code);
    t.true(logged.length < REPEATS, `${msg} ${code}`);
    t.is(logged.length + reports.reduce((sum, { suppressed }) => sum + suppressed, 0), REPEATS, `${msg} ${code}`);
    for (const { err } of logged) t.is(err?.stack, undefined);
  }
});

test('a frequent unexpected error is logged with its stack trace and does not suppress other errors', async (t) => {
  const failing = ['/v1/test/one', '/v1/test/two'].map((path) =>
    testEndpoint(path, {
      load: async () => {
        // The errors are thrown on different lines, so that their stack frames differ.
        if (path.endsWith('one')) throw new Error('the first defect');
        throw new Error('the second defect');
      },
    }),
  );
  const { app, log } = await startLogged(t, { endpoints: failing });
  const { key } = await createOrganization(app.services, { plan: 'enterprise' });
  for (let count = 0; count < REPEATS; count++) t.is((await app.request('/v1/test/one', { key })).status, 500);
  t.is((await app.request('/v1/test/two', { key })).status, 500);
  for (const name of ['first', 'second']) {
    const errors = log().filter((line) => line.err?.message === `the ${name} defect`);
    t.true(errors.length > 0 && errors.length < REPEATS);
    t.regex(errors[0].err.stack, /log\.test\.ts/);
  }
});

/** Number of errors, more than the sampler logs in two intervals. */
const REPEATS = 60;

/** Starts an app that writes to a separate log. */
async function startLogged(t: ExecutionContext, options: TestAppOptions) {
  const own: string[] = [];
  const logger = createLogger('info', { write: (line) => void own.push(line) });
  const app = await startTestApp({ ...options, overrides: { logger } });
  t.teardown(app.close);
  const log = () => {
    logger.flush();
    return own.map((line) => JSON.parse(line));
  };
  return { app, log };
}

test('secrets are redacted wherever they appear in a text', (t) => {
  const cases: [string, string][] = [
    ['Authorization: Bearer abc.def', 'Authorization: Bearer [redacted]'],
    ['{"authorization":"Basic abc="}', '{"authorization":"Basic [redacted]"}'],
    ['/v1/x?api_key=abc&q=1', '/v1/x?api_key=[redacted]&q=1'],
    ['https://s3/a?X-Amz-Signature=00ff&x=1', 'https://s3/a?X-Amz-Signature=[redacted]&x=1'],
    ['postgres://user:word@host/db', 'postgres://user:[redacted]@host/db'],
    ['nothing to see', 'nothing to see'],
  ];
  for (const [text, expected] of cases) t.is(redactSecrets(text), expected);
});
