import { STATEMENT_LIMIT } from '#postgres/job.ts';
import { createPool } from '#postgres/pool.ts';
import type { SearchEngine } from '#search/read-engine.ts';
import { publishPropertyIndex } from '#src/property-index/publish-month.ts';
import type { Worker, WorkerServices } from '../worker.ts';
import { recordEstimates } from './estimates-job.ts';
import { exportJobs } from './export-jobs.ts';
import { JOBS } from './jobs.ts';
import { mergeIndexes } from './merge-job.ts';
import { verifyPhotos } from './photos-job.ts';
import { scheduleJobs } from './schedule.ts';

type HousekeepingServices = Pick<WorkerServices, 'config' | 'logger' | 'clock' | 's3' | 'opensearch' | 'photos'> & {
  search: Pick<SearchEngine, 'search'>;
};

export const housekeepingWorker = {
  name: 'housekeeping',
  async start({ config, logger, clock, s3, opensearch, search, photos }: HousekeepingServices) {
    const stopping = new AbortController();
    // Jobs need a longer statement timeout than requests.
    const pool = createPool(config.databaseUrl, { max: 2, statementTimeout: STATEMENT_LIMIT, name: 'listings-jobs' });
    const { listings, history, deals } = opensearch.aliases;
    const jobs = [
      ...JOBS,
      publishPropertyIndex(config.historyStart),
      recordEstimates(search),
      mergeIndexes(opensearch, [listings, history, deals]),
      ...exportJobs({ s3, bucket: config.s3.exportsBucket }),
      verifyPhotos(photos, stopping.signal),
    ];
    const schedule = scheduleJobs(jobs, pool, logger, clock.now);
    return async () => {
      stopping.abort();
      await schedule.stop();
      await pool.end();
    };
  },
} satisfies Worker;
