import type { S3Client } from '@aws-sdk/client-s3';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Admission } from '#domain/admission.ts';
import type { CachedRead, SharedReads } from '#domain/cached-read.ts';
import type { Places } from '#domain/geography/reference.ts';
import type { SourceClock } from '#domain/listings/source-clock.ts';
import type { LoadedQuarter } from '#domain/official/rules.ts';
import type { Downloads } from '#domain/process/downloads.ts';
import type { ReadQueues } from '#domain/read-queues.ts';
import type { Readiness } from '#domain/readiness.ts';
import type { PlaceIndex } from '#domain/suggestions/place-index.ts';
import type { Waits } from '#domain/waits.ts';
import type { Charges } from '#src/metering/charge.ts';
import type { DailyListings } from '#src/metering/daily-listings.ts';
import type { Metrics } from '#src/observability/metrics.ts';
import type { QueryLog } from '#src/observability/query-log.ts';
import type { RequestLogWriter } from '#src/observability/request-log.ts';
import type { StatisticsCache } from '#stores/opensearch/aggregation-cache.ts';
import type { IndexGuard } from '#stores/opensearch/index-guard.ts';
import type { ListingReader } from '#stores/opensearch/listing-reader.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import type { RequestSearch, SearchEngine } from '#stores/opensearch/read-engine.ts';
import type { Suggestion } from '#stores/opensearch/suggestions.ts';
import type { OutboundClient } from '#stores/outbound/outbound-client.ts';
import type { Resolve } from '#stores/outbound/resolve.ts';
import type { ExpectedError } from '#stores/postgres/estimate-ledger.ts';
import type { ChangesPage } from '#stores/postgres/listing-changes.ts';
import type { LinkSigner } from '#stores/s3/links.ts';
import type { Config } from './config.ts';

/** Dependencies of request handlers, opened once per process. */
export interface Services {
  config: Config;
  /** Changes are on disk when a statement returns. */
  pool: pg.Pool;
  /**
   * Commits do not wait for the disk. A crash of Postgres may lose the most recent counts within the quota; commits of
   * units beyond it wait.
   */
  chargePool: pg.Pool;
  charges: Charges;
  dailyListings: DailyListings;
  opensearch: OpenSearch;
  /** Tracks which indexes can be read. Searches check the guard themselves. */
  indexGuard: IndexGuard;
  search: SearchEngine;
  readQueues: ReadQueues;
  admission: Admission;
  waits: Waits;
  /** Pages of changes, which calls share whose wait has ended. */
  changes: SharedReads<ChangesPage>;
  statistics: StatisticsCache;
  listings: ListingReader;
  s3: S3Client;
  signLink: LinkSigner;
  logger: Logger;
  metrics: Metrics;
  places: Places;
  /** Names for suggestions, with the listings of each. */
  suggestions: CachedRead<PlaceIndex<Suggestion>>;
  /** Errors of past estimates by cohort. */
  expectedErrors: CachedRead<ExpectedError[]>;
  sourceClock: SourceClock;
  /** Quarters for which registered deals are loaded. */
  loadedQuarters: CachedRead<LoadedQuarter[]>;
  /** Whether this node can serve requests. Probes share the result. */
  readiness: CachedRead<Readiness>;
  /** False while a process that has just started makes itself ready. */
  startup: { isWarm: boolean };
  requestLog: RequestLogWriter;
  queryLog: QueryLog;
  clock: Clock;
  random: (size: number) => Uint8Array;
  /** The clients that users can install. */
  downloads: Downloads;
  /** Resolves host names that clients provide. */
  resolve: Resolve;
  /** Fetches the documents with which assistants identify themselves. */
  clientDocuments: Pick<OutboundClient, 'fetch'>;
  /** The demo key that pages fill in. Set only if there are demo keys. */
  demoKey?: string;
}

/** The services for one request. Searches end at the request's deadline. */
export type CallServices = Omit<Services, 'search'> & { search: RequestSearch };

export interface Clock {
  /** Returns epoch milliseconds. */
  now(): number;
  /** The time with which `charge` counts units. Null for the database clock, which all nodes share. */
  chargeTime(): Date | null;
}

export const systemClock: Clock = { now: () => Date.now(), chargeTime: () => null };
