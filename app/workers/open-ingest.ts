import type pg from 'pg';
import { type FilledName, fillIndexes, repairIndexes } from '#ingest/fill.ts';
import { loadSources } from '#ingest/load-sources.ts';
import { loadProjectSources, projectFeed } from '#ingest/off-plan/sources/index.ts';
import { type VerifyProgress, type VerifyRequest, verifyPhotos } from '#ingest/photos/verify.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import { PHOTO_DEFAULTS, type PhotoOptions } from '#ingest/run/photo-options.ts';
import { isRebuildDue } from '#ingest/run/restore.ts';
import type { Progress } from '#ingest/run/run-report.ts';
import type { RunReport } from '#ingest/run/run-state.ts';
import { runIngest } from '#ingest/run-ingest.ts';
import type { FeedSettings, Source } from '#ingest/sources/source.ts';
import type { Config } from '#src/config.ts';
import { openListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { hostOf } from '#stores/outbound/address.ts';
import { userAgentOf } from '#stores/outbound/outbound-client.ts';
import { createPool } from '#stores/postgres/pool.ts';
import * as sql from '#stores/postgres/rows.ts';
import { requireSessions } from '#stores/postgres/sessions.ts';
import { createS3 } from '#stores/s3/s3-client.ts';

interface IngestRequest {
  /** Sources to ingest. Defaults to all. */
  sources?: readonly string[] | undefined;
  /** Time for which feeds are read. Defaults to the current time. */
  at?: Date | undefined;
  /** Cause of the run, as recorded in `ingest_runs`. */
  trigger: string;
  photos?: PhotoOptions['mode'];
  followed?: boolean;
  onProgress?: (progress: Progress) => void;
  signal: AbortSignal;
}

export type Ingest = Awaited<ReturnType<typeof openIngest>>;

/** In milliseconds: statements in a run read whole tables. */
const STATEMENT_LIMIT = 600_000;

export async function openIngest(config: Config, settings: FeedSettings) {
  const userAgent = userAgentOf(config);
  const feeds = { ...settings, userAgent };
  const projectSources = loadProjectSources(feeds);
  await requireSessions(config.databaseUrl);
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: STATEMENT_LIMIT, name: 'listings-ingest' });
  const opensearch = new OpenSearch({ ...config.opensearch, requestTimeout: 60_000, maxRetries: 3 });
  const s3 = createS3(config.s3);
  const photoHosts = {
    bucket: config.s3.cdnBucket,
    privateHosts: feeds.photoHostUrl ? [hostOf(new URL(feeds.photoHostUrl))] : [],
    userAgent,
  };
  const names = config.feeds.sources;
  const load = async (): Promise<Source[]> => {
    const expected = new Set(names ?? (await sourcesReadBefore(pool)));
    const sources = await loadSources(feeds, expected);
    return names === null ? sources : sources.filter(({ name }) => expected.has(name));
  };
  const sources = await load();
  const unknown = names?.filter((name) => !sources.some((source) => source.name === name)) ?? [];
  if (unknown.length > 0) throw new Error(`FEEDS_SOURCES: there is no source ${unknown.join(', ')}.`);
  const listingIndex = { client: opensearch };
  const openIndex = () => openListingIndex(opensearch);
  return {
    /** With a feed now or before. Feeds of projects are named `<source>/projects`. */
    sources: [...sources.map(({ name }) => name), ...projectSources.map(({ name }) => projectFeed(name))],
    pool,
    listingIndex,
    exportFiles: { s3, bucket: config.s3.exportsBucket },
    /** @throws BusyError while an ingest run is in progress */
    fill: (names: readonly FilledName[], signal: AbortSignal): Promise<unknown> =>
      fillIndexes(names, { pool, listingIndex, signal }),
    /** Returns whether Postgres was restored to an earlier state. */
    isRepairDue: () => isRebuildDue(pool, opensearch),
    /** Fills the indexes. @throws BusyError while an ingest run is in progress */
    repair: (signal: AbortSignal): Promise<void> =>
      withWriter(pool, 'a fill after a restore', (writer) => repairIndexes({ pool, writer, listingIndex, signal })),
    run: async ({ sources: only, photos, ...request }: IngestRequest): Promise<RunReport> =>
      runIngest({
        ...request,
        pool,
        s3,
        // Feeds can appear and disappear while a worker runs.
        sources: (await load()).filter(({ name }) => only?.includes(name) ?? true),
        projectSources: projectSources.filter(({ name }) => only?.includes(projectFeed(name)) ?? true),
        boundaries: config.boundaries,
        listingIndex: await openIndex(),
        photos: { ...photoHosts, ...(photos && { mode: photos }) },
      }),
    verifyPhotos: (
      request: VerifyRequest,
      options: { signal: AbortSignal; onProgress?: (progress: VerifyProgress) => void },
    ) => verifyPhotos({ pool, s3, photos: { ...PHOTO_DEFAULTS, ...photoHosts }, ...options }, request),
    close: async (): Promise<void> => {
      s3.destroy();
      await Promise.all([pool.end(), opensearch.close()]);
    },
  };
}

/** A run reports those whose feeds are missing later. */
async function sourcesReadBefore(pool: pg.Pool): Promise<string[]> {
  const select = 'select source from source_states where last_complete_run is not null';
  const rows = await sql.queryRows(pool, { source: sql.text }, select);
  return rows.map(({ source }) => source);
}
