import type { S3Client } from '@aws-sdk/client-s3';
import type { Progress, RunReport } from '#ingest/run/report.ts';
import { runIngest } from '#ingest/run/run.ts';
import { loadSources } from '#ingest/sources/index.ts';
import type { FeedSettings } from '#ingest/sources/source.ts';
import { createPool } from '#postgres/pool.ts';
import { createOpenSearch } from '#search/client.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import type { Config } from '#src/config.ts';

export interface IngestRequest {
  /** The time that feeds are read as of; now, when left out. */
  at?: Date;
  /** Who asked for the run. */
  trigger: string;
  onProgress?: (progress: Progress) => void;
  signal: AbortSignal;
}

/** The pipeline with the stores it writes to. */
export interface Ingest {
  /** Names of the sources whose feeds this installation has. */
  sources: string[];
  run(request: IngestRequest): Promise<RunReport>;
  close(): Promise<void>;
}

/** Milliseconds: a run's statements go over whole tables. */
const STATEMENT_LIMIT = 600_000;

export async function openIngest(config: Config, s3: S3Client, feeds: FeedSettings): Promise<Ingest> {
  const sources = await loadSources(feeds);
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: STATEMENT_LIMIT, name: 'listings-ingest' });
  const opensearch = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 60_000, maxRetries: 3 });
  const privateHosts = feeds.sampleHostUrl ? [new URL(feeds.sampleHostUrl).host] : [];
  return {
    sources: sources.map(({ name }) => name),
    run: async (request) =>
      runIngest({
        ...request,
        pool,
        s3,
        sources,
        listingIndex: await openListingIndex(opensearch, config.opensearch.indexPrefix),
        photos: { bucket: config.s3.cdnBucket, privateHosts },
      }),
    close: async () => {
      await Promise.all([pool.end(), opensearch.close()]);
    },
  };
}
