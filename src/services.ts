import type { S3Client } from '@aws-sdk/client-s3';
import type { Client } from '@opensearch-project/opensearch';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { CachedRead } from '#domain/cached-read.ts';
import type { Places } from '#domain/geography/reference.ts';
import type { SourceClock } from '#domain/listings/source-clock.ts';
import type { LoadedQuarter, OfficialRules } from '#domain/official/rules.ts';
import type { Readiness } from '#domain/readiness.ts';
import type { SearchQueues } from '#domain/search-queues.ts';
import type { Charges } from '#metering/charge-queue.ts';
import type { Metrics } from '#observability/metrics.ts';
import type { RequestLogWriter } from '#observability/request-log.ts';
import type { Resolve } from '#outbound/resolve.ts';
import type { LinkSigner } from '#s3/links.ts';
import type { IndexGuard } from '#search/index-guard.ts';
import type { ListingReader } from '#search/listing-reader.ts';
import type { RequestSearch, SearchEngine } from '#search/read-engine.ts';
import type { Tracer } from '#tracing/tracer.ts';
import type { Config } from './config.ts';

/** Datastores and other external dependencies of request handlers. Opened once per process; tests provide replacements. */
export interface Services {
  config: Config;
  /** For statements whose changes must be on disk when they return. */
  pool: pg.Pool;
  /** Commits do not wait for the disk. A crash may lose the most recent counts, but no units beyond the quota. */
  chargePool: pg.Pool;
  charges: Charges;
  opensearch: Client;
  /** Knows which indexes can be read. Searches check it themselves. */
  indexGuard: IndexGuard;
  search: SearchEngine;
  /** Limits concurrent expensive requests to the search engine. One per process. */
  searchQueues: SearchQueues;
  listings: ListingReader;
  s3: S3Client;
  signLink: LinkSigner;
  logger: Logger;
  metrics: Metrics;
  /** Null if tracing is disabled. */
  tracer: Tracer | null;
  places: Places;
  sourceClock: SourceClock;
  officialRules: OfficialRules;
  /** Quarters with registered deals. */
  loadedQuarters: CachedRead<LoadedQuarter[]>;
  /** Whether this node can serve requests. Shared by all probes of the process. */
  readiness: CachedRead<Readiness>;
  requestLog: RequestLogWriter;
  clock: Clock;
  random: (size: number) => Uint8Array;
  /** Resolves host names that clients provide. */
  resolve: Resolve;
  /** The demo key that pages fill in. Only set if there are demo keys. */
  demoKey?: string;
}

/** The services of one request. Its searches end at its deadline. */
export type CallServices = Omit<Services, 'search'> & { search: RequestSearch };

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The time by which `charge` counts. Null for the database clock, which all nodes share. */
  chargeTime(): Date | null;
}

export const systemClock: Clock = { now: () => Date.now(), chargeTime: () => null };
