import type pg from 'pg';
import { loadSources } from '#ingest/load-sources.ts';
import { loadProjectSources } from '#ingest/off-plan/sources/index.ts';
import { projectFeed } from '#ingest/off-plan/sources/source.ts';
import { type VerifyProgress, type VerifyReport, type VerifyRequest, verifyPhotos } from '#ingest/photos/verify.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import { preparePublication, type RebuiltIndex, rebuildIndexes } from '#ingest/rebuild.ts';
import { PHOTO_DEFAULTS, type PhotoOptions } from '#ingest/run/photo-options.ts';
import type { Progress, RunReport } from '#ingest/run/report.ts';
import { isRebuildDue } from '#ingest/run/restore.ts';
import { runIngest } from '#ingest/run-ingest.ts';
import type { FeedSettings, Source } from '#ingest/sources/source.ts';
import { hostOf } from '#outbound/address.ts';
import { createPool } from '#postgres/pool.ts';
import { createS3 } from '#s3/client.ts';
import { createOpenSearch } from '#search/client.ts';
import { type ListingIndex, openListingIndex } from '#search/listing-index/index.ts';
import type { Config } from '#src/config.ts';
import { claimAs } from './claim.ts';

interface IngestRequest {
  /** Only these sources; all of them when left out. */
  sources?: readonly string[] | undefined;
  /** The time that feeds are read as of; now, when left out. */
  at?: Date | undefined;
  /** The trigger of the run. */
  trigger: string;
  photos?: PhotoOptions['mode'];
  /** Another run follows at once. */
  followed?: boolean;
  onProgress?: (progress: Progress) => void;
  signal: AbortSignal;
}

/** The pipeline with the stores it writes to. */
export interface Ingest {
  /** Names of the sources whose feeds this installation has, or had; those of projects as `<source>/projects`. */
  sources: readonly string[];
  /** For long statements. */
  pool: pg.Pool;
  /** The cluster and the installation. */
  listingIndex: Pick<ListingIndex, 'client' | 'prefix'>;
  /** Makes indexes equal to Postgres. @throws IngestBusyError during a run */
  rebuild(names: readonly RebuiltIndex[], signal: AbortSignal): Promise<unknown>;
  /** Publishes the listings of an earlier release. @throws IngestBusyError during a run */
  publish(signal: AbortSignal): Promise<void>;
  /** Whether Postgres was restored, so that a run has to rebuild the indexes. */
  isRebuildDue(): Promise<boolean>;
  run(request: IngestRequest): Promise<RunReport>;
  /** Looks up the photos of listings in the CDN bucket, and fetches lost ones again. */
  verifyPhotos(
    request: VerifyRequest,
    options: { signal: AbortSignal; onProgress?: (progress: VerifyProgress) => void },
  ): Promise<VerifyReport>;
  close(): Promise<void>;
}

/** Milliseconds. The statements of a run read whole tables. */
const STATEMENT_LIMIT = 600_000;

export async function openIngest(config: Config, feeds: FeedSettings): Promise<Ingest> {
  const projectSources = loadProjectSources(feeds);
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: STATEMENT_LIMIT, name: 'listings-ingest' });
  const opensearch = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 60_000, maxRetries: 3 });
  const s3 = createS3(config.s3);
  const privateHosts = feeds.feedHostUrl ? [hostOf(new URL(feeds.feedHostUrl))] : [];
  const names = config.feeds.sources;
  const load = async (): Promise<Source[]> => {
    const expected = new Set(names ?? (await sourcesReadBefore(pool)));
    const sources = await loadSources(feeds, expected);
    return names === null ? sources : sources.filter(({ name }) => expected.has(name));
  };
  const sources = await load();
  const unknown = names?.filter((name) => !sources.some((source) => source.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`FEEDS_SOURCES: there is no source ${unknown.join(', ')}.`);
  const listingIndex = { client: opensearch, prefix: config.opensearch.indexPrefix };
  const openIndex = () => openListingIndex(opensearch, config.opensearch.indexPrefix);
  return {
    sources: [...sources.map(({ name }) => name), ...projectSources.map(({ name }) => projectFeed(name))],
    pool,
    listingIndex,
    rebuild: (names, signal) => rebuildIndexes(names, { pool, listingIndex, claim: claimAs(new Date()), signal }),
    publish: async (signal) => {
      const index = await openIndex();
      await withWriter(pool, () =>
        preparePublication({ pool, listingIndex: index, claim: claimAs(new Date()), signal }),
      );
    },
    isRebuildDue: () => isRebuildDue(pool, opensearch, config.opensearch.indexPrefix),
    run: async ({ sources: only, photos, ...request }) =>
      runIngest({
        ...request,
        pool,
        s3,
        // Feeds come and go while a worker runs.
        sources: (await load()).filter(({ name }) => only?.includes(name) ?? true),
        projectSources: projectSources.filter(({ name }) => only?.includes(projectFeed(name)) ?? true),
        listingIndex: await openIndex(),
        claim: claimAs(new Date()),
        photos: { bucket: config.s3.cdnBucket, privateHosts, ...(photos && { mode: photos }) },
      }),
    verifyPhotos: (request, options) =>
      verifyPhotos(
        { pool, s3, photos: { ...PHOTO_DEFAULTS, bucket: config.s3.cdnBucket, privateHosts }, ...options },
        request,
      ),
    close: async () => {
      s3.destroy();
      await Promise.all([pool.end(), opensearch.close()]);
    },
  };
}

/** Sources of which a feed has been read to its end: one whose feed is not there any more fails, and is not passed over. */
async function sourcesReadBefore(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ source: string }>(
    'select source from source_states where last_complete_run is not null',
  );
  return rows.map(({ source }) => source);
}
