import { setTimeout as sleep } from 'node:timers/promises';
import { SERVED_INDEXES } from '#domain/index-state.ts';
import { rebuildIndexes } from '#ingest/rebuild.ts';
import { readAllAliased } from '#search/indexes.ts';
import { claimAs } from '#start/claim.ts';
import { serveMetrics } from '#start/metrics.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import { startProxy } from '#test/holding-proxy.ts';
import { Prometheus, readAlertRules } from '#test/prometheus.ts';
import { test } from '#test/serial.ts';
import { startTcpProxy, type TcpProxy } from '#test/tcp-proxy.ts';
import { adoptIndexes } from '#workers/indexes.ts';
import { ads, startPipeline, testSource } from '../ingest/run/pipeline.ts';

/** Scrapes without a fault at the start of each test, enough for a `rate` over five minutes. */
const HEALTHY_SCRAPES = 3;
/** Milliseconds until an alert must fire, on a busy machine: up to 16 scrapes. */
const FIRING_LIMIT = 300_000;

type Store = 'opensearch' | 'postgres' | 's3';
let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let slowed: Awaited<ReturnType<typeof startProxy>>;
let proxies: Record<Store, TcpProxy>;
let app: TestApp;
let key: string;
let port: number;
let stopMetrics = async () => {};
/** Called before each request to OpenSearch, with its path. */
let beforeSearch: (path: string) => Promise<void> = async () => {};
const source = testSource('alerts');
const old = testSource('alerts_old');

test.before(async () => {
  pipeline = await startPipeline('alerts');
  source.feed = ads(12, 'x');
  await pipeline.run([source], new Date().toISOString());
  await adoptIndexes(pipeline.pool, pipeline.client);
  const { OPENSEARCH_URL: opensearch, S3_ENDPOINT: s3 } = testEnv();
  slowed = await startProxy(opensearch, (path) => beforeSearch(path));
  const database = new URL(pipeline.databaseUrl);
  proxies = {
    opensearch: await startTcpProxy(new URL(slowed.url)),
    postgres: await startTcpProxy(new URL(database)),
    s3: await startTcpProxy(new URL(s3)),
  };
  database.host = `127.0.0.1:${proxies.postgres.port}`;
  app = await startTestApp({
    env: {
      INDEX_PREFIX: pipeline.prefix,
      OPENSEARCH_URL: `http://127.0.0.1:${proxies.opensearch.port}`,
      DATABASE_URL: database.href,
      S3_ENDPOINT: `http://127.0.0.1:${proxies.s3.port}`,
      TIMEOUT_FACTOR: '1',
    },
    indexes: SERVED_INDEXES,
  });
  await app.addCity({ slug: 'riyadh' });
  ({ key } = await createOrganization(app.services));
  const services = { ...app.services, config: { ...app.services.config, metricsPort: 0 } };
  const add = (_: string, run: () => Promise<void>) => {
    stopMetrics = run;
  };
  port = (await serveMetrics(services, { add })) as number;
});
test.after.always(async () => {
  await stopMetrics();
  await app?.close();
  for (const proxy of Object.values(proxies ?? {})) await proxy.close();
  await slowed?.close();
  await pipeline?.close();
});

const search = () => app.request('/v1/listings?city=riyadh&listing_type=rent', { key });

interface Fault {
  title: string;
  /** Alerts that must fire. */
  alerts: readonly string[];
  /** Alerts that may fire too. */
  also?: readonly string[];
  begin(prometheus: Prometheus): Promise<void>;
  /** What happens before each scrape. Defaults to a search. */
  during?(): Promise<unknown>;
  /** Ends the fault, after which no alert fires. Absent for faults that cannot end within the test. */
  end?(): Promise<void>;
}

const unavailable = (store: Store, rest: Pick<Fault, 'alerts' | 'also'>): Fault => ({
  title: `${store} is stopped`,
  ...rest,
  begin: () => proxies[store].set('refuse'),
  end: () => proxies[store].set('pass'),
});

let held: Promise<unknown>[] = [];
let areas = 0;
let gate = Promise.withResolvers<void>();
const sql = (text: string, values: unknown[] = []) => pipeline.pool.query(text, values);

const FAULTS: readonly Fault[] = [
  unavailable('opensearch', { alerts: ['StoreUnavailable', 'RequestsFail'] }),
  unavailable('postgres', { alerts: ['StoreUnavailable', 'RequestsFail'] }),
  unavailable('s3', { alerts: ['StoreUnavailable'] }),
  {
    title: 'searches take longer than a second',
    alerts: ['RequestsSlow'],
    async begin() {
      beforeSearch = async (path) => {
        if (path.includes('_search') && !path.includes('terminate_after')) await sleep(1_100);
      };
    },
    end: async () => {
      beforeSearch = async () => {};
    },
  },
  {
    title: 'statistics are blocked and their queue is full',
    alerts: ['RequestsRefused'],
    also: ['RequestsFail', 'RequestsSlow'],
    async begin() {
      gate = Promise.withResolvers();
      beforeSearch = async (path) => {
        if (path.includes('_search')) await gate.promise;
      };
    },
    async during() {
      const { readQueues } = app.services;
      const before = readQueues.refused;
      const path = '/v1/market/neighborhoods?city=riyadh&listing_type=rent&area_min=';
      held.push(...Array.from({ length: 200 }, () => app.request(`${path}${++areas}`, { key })));
      await eventually(() => readQueues.refused >= before + 115);
    },
    async end() {
      beforeSearch = async () => {};
      gate.resolve();
      await Promise.allSettled(held);
      held = [];
    },
  },
  {
    title: 'a source was last read completely 37 hours ago',
    alerts: ['SourceStale'],
    async begin() {
      old.feed = ads(12, 'o');
      await pipeline.run([old], new Date().toISOString());
      await sql(`update source_states set last_seen_at = now() - interval '37 hours' where source = 'alerts_old'`);
    },
    end: async () => void (await pipeline.run([old], new Date().toISOString())),
  },
  {
    title: 'a feed lacks most of its ads and is held',
    alerts: ['SourceHeld'],
    async begin() {
      source.feed = ads(2, 'x');
      await pipeline.run([source], new Date().toISOString());
    },
    async end() {
      source.feed = ads(12, 'x');
      await pipeline.run([source], new Date().toISOString());
    },
  },
  {
    title: 'no worker has ingested for 18 hours',
    alerts: ['IngestOverdue'],
    begin: async (prometheus) => prometheus.advance(18 * 3_600),
  },
  {
    title: 'the last backup is 37 hours old',
    alerts: ['BackupOverdue'],
    begin: async () =>
      void (await sql(`insert into job_runs (name, due_at) values ('backup', now() - interval '37 hours')`)),
    end: async () => void (await sql(`update job_runs set due_at = now() where name = 'backup'`)),
  },
  {
    title: 'no worker runs exports',
    alerts: ['JobsWaiting'],
    async begin() {
      const body = JSON.stringify({ dataset: 'listings', format: 'csv' });
      const headers = { 'Content-Type': 'application/json' };
      const { status } = await app.request('/v1/exports', { key, method: 'POST', headers, body });
      if (status !== 201) throw new Error(`the export was not created: ${status}`);
      await sql(`update exports set due_at = now() - interval '16 minutes'`);
    },
    end: async () => void (await sql('delete from exports')),
  },
  {
    title: 'no worker matches events with webhook endpoints',
    alerts: ['WebhooksBehind'],
    async begin() {
      await sql(
        `insert into webhook_endpoints (public_id, organization_id, url, host, event_types, filters, secret, created_at,
           enabled_at, matched_run, matched_listing)
         select 'we_alerts', min(id), 'https://hooks.example', 'hooks.example', '{listing.created}', '{}', '', now(), now(),
           (select max(id) from ingest_runs), 0 from organizations`,
      );
      await pipeline.run([source], new Date().toISOString());
      await sql(`update ingest_runs set completed_at = now() - interval '16 minutes'
        where id = (select max(id) from ingest_runs)`);
    },
    end: async () => void (await sql('delete from webhook_endpoints')),
  },
  {
    title: 'the event loop is blocked for 0.3 s at a time',
    alerts: ['EventLoopBlocked'],
    begin: async () => {},
    async during() {
      for (const until = performance.now() + 300; performance.now() < until; );
      await sleep(20);
    },
    end: async () => {},
  },
  {
    title: 'the listings index is deleted',
    alerts: ['IndexLost'],
    also: ['StoreUnavailable', 'RequestsFail'],
    async begin() {
      const found = await readAllAliased(pipeline.client, { names: ['listings'] });
      const index = found.get('listings')?.index;
      await pipeline.client.send('DELETE', `/${index}`);
      await app.services.indexGuard.refresh();
    },
    async end() {
      const { pool, index: listingIndex } = pipeline;
      await rebuildIndexes(['listings'], { pool, listingIndex, claim: claimAs(new Date()) });
      await app.services.indexGuard.refresh();
    },
  },
  {
    title: 'the process does not serve metrics',
    alerts: ['ProcessDown'],
    async begin() {
      await stopMetrics();
      stopMetrics = async () => {};
    },
  },
];

for (const { title, alerts, also = [], begin, during = search, end } of FAULTS) {
  test(`${alerts.join(' and ')} fires if ${title}, and not before`, async (t) => {
    const prometheus = new Prometheus(port);
    let firing: string[] = [];
    for (let scrape = 0; scrape < HEALTHY_SCRAPES; scrape++) {
      await search();
      firing = await prometheus.scrape();
    }
    t.deepEqual(firing, []);
    try {
      await begin(prometheus);
      await eventually(async () => {
        await during();
        firing = await prometheus.scrape();
        return alerts.every((alert) => firing.includes(alert));
      }, FIRING_LIMIT);
      t.deepEqual(
        firing.filter((alert) => !alerts.includes(alert) && !also.includes(alert)),
        [],
      );
    } finally {
      await end?.();
    }
    if (!end) return;
    await eventually(async () => {
      await search();
      return (await prometheus.scrape()).length === 0;
    }, FIRING_LIMIT);
  });
}

test('each alert rule has a test with a fault that triggers the alert', (t) => {
  t.deepEqual(
    [...new Set(FAULTS.flatMap(({ alerts }) => alerts))].sort(),
    readAlertRules()
      .map(({ alert }) => alert)
      .sort(),
  );
});
