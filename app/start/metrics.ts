import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { CachedRead } from '#domain/cached-read.ts';
import { READINESS_MS } from '#domain/readiness.ts';
import type { Sample } from '#src/observability/metrics.ts';
import type { Services } from '#src/services.ts';
import { type OperationName, readOperations } from '#stores/postgres/operations.ts';
import { createRequestPool } from '#stores/postgres/pool.ts';
import { isReachable } from '#stores/s3/s3-failures.ts';
import type { Cleanup } from './cleanup.ts';
import { listen } from './ports.ts';
import { serveTuning } from './tuning.ts';

/** Milliseconds for which metrics share what was read from Postgres. */
const OPERATIONS_MS = 1_000;
/** Timeout of that statement in milliseconds. */
const OPERATIONS_TIMEOUT_MS = 5_000;
/** Timeout in milliseconds before the timeout factor. */
const S3_TIMEOUT_MS = 1_500;

/**
 * Serves metrics at `/metrics` on `METRICS_PORT`.
 * @returns the port, or null if the variable is not set
 */
export async function serveMetrics(services: Services, cleanup: Pick<Cleanup, 'add'>): Promise<number | null> {
  const { config, metrics, logger } = services;
  if (config.metricsPort === null) return null;
  const pool = createRequestPool(config, {
    max: 1,
    statementTimeout: config.timeoutFactor * OPERATIONS_TIMEOUT_MS,
    name: 'listings-metrics',
  });
  collectDefaultMetrics({ register: metrics.registry });
  addProcessMetrics(services);
  const operations = new CachedRead(() => readOperations(pool), OPERATIONS_MS);
  for (const [name, help, ...labels] of INSTALLATION_METRICS)
    metrics.add(name, help, labels, async () =>
      (await operations.read()).flatMap((each) => (each.name === name ? [[each.value, each.label]] : [])),
    );
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000 }, (request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method === 'GET' && path === '/tuning') {
      serveTuning(request, response, services);
      return;
    }
    if (request.method !== 'GET' || path !== '/metrics') {
      response
        .writeHead(404, { 'Content-Type': 'text/plain' })
        .end('The metrics are at /metrics, text search is at /tuning.\n');
      return;
    }
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.registry.contentType }).end(text),
      (error: unknown) => {
        logger.error({ err: error }, 'metrics not rendered');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 16;
  await listen(server, 'METRICS_PORT', config.metricsPort, config.host);
  cleanup.add('stopping metrics', async () => {
    server.close();
    server.closeAllConnections();
    await pool.end();
  });
  return (server.address() as AddressInfo).port;
}

function addProcessMetrics(services: Services): void {
  addQueueMetrics(services);
  addCacheMetrics(services);
  addStoreMetrics(services);
}

function addQueueMetrics({
  metrics,
  charges,
  dailyListings,
  readQueues,
  admission,
  pool,
  chargePool,
  search,
}: Services): void {
  metrics.add('requests_refused_total', 'Requests refused under overload.', [], () => [
    [readQueues.refused + admission.refused],
  ]);
  metrics.add(
    'site_listings_refused_total',
    'Responses refused because the address or the session has received the listings of a day.',
    ['by'],
    () => Object.entries(dailyListings.refused).map(([by, count]) => [count, by]),
  );
  metrics.add(
    'queue_waiting',
    'Requests that wait for a charge, or for a slot of the search engine.',
    ['queue'],
    () => [[charges.waiting, 'charge'], ...readQueues.queues().map(({ load, waiting }) => [waiting, load] as const)],
  );
  metrics.add('turns_limit', 'Slots of the search engine, as last determined from response times.', ['queue'], () =>
    readQueues.queues().map(({ load, slots }) => [slots, load]),
  );
  metrics.add('turns_running', 'Requests that use a slot of the search engine.', ['queue'], () =>
    readQueues.queues().map(({ load, running }) => [running, load]),
  );
  metrics.add(
    'postgres_connections',
    'Connections of a pool: open, idle, and requests that wait for one.',
    ['pool', 'state'],
    () =>
      Object.entries({ main: pool, charge: chargePool }).flatMap(([name, each]) => [
        [each.totalCount, name, 'open'],
        [each.idleCount, name, 'idle'],
        [each.waitingCount, name, 'waiting'],
      ]),
  );
  metrics.add('opensearch_searches_running', 'Searches in progress, with those that wait for a connection.', [], () => [
    [search.running()],
  ]);
}

function addCacheMetrics({ metrics, listings, statistics }: Services): void {
  metrics.add(
    'listing_cache_reads_total',
    'Listings of pages that were in memory, and that were not.',
    ['result'],
    () => hitsAndMisses(listings.reads()),
  );
  metrics.add('statistics_cache_reads_total', 'Statistics from memory, and that were computed.', ['result'], () =>
    hitsAndMisses(statistics.reads()),
  );
  metrics.add('cache_entries', 'Entries of a cache.', ['cache'], () => [
    [listings.reads().entries, 'listings'],
    [statistics.reads().entries, 'statistics'],
  ]);
  metrics.add('cache_size', 'Size of a cache: bytes of listings, characters of statistics.', ['cache'], () => [
    [listings.reads().bytes, 'listings'],
    [statistics.reads().characters, 'statistics'],
  ]);
}

function addStoreMetrics({ metrics, readiness, indexGuard, s3, config }: Services): void {
  const s3TimeoutMs = config.timeoutFactor * S3_TIMEOUT_MS;
  const s3Up = new CachedRead(() => isReachable(s3, config.s3.cdnBucket, s3TimeoutMs), READINESS_MS);
  const states = () => [...indexGuard.states()];
  metrics.add('store_up', '1 if a store serves this process, otherwise 0.', ['store'], async () => {
    const [{ opensearch, postgres }, reachable] = await Promise.all([readiness.read(), s3Up.read()]);
    return [
      [Number(opensearch === null), 'opensearch'],
      [Number(postgres === null), 'postgres'],
      [Number(reachable), 's3'],
    ];
  });
  metrics.add(
    'index_documents',
    'Documents of an index: served by OpenSearch, and recorded in Postgres.',
    ['index', 'state'],
    () =>
      states().flatMap(([index, { documents, recorded }]) => [
        [documents ?? 0, index, 'served'],
        ...(recorded === null ? [] : [[recorded, index, 'recorded'] as const]),
      ]),
  );
  metrics.add('index_writes_blocked', '1 if the search engine refuses writes to an index.', ['index'], () =>
    states().map(([index, { isBlocked }]) => [Number(isBlocked), index]),
  );
  metrics.add('index_lost', '1 if an index is lost, and refused until it is rebuilt.', ['index'], () =>
    states().map(([index, { lost }]) => [Number(lost !== null), index]),
  );
}

const hitsAndMisses = ({ hits, misses }: { hits: number; misses: number }): Sample[] => [
  [hits, 'hit'],
  [misses, 'miss'],
];

/** Equal in all processes: name, description, and name of the label. */
const INSTALLATION_METRICS: readonly (readonly [name: OperationName, help: string, ...labels: string[]])[] = [
  ['source_last_success_timestamp_seconds', 'Time at which a source was last read completely.', 'source'],
  ['source_listings', 'Live ads of a source.', 'source'],
  ['source_held', '1 if the feed of a source waits for an operator.', 'source'],
  ['ingest_last_completed_timestamp_seconds', 'Time at which the last ingest run was completed.'],
  ['ingest_stage_seconds', 'Duration of a stage in the last completed run.', 'stage'],
  ['ingest_rows', 'Accepted rows of a source in the last completed run.', 'source'],
  ['ingest_rejected_rows', 'Rejected rows of a source in the last completed run.', 'source'],
  ['jobs_waiting', 'Jobs that wait for a worker.', 'queue'],
  ['jobs_oldest_seconds', 'Seconds that the oldest job has been due.', 'queue'],
  ['webhook_lag_seconds', 'Age of the first run whose events a webhook endpoint has not received.'],
  ['webhook_events_skipped', 'Events of the last 24 hours that could not be matched with webhook endpoints.'],
];
