import cron from 'node-cron';
import { publishPropertyIndex } from '#src/property-index/publish-month.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import type { SearchEngine } from '#stores/opensearch/read-engine.ts';
import { needsMerge, readSegments, startMerge } from '#stores/opensearch/segments.ts';
import { type Job, runJob, STATEMENT_LIMIT } from '#stores/postgres/job.ts';
import { createPool } from '#stores/postgres/pool.ts';
import type { Stop, WorkerServices } from '../worker.ts';
import { recordEstimates } from './estimates-job.ts';
import { exportJobs } from './export-jobs.ts';
import { applyPlans, JOBS } from './jobs.ts';

type HousekeepingServices = Pick<
  WorkerServices,
  'config' | 'logger' | 'clock' | 'random' | 's3' | 'opensearch' | 'ingest'
> & {
  search: Pick<SearchEngine, 'search'>;
};

export function startHousekeeping(services: HousekeepingServices): Stop {
  const { config, logger, clock, random, s3, opensearch, search, ingest } = services;
  const stopping = new AbortController();
  // Jobs need a longer statement timeout than requests.
  const pool = createPool(config.databaseUrl, { max: 2, statementTimeout: STATEMENT_LIMIT, name: 'listings-jobs' });
  const { listings, history, deals } = opensearch.aliases;
  const jobs = [
    ...JOBS,
    applyPlans(random),
    publishPropertyIndex(config.historyStart),
    recordEstimates(search),
    mergeIndexes(opensearch, [listings, history, deals]),
    ...exportJobs({ s3, bucket: config.s3.exportsBucket }),
    verifyPhotos(ingest.verifyPhotos, stopping.signal),
  ];
  const running = new Set<Promise<unknown>>();
  const tasks = jobs.map((job) =>
    cron.schedule(
      job.schedule,
      () => {
        const run = runJob(pool, job, new Date(clock.now()), logger).finally(() => running.delete(run));
        running.add(run);
      },
      { timezone: 'UTC', noOverlap: true },
    ),
  );
  return async () => {
    stopping.abort();
    for (const task of tasks) await task.stop();
    await Promise.allSettled(running);
    await pool.end();
  };
}

/**
 * Does not wait for the merges, which may take minutes.
 * @param aliases to which ingest runs write
 */
const mergeIndexes = (client: OpenSearch, aliases: readonly string[]): Job => ({
  name: 'merge-indexes',
  // The merge runs before the nightly ingest run, when there are few requests.
  schedule: '33 22 * * *',
  run: async () => {
    const sums = { segments: 0, documents: 0, deleted: 0, merges: 0 };
    for (const alias of aliases) {
      const found = await readSegments(client, alias);
      const merge = needsMerge(found);
      if (merge) await startMerge(client, alias);
      sums.segments += found.segments;
      sums.documents += found.documents;
      sums.deleted += found.deleted;
      sums.merges += merge ? 1 : 0;
    }
    return sums;
  },
});

/** If more photos are missing than isolated losses explain, repairs nothing and fails. */
export const verifyPhotos = (verify: WorkerServices['ingest']['verifyPhotos'], signal: AbortSignal): Job => ({
  name: 'verify-photos',
  schedule: '12 1 * * *',
  run: async () => {
    const { checked, missing, held, restored, replaced, failed } = await verify(
      { scope: 'sample', repair: true },
      { signal },
    );
    if (held)
      throw new Error(
        `held: ${missing} of ${checked} photos are missing from the CDN bucket. Check that it is the right one; then run npm run cli -- photos verify --repair --confirm-loss`,
      );
    const failures = Object.values(failed).reduce((sum, count) => sum + count, 0);
    return { checked, missing, restored, replaced, failed: failures };
  },
});
