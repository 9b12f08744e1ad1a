import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { isPlausible, judgeIndex, type ServedIndex } from '#domain/index-state.ts';
import { countExpected, readFilled, readRegistry, settleIndex } from '#postgres/index-registry.ts';
import { LOCKS, withLock } from '#postgres/locks.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { OpenSearch } from '#search/client.ts';
import { readAllAliased } from '#search/indexes.ts';
import { IndexVersionError } from '#search/listing-index/index.ts';
import { ensureMark } from '#search/meta.ts';
import { restoreSubscriptions } from '#webhooks/match.ts';
import type { Worker, WorkerServices } from './worker.ts';

/** Milliseconds. */
const CHECK_EVERY = 5_000;

type IndexServices = Pick<WorkerServices, 'pool' | 'opensearch' | 'indexGuard' | 'ingest' | 'official' | 'logger'>;

/**
 * Rebuilds lost indexes and adopts those of earlier releases. Any number of processes can run it: locks ensure that
 * each index is rebuilt once.
 */
export const indexesWorker = {
  name: 'indexes',
  async start(services: IndexServices) {
    const stopping = new AbortController();
    const working = watch(services, stopping.signal);
    return async () => {
      stopping.abort();
      await working;
    };
  },
} satisfies Worker;

async function watch(services: IndexServices, signal: AbortSignal): Promise<void> {
  const { logger, indexGuard, pool, opensearch } = services;
  while (!signal.aborted) {
    try {
      await indexGuard.refresh();
      for (const name of indexGuard.lost()) if (!signal.aborted) await rebuild(services, name, signal);
      if (!signal.aborted) await publishAdopted(services, signal);
      if (!signal.aborted) await adoptIndexes(pool, opensearch);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'index check failed, will retry');
    }
    await sleep(CHECK_EVERY, undefined, { signal }).catch(() => {});
  }
}

async function rebuild(services: IndexServices, name: ServedIndex, signal: AbortSignal): Promise<void> {
  const { logger, indexGuard, ingest, official } = services;
  logger.error({ index: name, reason: indexGuard.states().get(name)?.lost }, 'index lost, rebuilding');
  try {
    let done = true;
    if (name === 'webhooks') done = await restoreSubscriptions(services);
    else if (name === 'transactions') await official.rebuild();
    else done = await ingest.rebuild(name, signal);
    await indexGuard.refresh();
    if (done) logger.info({ index: name, documents: indexGuard.states().get(name)?.documents }, 'index rebuilt');
    else logger.warn({ index: name }, 'index not rebuilt: another process holds the lock, will retry');
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error, index: name }, 'index not rebuilt, will retry');
  }
}

/** After an upgrade, the listings index has no watermark at first. */
async function publishAdopted({ indexGuard, ingest, logger }: IndexServices, signal: AbortSignal): Promise<void> {
  const listings = indexGuard.states().get('listings');
  if (!listings || listings.index === null || listings.lost !== null || listings.watermark !== null) return;
  try {
    if (await ingest.publish(signal)) logger.info('listings of an earlier release published');
  } catch (error) {
    // Earlier documents, until the index is reindexed.
    if (!(error instanceof IndexVersionError)) throw error;
  }
}

/**
 * Records serving indexes without a record, if they match Postgres: after an upgrade, the first start, and a run of an
 * earlier release. Only one process adopts at a time.
 * @returns the adopted indexes
 */
export async function adoptIndexes(pool: pg.Pool, client: OpenSearch): Promise<ServedIndex[]> {
  if ((await unrecorded(pool, client)).length === 0) return [];
  const adopted = await withLock(pool, LOCKS.job('adopt-indexes'), async (db) => {
    const names: ServedIndex[] = [];
    // Read again under the lock, because another process may have adopted them.
    for (const { name, index, version } of await unrecorded(db, client)) {
      if (!isPlausible(index.documents, await countExpected(db, name))) continue;
      const filled = await readFilled(db, name);
      const isFilled = name === 'listings' || (filled !== null && filled.uuid === index.uuid);
      const mark = await ensureMark(client, index.index);
      await settleIndex(db, name, {
        mark,
        documents: name === 'webhooks' ? null : index.documents,
        // Null makes the next run rewrite an index that does not contain the last run.
        holds: isFilled ? version : null,
        ...(filled?.madeWith && { madeWith: filled.madeWith }),
      });
      names.push(name);
    }
    return names;
  });
  return adopted ?? [];
}

/** Unless a run is changing them. */
async function unrecorded(db: Queryable, client: OpenSearch) {
  const [registry, shown] = [await readRegistry(db), await readAllAliased(client)];
  return [...shown].flatMap(([name, index]) => {
    const { record, source } = registry.get(name) ?? { record: null, source: { version: 0, changing: true } };
    return judgeIndex(record, index, source) === 'unverified' ? [{ name, index, version: source.version }] : [];
  });
}

/** According to Postgres. A missing one of them has been lost. */
export async function indexesWithDocuments(pool: pg.Pool): Promise<Set<ServedIndex>> {
  const registry = await readRegistry(pool);
  const names = new Set<ServedIndex>();
  for (const [name, { record }] of registry)
    if ((record?.documents ?? 0) > 0 || (await countExpected(pool, name)) > 0) names.add(name);
  return names;
}
