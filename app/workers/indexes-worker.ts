import type { ServedIndex } from '#domain/index-state.ts';
import { isFilledHere } from '#ingest/fill.ts';
import { BusyError } from '#ingest/postgres/writer.ts';
import { restoreSubscriptions } from '#src/webhooks/subscription-index.ts';
import { repeat } from '#stores/postgres/queue.ts';
import type { Stop, WorkerServices } from './worker.ts';

/** Milliseconds between checks. */
const CHECK_EVERY = 5_000;

type IndexServices = Pick<WorkerServices, 'opensearch' | 'indexGuard' | 'ingest' | 'official' | 'logger'>;

/**
 * Fills lost and incomplete indexes, and all after a restore of Postgres. The locks of their writers ensure that each
 * is filled once.
 */
export function startIndexes(services: IndexServices): Stop {
  const { logger, indexGuard, ingest } = services;
  const onError = (error: unknown) => logger.warn({ err: error }, 'index check failed, will retry');
  const check = async (signal: AbortSignal): Promise<void> => {
    await indexGuard.refresh();
    for (const name of indexGuard.due()) if (!signal.aborted) await fill(services, name, signal);
    if (!signal.aborted && (await ingest.isRepairDue())) {
      logger.warn('Postgres restored to an earlier state, filling all indexes');
      if (await unlessBusy(ingest.repair(signal))) logger.info('indexes filled after a restore');
    }
  };
  return repeat(check, { pauseMs: CHECK_EVERY, onError });
}

async function fill(services: IndexServices, name: ServedIndex, signal: AbortSignal): Promise<void> {
  const { logger, opensearch, indexGuard, ingest, official } = services;
  const { lost, documents, recorded } = indexGuard.states().get(name) ?? {};
  const reason = lost ?? `has ${documents} of ${recorded} documents`;
  logger.error({ index: name, reason }, 'index lost or incomplete, filling a new one');
  try {
    let done = true;
    if (name === 'webhooks') done = await restoreSubscriptions({ opensearch, pool: ingest.pool });
    else if (name === 'transactions') await official.prepare(true);
    else done = isFilledHere(name) && (await unlessBusy(ingest.fill([name], signal)));
    await indexGuard.refresh();
    if (done) logger.info({ index: name, documents: indexGuard.states().get(name)?.documents }, 'index filled');
    else logger.warn({ index: name }, 'index not filled: another process holds the lock, will retry');
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, index: name }, 'index not filled, will retry');
  }
}

/** @returns false if another process is ingesting */
const unlessBusy = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof BusyError) return false;
      throw error;
    },
  );
