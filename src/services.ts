import type { S3Client } from '@aws-sdk/client-s3';
import type { Client } from '@opensearch-project/opensearch';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Places } from '#domain/geography/reference.ts';
import type { SourceClock } from '#domain/listings/source-clock.ts';
import type { LoadedQuarter, OfficialRules } from '#domain/official/rules.ts';
import type { Readiness } from '#domain/readiness.ts';
import type { SharedReading } from '#domain/shared-reading.ts';
import type { Turns } from '#domain/turns.ts';
import type { Charges } from '#metering/charge-queue.ts';
import type { RequestLogWriter } from '#observability/request-log.ts';
import type { Resolve } from '#outbound/resolve.ts';
import type { LinkSigner } from '#s3/links.ts';
import type { IndexGuard } from '#search/index-guard.ts';
import type { ListingReader } from '#search/listing-reader.ts';
import type { RequestSearch, SearchEngine } from '#search/read-engine.ts';
import type { Config } from './config.ts';

/** The stores and other outside things that handlers use. Opened once per process; tests pass their own. */
export interface Services {
  config: Config;
  /** For statements whose effect must be on disk when they return. */
  pool: pg.Pool;
  /** Its commits do not wait for the disk: a crash may lose the last moments of counting, but no money. */
  chargePool: pg.Pool;
  charges: Charges;
  opensearch: Client;
  /** Knows which indexes can be read; searches check it by themselves. */
  indexGuard: IndexGuard;
  search: SearchEngine;
  /** Of the process, for expensive requests to the search engine. */
  turns: Turns;
  listings: ListingReader;
  s3: S3Client;
  signLink: LinkSigner;
  logger: Logger;
  places: Places;
  sourceClock: SourceClock;
  officialRules: OfficialRules;
  /** Quarters that there are registered deals of. */
  loadedQuarters: SharedReading<LoadedQuarter[]>;
  /** Whether this node can serve, shared by all probes of the process. */
  readiness: SharedReading<Readiness>;
  requestLog: RequestLogWriter;
  clock: Clock;
  random: (size: number) => Uint8Array;
  /** Finds the addresses of names that others chose. */
  resolve: Resolve;
  /** The demo key, which pages fill in; only where a demo was made. */
  demoKey?: string;
}

/** The services of a call. Its searches end at its deadline. */
export type CallServices = Omit<Services, 'search'> & { search: RequestSearch };

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** The time that `charge` counts by; null is the database's own, on which all nodes agree. */
  chargeTime(): Date | null;
}

export const systemClock: Clock = { now: () => Date.now(), chargeTime: () => null };
