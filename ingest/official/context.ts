import type pg from 'pg';
import { LOCKS } from '#postgres/locks.ts';
import type { OpenSearch } from '#search/client.ts';
import { LOCK_WAIT_MS, withWriterLock } from '../postgres/writer.ts';

export interface OfficialContext {
  pool: pg.Pool;
  opensearch: OpenSearch;
  /** Secret key for hashing transaction ids. */
  idKey: string;
  signal: AbortSignal;
  /** Called with a description of each step, for operators and for tests of interrupted imports. */
  onProgress?(step: string): void;
}

export class OfficialBusyError extends Error {
  override name = 'OfficialBusyError';
  constructor() {
    super('Another process imports official data. Try again when it has ended.');
  }
}

/** Runs `work` on the only connection that may write official data. @throws OfficialBusyError */
export const withOfficialLock = <T>(pool: pg.Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> =>
  withWriterLock(
    pool,
    LOCKS.official,
    { wait: LOCK_WAIT_MS, purpose: 'an import of official data', busy: () => new OfficialBusyError() },
    work,
  );
