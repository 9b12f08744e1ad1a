import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { Admission } from '#domain/admission.ts';
import { CachedRead, SharedReads } from '#domain/cached-read.ts';
import { Places } from '#domain/geography/reference.ts';
import { SourceClock } from '#domain/listings/source-clock.ts';
import { readDownloads } from '#domain/process/downloads.ts';
import { ReadQueues } from '#domain/read-queues.ts';
import { READINESS_MS, type Readiness } from '#domain/readiness.ts';
import { ESTIMATE_VERSION } from '#domain/statistics/estimate.ts';
import { Waits } from '#domain/waits.ts';
import type { Config } from '#src/config.ts';
import { Charges } from '#src/metering/charge.ts';
import { DailyListings } from '#src/metering/daily-listings.ts';
import { createLogger } from '#src/observability/logger.ts';
import { Metrics } from '#src/observability/metrics.ts';
import { QueryLog } from '#src/observability/query-log.ts';
import { RequestLogWriter } from '#src/observability/request-log.ts';
import { type Services, systemClock } from '#src/services.ts';
import { StatisticsCache } from '#stores/opensearch/aggregation-cache.ts';
import { IndexGuard } from '#stores/opensearch/index-guard.ts';
import { readAllAliased } from '#stores/opensearch/indexes.ts';
import { ListingReader } from '#stores/opensearch/listing-reader.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { createSearchEngine } from '#stores/opensearch/read-engine.ts';
import { loadSuggestions } from '#stores/opensearch/suggestions.ts';
import { createOutboundClient, userAgentOf } from '#stores/outbound/outbound-client.ts';
import { systemResolve } from '#stores/outbound/resolve.ts';
import { readExpectedErrors } from '#stores/postgres/estimate-ledger.ts';
import { readRegistry } from '#stores/postgres/index-registry.ts';
import { readLoadedQuarters } from '#stores/postgres/official.ts';
import { createRequestPool, type PoolOptions, probeWritable } from '#stores/postgres/pool.ts';
import * as sql from '#stores/postgres/rows.ts';
import { createLinkSigner } from '#stores/s3/links.ts';
import { createS3 } from '#stores/s3/s3-client.ts';

/** Milliseconds between refreshes of source times. */
const REFRESH_EVERY = 30_000;
/** In milliseconds. Names and counts change with an ingest run. */
const SUGGESTIONS_EVERY = 300_000;
/** In milliseconds. Errors of past estimates change once a day. */
const EXPECTED_ERRORS_EVERY = 3_600_000;
/** Milliseconds between checks for indexes that cannot be read. */
const GUARD_EVERY = 1_000;
/** Pages of changes, of up to 100 listings each. A publication ends all waits within some seconds. */
const SHARED_PAGES = 100;
const SHARED_PAGES_MS = 5_000;
/** Search timeout in milliseconds. A request's deadline also ends all its searches. */
const SEARCH_LIMIT = 5_000;
const POSTGRES_LIMIT = 2_000;
/** Four connections charge thousands of calls a second. */
const CHARGE_CONNECTIONS = 4;
/** In milliseconds. A charge holds a row for one, so a longer wait is for an organization that must not delay others. */
const CHARGE_LOCK_LIMIT = 25;
/** Timeout of readiness probes in milliseconds. */
const PROBE_LIMIT = 1_500;
/** In milliseconds: no request waits for the logs. */
const LOG_LIMIT = 15_000;

function openPools(config: Config) {
  const limit = config.timeoutFactor * POSTGRES_LIMIT;
  const open = (name: string, options: PoolOptions): pg.Pool =>
    createRequestPool(config, { name, statementTimeout: limit, ...options });
  const pools = {
    pool: open('listings-api', { max: 16, idleTransactionTimeout: 3 * limit }),
    chargePool: open('listings-api-charge', {
      max: CHARGE_CONNECTIONS,
      asynchronousCommit: true,
      lockTimeout: CHARGE_LOCK_LIMIT,
    }),
    logPool: open('listings-api-logs', { max: 1, statementTimeout: LOG_LIMIT, asynchronousCommit: true }),
    readsPool: open('listings-api-reads', { max: 2, asynchronousCommit: true }),
    // A separate pool: a lost index is detected and readiness is probed while requests wait for connections.
    guardPool: open('listings-api-guard', { max: 2 }),
  };
  return { ...pools, closePools: () => Promise.all(Object.values(pools).map((each) => each.end())) };
}

/** Returns the last time at which each source was read, in epoch seconds. */
async function readSourceTimes(pool: pg.Pool): Promise<Map<string, number>> {
  const rows = await sql.queryRows(
    pool,
    { source: sql.text, seen: sql.number },
    'select source, extract(epoch from last_seen_at)::float8 as seen from source_states where last_seen_at is not null',
  );
  return new Map(rows.map(({ source, seen }) => [source, seen]));
}

/** In tests, `overrides` replaces some services. */
export async function openServices(config: Config, overrides: Partial<Services> = {}) {
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const { timeoutFactor } = config;
  const [searchLimit, probeLimit] = [timeoutFactor * SEARCH_LIMIT, timeoutFactor * PROBE_LIMIT];
  const { pool, chargePool, logPool, readsPool, guardPool, closePools } = openPools(config);
  const metrics = overrides.metrics ?? new Metrics();
  const requestLog = new RequestLogWriter(logPool, logger);
  const queryLog = new QueryLog(logPool, logger, config.hasQueryLog);
  const opensearch = new OpenSearch({ ...config.opensearch, requestTimeout: searchLimit });
  const indexGuard = new IndexGuard({
    shown: () => readAllAliased(opensearch, { limitMs: probeLimit }),
    registry: () => readRegistry(guardPool),
  });
  const onSlow = (slow: object): void => logger.warn(slow, 'slow search');
  const engine = { ...config.opensearch, timeout: searchLimit, connections: 32, guard: indexGuard, onSlow };
  const search = overrides.search ?? createSearchEngine(engine);
  const s3 = createS3(config.s3);
  const services: Services = {
    config,
    pool,
    chargePool,
    charges: new Charges(chargePool),
    dailyListings: new DailyListings(readsPool, config.keyPepper),
    opensearch,
    indexGuard,
    search,
    readQueues: new ReadQueues({
      timeoutFactor,
      onBegin: (load, waitedMs) => metrics.observeWait(load, waitedMs / 1_000),
    }),
    admission: new Admission({ timeoutFactor }),
    waits: new Waits(),
    changes: new SharedReads(SHARED_PAGES, SHARED_PAGES_MS),
    statistics: new StatisticsCache(),
    listings: new ListingReader({
      search,
      addresses: { siteUrl: config.siteUrl, cdnUrl: config.cdnUrl },
      cacheBytes: config.listingCacheBytes,
      timeout: searchLimit,
    }),
    s3,
    signLink: createLinkSigner(config.s3),
    logger,
    metrics,
    places: new Places(),
    suggestions: new CachedRead(() => loadSuggestions(search, services.places), SUGGESTIONS_EVERY),
    expectedErrors: new CachedRead(() => readErrors(services), EXPECTED_ERRORS_EVERY),
    sourceClock: new SourceClock(() => readSourceTimes(pool)),
    loadedQuarters: new CachedRead(() => readLoadedQuarters(pool)),
    readiness: new CachedRead(() => probeReadiness(services, guardPool, probeLimit), READINESS_MS),
    startup: { isWarm: true },
    requestLog,
    queryLog,
    clock: systemClock,
    random: randomBytes,
    downloads: readDownloads(),
    resolve: systemResolve,
    clientDocuments: createOutboundClient({ httpsOnly: true, userAgent: userAgentOf(config) }),
    ...overrides,
  };
  const { size, skipped } = config.boundaries;
  if (size > 0) logger.info({ neighborhoods: size, skipped }, 'boundaries read');
  const refresh = (): Promise<void> => services.sourceClock.refresh();
  await Promise.all([refresh(), indexGuard.refresh()]);
  const stopRefreshing = refreshOften(indexGuard, refresh, logger);
  return {
    services,
    refresh,
    close: async (): Promise<void> => {
      stopRefreshing();
      await requestLog.close();
      await queryLog.close();
      await Promise.all([search.close(), opensearch.close(), closePools()]);
      s3.destroy();
      logger.flush();
    },
  };
}

/** @returns a function that ends the refreshes */
function refreshOften(guard: IndexGuard, refresh: () => Promise<void>, logger: Services['logger']): () => void {
  const timers = [
    setInterval(() => void guard.refresh(), GUARD_EVERY).unref(),
    setInterval(() => {
      refresh().catch((error: unknown) => logger.warn({ err: error }, 'source times were not refreshed'));
    }, REFRESH_EVERY).unref(),
  ];
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

const readErrors = ({ pool, clock }: Services) => readExpectedErrors(pool, ESTIMATE_VERSION, clock.now());

/** Reads depend on searches and on charges that can be written. */
async function probeReadiness(
  { search, indexGuard }: Pick<Services, 'search' | 'indexGuard'>,
  pool: pg.Pool,
  limitMs: number,
): Promise<Readiness> {
  const [searchable, writable] = await Promise.all([search.probe('listings', limitMs), probeWritable(pool, limitMs)]);
  const postgres = { ok: null, read_only: 'postgres_read_only', unavailable: 'postgres_unavailable' } as const;
  const states = [...indexGuard.states().values()];
  const lost = indexGuard.states().get('listings')?.lost ? 'index_lost' : null;
  return {
    opensearch: lost ?? (searchable ? null : 'opensearch_unavailable'),
    postgres: postgres[writable],
    isBlocked: states.some(({ isBlocked }) => isBlocked),
  };
}
