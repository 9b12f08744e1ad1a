import type pg from 'pg';
import type { OfficialRules } from '#domain/official/rules.ts';
import { LOCKS } from '#postgres/locks.ts';
import type { OpenSearch } from '#search/client.ts';
import { LOCK_WAIT_MS, withWriterLock } from '../postgres/writer.ts';

export interface OfficialContext {
  pool: pg.Pool;
  /** Of the cluster with the transactions index. */
  opensearch: OpenSearch;
  rules: OfficialRules;
  /** Secret, for hashing transaction ids. */
  idKey: string;
  signal: AbortSignal;
  /** For operators, and for tests of interrupted imports. */
  onProgress?(step: string): void;
}

export class OfficialBusyError extends Error {
  override name = 'OfficialBusyError';
  constructor() {
    super('Another process imports official data. Try again when it has ended.');
  }
}

/**
 * The connection holds the lock, and only it may write official data.
 * @throws OfficialBusyError if another process holds the lock
 */
export const withOfficialLock = <T>(pool: pg.Pool, work: (db: pg.PoolClient) => Promise<T>): Promise<T> =>
  withWriterLock(
    pool,
    LOCKS.official,
    { wait: LOCK_WAIT_MS, purpose: 'an import of official data', busy: () => new OfficialBusyError() },
    work,
  );
