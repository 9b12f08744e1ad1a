import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { CachedRead } from '#domain/cached-read.ts';
import { READINESS_MS } from '#domain/readiness.ts';
import type { ReadMetric, Sample } from '#observability/metrics.ts';
import { type OperationName, readOperations } from '#postgres/operations.ts';
import { createPool } from '#postgres/pool.ts';
import { isReachable } from '#s3/failures.ts';
import { statisticsReads } from '#search/aggregation-cache.ts';
import type { Services } from '#src/services.ts';
import type { Cleanup } from './cleanup.ts';
import { listen } from './ports.ts';
import { serveTuning } from './tuning.ts';

/** Milliseconds for which figures that were read from Postgres are shared between metrics. */
const OPERATIONS_MS = 1_000;
/** Timeout in milliseconds of the statement that reads the figures from Postgres. */
const OPERATIONS_TIMEOUT_MS = 5_000;
/** Timeout in milliseconds of the request that shows whether S3 responds, before the timeout factor. */
const S3_TIMEOUT_MS = 1_500;

/**
 * Serves a process's metrics at `/metrics` on `METRICS_PORT`.
 * @returns the port, or null if the variable is not set
 */
export async function serveMetrics(services: Services, cleanup: Pick<Cleanup, 'add'>): Promise<number | null> {
  const { config, metrics, logger } = services;
  if (config.metricsPort === null) return null;
  const pool = createPool(config.databaseUrl, {
    max: 1,
    statementTimeout: config.timeoutFactor * OPERATIONS_TIMEOUT_MS,
    name: 'listings-metrics',
  });
  collectDefaultMetrics({ register: metrics.registry });
  metrics.add([...processMetrics(services), ...installationMetrics(() => readOperations(pool))]);
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

/** Metrics about this process. */
function processMetrics(services: Services): ReadMetric[] {
  const { charges, searchQueues, listings, search, indexGuard, readiness, pool, chargePool, s3, config } = services;
  const s3TimeoutMs = config.timeoutFactor * S3_TIMEOUT_MS;
  const s3Up = new CachedRead(() => isReachable(s3, config.s3.cdnBucket, s3TimeoutMs), undefined, READINESS_MS);
  return [
    {
      name: 'units_refunded_total',
      help: 'Units of failed requests that were refunded.',
      read: () => [[charges.refundedUnits]],
    },
    {
      name: 'pending_refunds',
      help: 'Refunds that wait for Postgres.',
      read: () => [[charges.pendingRefunds]],
    },
    {
      name: 'requests_refused_total',
      help: 'Requests refused under overload.',
      read: () => [[searchQueues.refused]],
    },
    {
      name: 'queue_waiting',
      help: 'Requests that wait for a charge, or for a slot of the search engine.',
      labels: ['queue'],
      read: () => [
        [charges.waiting, { queue: 'charge' }],
        ...searchQueues.queues().map(({ load, waiting }): Sample => [waiting, { queue: load }]),
      ],
    },
    {
      name: 'turns_running',
      help: 'Requests that use a slot of the search engine.',
      labels: ['queue'],
      read: () => searchQueues.queues().map(({ load, running }): Sample => [running, { queue: load }]),
    },
    {
      name: 'postgres_connections',
      help: 'Connections of a pool: open, idle, and requests that wait for one.',
      labels: ['pool', 'state'],
      read: () =>
        Object.entries({ main: pool, charge: chargePool }).flatMap(([name, each]): Sample[] => [
          [each.totalCount, { pool: name, state: 'open' }],
          [each.idleCount, { pool: name, state: 'idle' }],
          [each.waitingCount, { pool: name, state: 'waiting' }],
        ]),
    },
    {
      name: 'opensearch_searches_running',
      help: 'Searches in progress, with those that wait for a connection.',
      read: () => [[search.running()]],
    },
    {
      name: 'listing_cache_reads_total',
      help: 'Listings of pages that were in memory, and that were not.',
      labels: ['result'],
      read: () => hitsAndMisses(listings.reads()),
    },
    {
      name: 'statistics_cache_reads_total',
      help: 'Statistics that were served from memory, and that were computed.',
      labels: ['result'],
      read: () => hitsAndMisses(statisticsReads(search)),
    },
    {
      name: 'cache_entries',
      help: 'Entries of a cache.',
      labels: ['cache'],
      read: () => [
        [listings.reads().entries, { cache: 'listings' }],
        [statisticsReads(search).entries, { cache: 'statistics' }],
      ],
    },
    {
      name: 'cache_size',
      help: 'Size of a cache: bytes of listings, characters of statistics.',
      labels: ['cache'],
      read: () => [
        [listings.reads().bytes, { cache: 'listings' }],
        [statisticsReads(search).characters, { cache: 'statistics' }],
      ],
    },
    {
      name: 'store_up',
      help: '1 if a store serves this process, otherwise 0.',
      labels: ['store'],
      read: async () => {
        const [{ opensearch, postgres }, reachable] = await Promise.all([readiness.read(), s3Up.read()]);
        return [
          [opensearch === null ? 1 : 0, { store: 'opensearch' }],
          [postgres === null ? 1 : 0, { store: 'postgres' }],
          [reachable ? 1 : 0, { store: 's3' }],
        ];
      },
    },
    {
      name: 'index_documents',
      help: 'Documents of an index: served by OpenSearch, and recorded in Postgres.',
      labels: ['index', 'state'],
      read: () =>
        [...indexGuard.states()].flatMap(([index, { documents, recorded }]): Sample[] => [
          [documents ?? 0, { index, state: 'served' }],
          ...(recorded === null ? [] : [[recorded, { index, state: 'recorded' }] as const]),
        ]),
    },
    {
      name: 'index_lost',
      help: '1 if an index is lost, and refused until it is rebuilt.',
      labels: ['index'],
      read: () => [...indexGuard.states()].map(([index, { lost }]): Sample => [lost === null ? 0 : 1, { index }]),
    },
  ];
}

const hitsAndMisses = ({ hits, misses }: { hits: number; misses: number }): Sample[] => [
  [hits, { result: 'hit' }],
  [misses, { result: 'miss' }],
];

/** Metrics of the installation, equal in all its processes. */
function installationMetrics(read: () => ReturnType<typeof readOperations>): ReadMetric[] {
  const figures = new CachedRead(read, undefined, OPERATIONS_MS);
  const metric = (name: string, figure: OperationName, help: string, label?: string): ReadMetric => ({
    name,
    help,
    labels: label === undefined ? [] : [label],
    read: async () =>
      (await figures.read()).flatMap(({ name: each, label: value, value: amount }): Sample[] =>
        each === figure ? [[amount, label === undefined ? {} : { [label]: value }]] : [],
      ),
  });
  return [
    metric(
      'source_last_success_timestamp_seconds',
      'source_last_success',
      'Time at which a source was last read completely.',
      'source',
    ),
    metric('source_listings', 'source_listings', 'Live ads of a source.', 'source'),
    metric('source_held', 'source_held', '1 if the feed of a source waits for an operator.', 'source'),
    metric(
      'ingest_last_completed_timestamp_seconds',
      'ingest_last_completed',
      'Time at which the last ingest run was completed.',
    ),
    metric(
      'backup_last_completed_timestamp_seconds',
      'backup_last_completed',
      'Time to which the last completed backup restores.',
    ),
    metric('ingest_stage_seconds', 'ingest_stage_seconds', 'Duration of a stage in the last completed run.', 'stage'),
    metric('ingest_rows', 'ingest_rows', 'Accepted rows of a source in the last completed run.', 'source'),
    metric(
      'ingest_rejected_rows',
      'ingest_rejected_rows',
      'Rejected rows of a source in the last completed run.',
      'source',
    ),
    metric('jobs_waiting', 'jobs_waiting', 'Jobs that wait for a worker.', 'queue'),
    metric('jobs_oldest_seconds', 'jobs_oldest_seconds', 'Seconds that the oldest job has been due.', 'queue'),
    metric(
      'webhook_lag_seconds',
      'webhook_lag_seconds',
      'Age of the first run whose events a webhook endpoint has not received.',
    ),
  ];
}
