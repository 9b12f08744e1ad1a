import type pg from 'pg';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { LOCKS } from '#stores/postgres/locks.ts';
import type { SessionPool } from '#stores/postgres/pool.ts';
import { withWriterLock } from '../postgres/writer.ts';

export interface OfficialContext {
  pool: SessionPool;
  opensearch: OpenSearch;
  /** Secret key for hashing transaction ids. */
  idKey: string;
  signal: AbortSignal;
  /** Called with a description of each step, for operators and for tests of interrupted imports. */
  onProgress?(step: string): void;
}

/** Runs `work` on the only connection that may write official data. @throws BusyError */
export const withOfficialLock = <T>(pool: SessionPool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> =>
  withWriterLock(pool, LOCKS.official, 'an import of official data', work);
