import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Metrics } from '#observability/metrics.ts';
import type { Services } from '#src/services.ts';
import { serveMetrics } from '#start/metrics.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Counts of requests start at zero for each test. */
let app: TestApp;
test.beforeEach(async () => {
  app = await startTestApp();
});
test.afterEach(() => app.close());

/** Reads the metrics of a process. @returns values by series, as written @throws Error if it does not serve them */
async function readMetrics(port: number): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) });
  if (response.status !== 200) throw new Error(await response.text());
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

/** Serves the metrics of services on a free port. @returns a function that reads them as values by series */
async function metricsOf(t: { teardown(fn: () => Promise<void>): void }, services: Services, databaseUrl?: string) {
  const config = { ...services.config, metricsPort: 0, databaseUrl: databaseUrl ?? services.config.databaseUrl };
  const port = await serveMetrics({ ...services, config }, { add: (_, run) => t.teardown(run) });
  return () => readMetrics(port as number);
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
  const metricsPort = Number(new URL(app.url).port);
  const config = { ...app.services.config, metricsPort };
  const error = await t.throwsAsync(serveMetrics({ ...app.services, config }, { add: (_, run) => t.teardown(run) }));
  t.true(error?.message.includes(`Port ${metricsPort} of 127.0.0.1 is taken`));
  t.true(error?.message.includes(`METRICS_PORT=${metricsPort + 1}`));
});

test('paths, keys and identifiers sent by clients create no metric series', async (t) => {
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
  const city = (await app.addCity()).slug;
  const { key } = await createOrganization(app.services, { plan: 'growth' });
  app.services.listings.read = fail;
  const read = await metricsOf(t, app.services);
  t.is((await app.request(`/v1/listings?city=${city}&listing_type=rent&limit=25`, { key })).status, 500);
  const metrics = await read();
  t.false(metrics.has('listings_units_charged_total{plan="growth"}'));
});

test('metrics of sources, queues and webhooks are read from Postgres', async (t) => {
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
  for: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

interface Panel {
  title: string;
  targets?: { expr: string; legendFormat?: string }[];
}

/** Labels that Prometheus adds to every series. */
const TARGET_LABELS = ['instance', 'job'];
/** Functions and words of expressions. All other names are metrics or labels. */
const WORDS = ['by', 'histogram_quantile', 'max', 'min', 'rate', 'sum', 'time', 'topk'];

const namesIn = (text: string): string[] => text.match(/[a-z_]\w*/gi) ?? [];

/**
 * Returns the faults of an expression: metrics and labels that do not exist, labels in its text that its result does
 * not have, and unbalanced parentheses.
 * @param metrics labels by the name of a metric
 * @param texts texts that name labels of the result as `{{label}}`
 */
function faultsOf(expr: string, texts: readonly string[], metrics: ReadonlyMap<string, readonly string[]>): string[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].map(([, names = '']) => namesIn(names));
  const matched = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, pairs = '']) =>
    [...pairs.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"[^"]*"/g)].map(([, name = '']) => name),
  );
  const bare = expr.replace(/\bby \([^)]*\)/g, ' ').replace(/\{[^}]*\}|\[\w+\]/g, ' ');
  const named = namesIn(bare).filter((name) => !WORDS.includes(name));
  const known = [...TARGET_LABELS, ...named.flatMap((name) => metrics.get(name) ?? [])];
  const isAggregated = /\b(max|min|sum)\b/.test(expr);
  const result = isAggregated ? grouped.flat() : known;
  const shown = texts.flatMap((text) =>
    [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name = '']) => name),
  );
  const count = (character: string) => expr.split(character).length;
  return [
    ...(named.length === 0 ? ['no metric'] : []),
    ...named.filter((name) => !metrics.has(name)),
    ...[...grouped.flat(), ...matched].filter((name) => !known.includes(name)),
    ...shown.filter((name) => !result.includes(name)),
    ...(count('(') === count(')') ? [] : ['parentheses']),
  ];
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
  for (const { alert, expr, for: duration, labels, annotations } of alerts) {
    t.deepEqual(faultsOf(expr, Object.values(annotations), metrics), [], alert);
    t.regex(duration, /^\d+m$/, alert);
    t.regex(labels.severity ?? '', /^(page|ticket)$/, alert);
  }
  const dashboard = readFileSync(join(PROJECT, 'monitoring', 'dashboard.json'), 'utf8');
  const { panels } = JSON.parse(dashboard) as { panels: Panel[] };
  for (const { title, targets = [] } of panels)
    for (const { expr, legendFormat = '' } of targets) t.deepEqual(faultsOf(expr, [legendFormat], metrics), [], title);
  const runbooks = readFileSync(join(PROJECT, 'docs', 'runbooks.md'), 'utf8');
  const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  t.deepEqual(sections.sort(), alerts.map(({ alert }) => alert).sort());
  const titles = panels.map(({ title }) => title);
  const references = runbooks.split('\n').filter((line) => line.includes('Dashboard,'));
  for (const [, title = ''] of references.flatMap((line) => [...line.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)]))
    t.true(titles.includes(title), title);
});
