import type { S3Client } from '@aws-sdk/client-s3';
import type { Client } from '@opensearch-project/opensearch';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Places } from '#domain/geography/reference.ts';
import type { SourceClock } from '#domain/listings/source-clock.ts';
import type { RequestLogWriter } from '#observability/request-log.ts';
import type { LinkSigner } from '#s3/links.ts';
import type { SearchEngine } from '#search/read-engine.ts';
import type { Config } from './config.ts';

/** What handlers reach the world through; opened once a process, passed in by tests. */
export interface Services {
  config: Config;
  /** For everything that must be on disk when it returns. */
  pool: pg.Pool;
  /** For `charge`: within the quota a crash may lose the last moments of counting, and no money. */
  chargePool: pg.Pool;
  opensearch: Client;
  search: SearchEngine;
  s3: S3Client;
  signLink: LinkSigner;
  logger: Logger;
  places: Places;
  sourceClock: SourceClock;
  requestLog: RequestLogWriter;
  clock: Clock;
  random: (size: number) => Uint8Array;
}

/** Null from `charge` on means the database's own clock; tests pass one that stands still. */
export interface Clock {
  now(): number;
  /** Passed to `charge`; null leaves it to the database, so that nodes agree. */
  chargeTime(): Date | null;
}

export const systemClock: Clock = { now: () => Date.now(), chargeTime: () => null };
