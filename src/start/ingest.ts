import type pg from 'pg';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import { projectFeed } from '#ingest/off-plan/sources/source.ts';
import type { PhotoOptions } from '#ingest/photos/options.ts';
import type { Progress, RunReport } from '#ingest/run/report.ts';
import { runIngest } from '#ingest/run/run.ts';
import { loadSources } from '#ingest/sources/index.ts';
import type { FeedSettings } from '#ingest/sources/source.ts';
import { hostOf } from '#outbound/address.ts';
import { createPool } from '#postgres/pool.ts';
import { createS3 } from '#s3/client.ts';
import { createOpenSearch } from '#search/client.ts';
import { type ListingIndex, openListingIndex } from '#search/listing-index/index.ts';
import type { Config } from '#src/config.ts';

export interface IngestRequest {
  /** Only these sources; all of them when left out. */
  sources?: readonly string[] | undefined;
  /** The time that feeds are read as of; now, when left out. */
  at?: Date | undefined;
  /** Who asked for the run. */
  trigger: string;
  photos?: PhotoOptions['mode'];
  onProgress?: (progress: Progress) => void;
  signal: AbortSignal;
}

/** The pipeline with the stores it writes to. */
export interface Ingest {
  /** Names of the sources whose feeds this installation has; those of projects as `<source>/projects`. */
  sources: readonly string[];
  /** For long statements. */
  pool: pg.Pool;
  openIndex(): Promise<ListingIndex>;
  run(request: IngestRequest): Promise<RunReport>;
  close(): Promise<void>;
}

/** Milliseconds. The statements of a run read whole tables. */
const STATEMENT_LIMIT = 600_000;

export async function openIngest(config: Config, feeds: FeedSettings): Promise<Ingest> {
  const sources = await loadSources(feeds);
  const projectSources = loadProjectSources(feeds);
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: STATEMENT_LIMIT, name: 'listings-ingest' });
  const opensearch = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 60_000, maxRetries: 3 });
  const s3 = createS3(config.s3);
  const privateHosts = feeds.sampleHostUrl ? [hostOf(new URL(feeds.sampleHostUrl))] : [];
  const openIndex = () => openListingIndex(opensearch, config.opensearch.indexPrefix);
  return {
    sources: [...sources.map(({ name }) => name), ...projectSources.map(({ name }) => projectFeed(name))],
    pool,
    openIndex,
    run: async ({ sources: names, photos, ...request }) =>
      runIngest({
        ...request,
        pool,
        s3,
        sources: sources.filter(({ name }) => names?.includes(name) ?? true),
        projectSources: projectSources.filter(({ name }) => names?.includes(projectFeed(name)) ?? true),
        listingIndex: await openIndex(),
        photos: { bucket: config.s3.cdnBucket, privateHosts, ...(photos && { mode: photos }) },
      }),
    close: async () => {
      s3.destroy();
      await Promise.all([pool.end(), opensearch.close()]);
    },
  };
}
