import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { Metrics } from '#observability/metrics.ts';
import type { Services } from '#src/services.ts';
import { serveMetrics } from '#start/metrics.ts';
import { startTestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { readAlertRules, readMetrics } from '#test/prometheus.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Serves the metrics of services on a free port. @returns a function that reads them as values by series */
async function metricsOf(t: { teardown(fn: () => Promise<void>): void }, services: Services, databaseUrl?: string) {
  const config = { ...services.config, metricsPort: 0, databaseUrl: databaseUrl ?? services.config.databaseUrl };
  const port = await serveMetrics({ ...services, config }, { add: (_, run) => t.teardown(run) });
  return () => readMetrics(port as number);
}

test('requests and units are counted by route, status class and plan', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  const city = (await app.addCity()).slug;
  await indexListings(app.services, [makeListing({ location: { city } })]);
  const { key } = await createOrganization(app.services, { plan: 'growth' });
  const read = await metricsOf(t, app.services);
  const search = `/v1/listings?city=${city}&listing_type=rent`;
  const ok = await app.request(search, { key });
  t.is(ok.status, 200);
  t.is((await app.request(`${search}&bed=3`, { key })).status, 400);
  t.is((await app.request(search)).status, 401);
  t.is((await app.request('/nothing')).status, 404);
  const metrics = await read();
  const count = (labels: string) => metrics.get(`listings_http_request_duration_seconds_count{${labels}}`);
  t.is(count('route="GET /v1/listings",status="2xx",plan="growth"'), 1);
  t.is(count('route="GET /v1/listings",status="4xx",plan="growth"'), 1);
  t.is(count('route="GET /v1/listings",status="4xx",plan="none"'), 1);
  t.is(count('route="other",status="4xx",plan="none"'), 1);
  t.is(metrics.get('listings_units_charged_total{plan="growth"}'), Number(ok.headers.get('X-Request-Units')));
  // The request with an unknown parameter was not loaded.
  t.is(metrics.get('listings_queue_wait_seconds_count{queue="searches"}'), 1);
  t.is(metrics.get('listings_store_up{store="s3"}'), 1);
});

test('the error for a metrics port that is in use names the port and suggests another', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  const metricsPort = Number(new URL(app.url).port);
  const config = { ...app.services.config, metricsPort };
  const error = await t.throwsAsync(serveMetrics({ ...app.services, config }, { add: (_, run) => t.teardown(run) }));
  t.true(error?.message.includes(`Port ${metricsPort} of 127.0.0.1 is taken`));
  t.true(error?.message.includes(`METRICS_PORT=${metricsPort + 1}`));
});

test('paths, keys and identifiers sent by clients create no metric series', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  const { key } = await createOrganization(app.services, { plan: 'growth' });
  const read = await metricsOf(t, app.services);
  const round = async (salt: string): Promise<void> => {
    for (const [path, options] of [
      [`/nothing-${salt}`, {}],
      [`/v1/nothing-${salt}`, { key }],
      [`/v1/listings/${salt.length}000000`, { key }],
      [`/v1/listings?city=${salt}`, { key }],
      ['/v1/limits', { key: `svc_live_${salt}` }],
      ['/v1/limits', { method: 'DELETE' }],
    ] as const)
      await app.request(path, options);
  };
  await round('a');
  const before = [...(await read()).keys()].filter((series) => series.startsWith('listings_http')).sort();
  for (const salt of ['bb', 'ccc', 'dddd']) await round(salt);
  const after = [...(await read()).keys()].filter((series) => series.startsWith('listings_http')).sort();
  t.deepEqual(after, before);
});

test('units of a failed request are not counted as charged', async (t) => {
  const fail = () => Promise.reject(new Error('planted'));
  const app = await startTestApp();
  t.teardown(app.close);
  const city = (await app.addCity()).slug;
  const { key } = await createOrganization(app.services, { plan: 'growth' });
  app.services.listings.read = fail;
  const read = await metricsOf(t, app.services);
  t.is((await app.request(`/v1/listings?city=${city}&listing_type=rent&limit=25`, { key })).status, 500);
  const metrics = await read();
  t.false(metrics.has('listings_units_charged_total{plan="growth"}'));
});

test('metrics of sources, queues and webhooks are read from Postgres', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  const { pool } = app.services;
  const source = `metrics-${randomBytes(4).toString('hex')}`;
  t.teardown(async () => void (await pool.query('delete from source_states where source = $1', [source])));
  await pool.query(
    `insert into source_states (source, last_seen_at, live_count) values ($1, to_timestamp(1750000000), 42)`,
    [source],
  );
  const read = await metricsOf(t, app.services);
  const metrics = await read();
  t.is(metrics.get(`listings_source_last_success_timestamp_seconds{source="${source}"}`), 1_750_000_000);
  t.is(metrics.get(`listings_source_listings{source="${source}"}`), 42);
  t.is(metrics.get(`listings_source_held{source="${source}"}`), 0);
  for (const queue of ['exports', 'mails', 'webhooks']) {
    t.true((metrics.get(`listings_jobs_waiting{queue="${queue}"}`) ?? -1) >= 0, queue);
    t.true((metrics.get(`listings_jobs_oldest_seconds{queue="${queue}"}`) ?? -1) >= 0, queue);
  }
  t.true((metrics.get('listings_webhook_lag_seconds') ?? -1) >= 0);
});

test('while Postgres is unavailable, process metrics are served and metrics read from Postgres are missing', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  const read = await metricsOf(t, app.services, 'postgres://nobody:nothing@127.0.0.1:9/listings');
  const metrics = await read();
  t.is(metrics.get('listings_requests_refused_total'), 0);
  t.is(metrics.get('listings_store_up{store="opensearch"}'), 1);
  t.false(metrics.has('listings_webhook_lag_seconds'));
  t.false(metrics.has('listings_ingest_last_completed_timestamp_seconds'));
});

test('a metric that cannot be read is missing, and the others are served', async (t) => {
  const metrics = new Metrics();
  const fails = (): never => {
    throw new Error('unreadable');
  };
  metrics.add([
    { name: 'throws', help: 'Throws.', read: fails },
    { name: 'rejects', help: 'Rejects.', read: async () => fails() },
    { name: 'works', help: 'Works.', read: () => [[3]] },
  ]);
  const text = await metrics.registry.metrics();
  t.regex(text, /^listings_works 3$/m);
  t.notRegex(text, /^listings_(throws|rejects) /m);
});

test('metrics and the tuning page are served on their own port only', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  t.is((await app.request('/metrics')).status, 404);
  t.is((await app.request('/v1/metrics')).status, 404);
  t.is((await app.request('/tuning')).status, 404);
  const config = { ...app.services.config, metricsPort: 0 };
  const port = await serveMetrics({ ...app.services, config }, { add: (_, run) => t.teardown(run) });
  for (const [path, method] of [
    ['/', 'GET'],
    ['/v1/listings', 'GET'],
    ['/metrics', 'POST'],
    ['/tuning', 'POST'],
  ] as const)
    t.is((await fetch(`http://127.0.0.1:${port}${path}`, { method })).status, 404, `${method} ${path}`);
  t.is((await fetch(`http://127.0.0.1:${port}/tuning`)).status, 200);
  t.is(await serveMetrics(app.services, { add: () => t.fail('nothing to stop') }), null);
});

test('alert rules and the dashboard name existing metrics, and each alert has a runbook', async (t) => {
  const app = await startTestApp();
  t.teardown(app.close);
  const read = await metricsOf(t, app.services);
  await app.request('/v1/openapi.json');
  await read();
  const known = new Set(
    app.services.metrics.registry
      .getMetricsAsArray()
      .flatMap(({ name }) => [name, `${name}_count`, `${name}_bucket`, `${name}_sum`]),
  );
  const dashboard = readFileSync(join(PROJECT, 'monitoring', 'dashboard.json'), 'utf8');
  const alerts = readAlertRules();
  t.true(alerts.length > 10);
  const named = [...alerts.map(({ expr }) => expr), dashboard].flatMap(
    (text) => text.match(/\b(listings|nodejs|process)_[a-z0-9_]+/g) ?? [],
  );
  t.deepEqual(
    [...new Set(named)].filter((name) => !known.has(name)),
    [],
  );
  const runbooks = readFileSync(join(PROJECT, 'docs', 'runbooks.md'), 'utf8');
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  t.deepEqual(sections.sort(), alerts.map(({ alert }) => alert).sort());
  const panels = (JSON.parse(dashboard) as { panels: { title: string }[] }).panels.map(({ title }) => title);
  const references = runbooks.split('\n').filter((line) => line.includes('Dashboard,'));
  for (const [, title = ''] of references.flatMap((line) => [...line.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)]))
    t.true(panels.includes(title), title);
});
