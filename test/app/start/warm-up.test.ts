import { createApp } from '#app/app.ts';
import { warmUp } from '#app/start/warm-up.ts';
import { SERVED_INDEXES } from '#domain/index-state.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { injectRequest } from '#src/http/inject.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

const BEARER = 'warm';
const OPERATIONS = endpoints.filter(({ audience, method }) => audience === 'data' && method === 'GET');

const indexes = ownIndexes();
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ env: { INDEX_PREFIX: indexes.prefix }, indexes: SERVED_INDEXES });
  const named = OPERATIONS.flatMap(({ parameters }) => parameters.filter(({ name }) => name === 'neighborhood_id'));
  const ids = new Set(named.flatMap(({ example = '' }) => example.split(',').map(Number)));
  await app.addCity(
    { slug: 'riyadh' },
    [...ids].map((id) => ({ id })),
  );
});
test.after(async () => {
  await app?.close();
  await indexes.remove();
});

test('a warm process has called every operation of data, and has the newest listings in memory', async (t) => {
  const rows = Array.from({ length: 3 }, () => makeListing({ location: { city: 'riyadh' } }));
  await indexListings(app.services, rows);
  const listener = (await createApp(app.services, endpoints, BEARER)).callback();
  const called = new Map<string, number>();
  const get = async (url: string) => {
    const headers = { Authorization: `Bearer ${BEARER}` };
    const response = await injectRequest(listener, { method: 'GET', url, headers }, null);
    called.set(url, response.status);
    return response;
  };
  await warmUp({ services: app.services, get, limitMs: 120_000 });
  t.true(called.size >= OPERATIONS.length);
  for (const [url, status] of called) t.true(status === 200 || status === 404, `${status} ${url}`);
  const { entries, misses } = app.services.listings.reads();
  t.is(entries, rows.length);
  await warmUp({ services: app.services, get, limitMs: 120_000 });
  t.is(app.services.listings.reads().misses, misses);
});

test('a process becomes ready within the limit if its stores do not respond, and says so in the log', async (t) => {
  const lines: object[] = [];
  const logger = { ...app.services.logger, warn: (line: object) => lines.push(line) } as typeof app.services.logger;
  const begun = performance.now();
  const never = () => new Promise<{ status: number }>((resolve) => setTimeout(() => resolve({ status: 503 }), 200));
  await warmUp({ services: { ...app.services, logger }, get: never, limitMs: 1_000 });
  t.true(performance.now() - begun < 30_000);
  t.regex(JSON.stringify(lines), /503 \/v1/);
});

test('a process that is not warm yet is not ready', async (t) => {
  app.services.startup.isWarm = false;
  const { status, body } = await app.request('/readyz');
  t.is(status, 503);
  t.like(body.data, { status: 'not_ready', reason: 'starting', opensearch: 'ok', postgres: 'ok' });
  app.services.startup.isWarm = true;
  t.is((await app.request('/readyz')).status, 200);
});
