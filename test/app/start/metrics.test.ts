import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { serveMetrics } from '#app/start/metrics.ts';
import type { Services } from '#src/services.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** Counts of requests start at zero for each test. */
let app: TestApp;
test.beforeEach(async () => {
  app = await startTestApp();
});
test.afterEach(() => app.close());

/** Serves the metrics of services on a free port. @returns a function that reads values by series, as written */
async function metricsOf(t: { teardown(fn: () => Promise<void>): void }, services: Services, databaseUrl?: string) {
  const config = { ...services.config, metricsPort: 0, databaseUrl: databaseUrl ?? services.config.databaseUrl };
  const port = await serveMetrics({ ...services, config }, { add: (_, run) => t.teardown(run) });
  return async (): Promise<Map<string, number>> => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => line.split(/ (?=\S+$)/)).map(([series = '', value]) => [series, Number(value)]));
  };
}

test('requests and units are counted by route, status class and plan', async (t) => {
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
  app.services.listings.read = () => Promise.reject(new Error('planted'));
  t.is((await app.request(`${search}&limit=2`, { key })).status, 500);
  const metrics = await read();
  const count = (labels: string) => metrics.get(`listings_http_request_duration_seconds_count{${labels}}`);
  t.is(count('route="GET /v1/listings",status="2xx",plan="growth"'), 1);
  t.is(count('route="GET /v1/listings",status="4xx",plan="growth"'), 1);
  t.is(count('route="GET /v1/listings",status="4xx",plan="none"'), 1);
  t.is(count('route="other",status="4xx",plan="none"'), 1);
  t.is(metrics.get('listings_units_charged_total{plan="growth"}'), Number(ok.headers.get('X-Request-Units')));
  t.is(metrics.get('listings_store_up{store="s3"}'), 1);
});

test('paths, keys and identifiers sent by clients create no metric series', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'growth' });
  const read = await metricsOf(t, app.services);
  const seriesAfter = async (salt: string): Promise<string[]> => {
    for (const path of [
      `/nothing-${salt}`,
      `/v1/nothing-${salt}`,
      `/v1/listings/${salt.length}`,
      `/v1/listings?city=${salt}`,
    ])
      await app.request(path, { key });
    await app.request('/v1/limits', { key: `svc_live_${salt}` });
    return [...(await read()).keys()].filter((series) => series.startsWith('listings_http')).sort();
  };
  t.deepEqual(await seriesAfter('b'), await seriesAfter('cc'));
});

test('metrics of an installation are read from Postgres, and missing while it is unavailable', async (t) => {
  const source = `metrics-${app.services.config.opensearch.indexPrefix}`;
  const { pool } = app.services;
  t.teardown(async () => void (await pool.query('delete from source_states where source = $1', [source])));
  await pool.query(
    `insert into source_states (source, last_seen_at, live_count) values ($1, to_timestamp(1750000000), 42)`,
    [source],
  );
  const metrics = await (await metricsOf(t, app.services))();
  t.is(metrics.get(`listings_source_last_success_timestamp_seconds{source="${source}"}`), 1_750_000_000);
  t.is(metrics.get(`listings_source_listings{source="${source}"}`), 42);
  for (const queue of ['exports', 'mails', 'webhooks'])
    t.true((metrics.get(`listings_jobs_oldest_seconds{queue="${queue}"}`) ?? -1) >= 0, queue);

  const other = await startTestApp();
  t.teardown(other.close);
  const left = await (await metricsOf(t, other.services, 'postgres://nobody:nothing@127.0.0.1:9/listings'))();
  t.is(left.get('listings_store_up{store="opensearch"}'), 1);
  t.false([...left.keys()].some((series) => series.startsWith('listings_source')));
});

test('metrics and the tuning page are served on their own port only', async (t) => {
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

interface AlertRule {
  alert: string;
  expr: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat?: string }[];
}

/** Labels that Prometheus adds to every series, and functions and words of expressions. */
const WORDS = ['instance', 'job', 'by', 'histogram_quantile', 'max', 'min', 'rate', 'sum', 'time', 'topk'];

/**
 * Returns the metrics and labels of an expression, and labels that texts show as `{{label}}`, that do not exist.
 * @param metrics labels by the name of a metric
 */
function unknownIn(expr: string, texts: readonly string[], metrics: ReadonlyMap<string, readonly string[]>): string[] {
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = '']) => name),
  );
  const named = [...(expr.replaceAll(/"[^"]*"|\[\w+\]/g, ' ').match(/[a-z_]\w*/gi) ?? []), ...shown];
  const labels = named.flatMap((name) => metrics.get(name) ?? []);
  const isMissing = (name: string) => !metrics.has(name) && !labels.includes(name) && !WORDS.includes(name);
  return named.some((name) => metrics.has(name)) ? named.filter(isMissing) : [...named, 'no metric'];
}

test('alert rules and the dashboard use existing metrics and labels, and each alert has a runbook', async (t) => {
  const read = await metricsOf(t, app.services);
  await read();
  const metrics = new Map<string, readonly string[]>([['up', []]]);
  // The declared type lacks the names of the labels.
  const registered = app.services.metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    labelNames: string[];
  }[];
  for (const { name, labelNames } of registered) {
    for (const suffix of ['', '_count', '_sum']) metrics.set(name + suffix, labelNames);
    metrics.set(`${name}_bucket`, [...labelNames, 'le']);
  }
  const file = readFileSync(join(PROJECT, 'monitoring', 'alerts.yml'), 'utf8');
  const { groups } = parse(file) as { groups: { rules: AlertRule[] }[] };
  const alerts = groups.flatMap(({ rules }) => rules);
  t.true(alerts.length > 10);
  for (const { alert, expr, labels, annotations } of alerts) {
    t.deepEqual(unknownIn(expr, Object.values(annotations), metrics), [], alert);
    t.regex(labels.severity ?? '', /^(page|ticket)$/, alert);
  }
  const dashboard = readFileSync(join(PROJECT, 'monitoring', 'dashboard.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: Panel[] };
  for (const { title, targets = [] } of panels)
    for (const { expr, legendFormat = '' } of targets) t.deepEqual(unknownIn(expr, [legendFormat], metrics), [], title);
  const runbooks = readFileSync(join(PROJECT, 'docs', 'runbooks.md'), 'utf8');
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  t.deepEqual(sections.sort(), alerts.map(({ alert }) => alert).sort());
});
