import type { Services } from '#src/services.ts';
import { createSearchEngine } from '#stores/opensearch/read-engine.ts';
import { createPool } from '#stores/postgres/pool.ts';
import { repeat, workQueue } from '#stores/postgres/queue.ts';
import { createS3 } from '#stores/s3/s3-client.ts';
import { ClaimLostError, failExport } from './charge-export.ts';
import { datasetOf } from './datasets/datasets.ts';
import { ROWS_PER_PART } from './files.ts';
import { ExportFailure, type RunServices, runExport } from './run.ts';
import { claimExport, completeExport, type ExportRecord, releaseExport, renewExport } from './store.ts';

export type ExportWorkerOptions = typeof DEFAULTS;

const DEFAULTS = {
  atOnce: 2,
  /** Milliseconds until the lease of an unresponsive worker expires; renewed four times in it. */
  leaseMs: 30_000,
  pollMs: 2_000,
  maxFailures: 5,
  /** Delay before a retry in milliseconds. It doubles with each retry. */
  retryMs: 10_000,
  rowsPerPart: ROWS_PER_PART,
};

/** Statement timeout in milliseconds. It is long, because counting the events of a year scans a whole table. */
const STATEMENT_LIMIT = 60_000;
const SEARCH_LIMIT = 60_000;
const IDLE_TRANSACTION_LIMIT = 5_000;

export type ExportWorkerServices = Pick<
  Services,
  'config' | 'opensearch' | 'sourceClock' | 'indexGuard' | 'places' | 'logger' | 'clock'
>;

/** @returns a function that stops the worker */
export function startExports(
  services: ExportWorkerServices,
  given: Partial<ExportWorkerOptions> = {},
): () => Promise<void> {
  const options = { ...DEFAULTS, ...given };
  const { config, logger } = services;
  // Exports must not occupy the connections of requests.
  const pool = createPool(config.databaseUrl, {
    max: 4,
    statementTimeout: STATEMENT_LIMIT,
    // A suspended process would keep the counters of the organization locked.
    idleTransactionTimeout: Math.min(IDLE_TRANSACTION_LIMIT, options.leaseMs),
    name: 'listings-exports',
  });
  const search = createSearchEngine({ ...config.opensearch, timeout: SEARCH_LIMIT, connections: 4 });
  const s3 = createS3(config.s3);
  const run: RunServices = { ...services, pool, search, s3 };
  const stopping = new AbortController();
  const working = workQueue(
    {
      claim: () => claimExport(pool, options.leaseMs),
      onError: (error) => logger.warn({ err: error }, 'export not claimed, will retry'),
      run: (job) => makeExport(job, run, options, logger, stopping.signal),
      concurrency: options.atOnce,
      pollMs: options.pollMs,
    },
    stopping.signal,
  );

  return async () => {
    stopping.abort();
    await working;
    await Promise.all([search.close(), pool.end()]);
    s3.destroy();
  };
}

/** Never throws. */
async function makeExport(
  job: ExportRecord,
  services: RunServices,
  options: ExportWorkerOptions,
  logger: Services['logger'],
  stopping: AbortSignal,
): Promise<void> {
  const { pool } = services;
  const log = logger.child({ export: job.id, attempt: job.attempt });
  const lease = keepLeaseRenewed(job, services, options);
  const signal = AbortSignal.any([stopping, lease.lost]);
  try {
    if (job.failures >= options.maxFailures) throw new ExportFailure('internal_error');
    log.info({ dataset: job.dataset, format: job.format }, 'export begun');
    const done = await runExport(job, datasetOf(job.dataset), services, {
      rowsPerPart: options.rowsPerPart,
      onRows: lease.note,
      signal,
    });
    if (!(await completeExport(pool, job, done))) throw new ClaimLostError('lost at the end');
    log.info({ rows: done.rows, files: done.files.length }, 'export completed');
  } catch (error) {
    await settle(error).catch((failure: unknown) => {
      // Another worker claims the export when the lease expires.
      log.error({ err: failure }, 'the end of an export was not recorded');
    });
  } finally {
    void lease.end();
  }

  async function settle(error: unknown): Promise<void> {
    if (error instanceof ClaimLostError || lease.lost.aborted) {
      log.warn('export lost to another worker, or canceled');
    } else if (stopping.aborted) {
      await releaseExport(pool, job, 0, false);
    } else if (error instanceof ExportFailure) {
      log.warn({ code: error.code }, 'export failed');
      await failExport(pool, job, error.code, error.explanation);
    } else if (job.failures + 1 >= options.maxFailures) {
      log.error({ err: error }, 'export failed');
      await failExport(pool, job, 'internal_error', null);
    } else {
      log.warn({ err: error }, 'an attempt at an export failed');
      await releaseExport(pool, job, options.retryMs * 2 ** job.failures, true);
    }
  }
}

function keepLeaseRenewed(job: ExportRecord, { pool }: RunServices, { leaseMs }: ExportWorkerOptions) {
  const lost = new AbortController();
  let rows = 0;
  let renewed = performance.now();
  const renew = async (): Promise<void> => {
    const begun = performance.now();
    if (await renewExport(pool, job, leaseMs, rows)) renewed = begun;
    else lost.abort(new ClaimLostError('the claim is lost'));
  };
  // Postgres may become available before the lease expires.
  const onError = (): void => {
    if (performance.now() - renewed > leaseMs) lost.abort(new ClaimLostError('the lease ran out'));
  };
  return {
    lost: lost.signal,
    note: (written: number): void => {
      rows = written;
    },
    end: repeat(renew, { pauseMs: leaseMs / 4, onError }),
  };
}
