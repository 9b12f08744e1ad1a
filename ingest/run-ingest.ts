import type pg from 'pg';
import { type Boundaries, NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import * as sql from '#stores/postgres/rows.ts';
import { comparisonStage, dealsStage } from './deals/deals-stage.ts';
import { fetchSource } from './fetch/fetch-stage.ts';
import { repairIndexes } from './fill.ts';
import { historyStage } from './history/history-stage.ts';
import { identityStage } from './identity/identity-stage.ts';
import { repostsStage } from './identity/reposts-stage.ts';
import { indexStage } from './indexing/indexing-stage.ts';
import { fetchProjects } from './off-plan/fetch.ts';
import { projectIndexStage } from './off-plan/index-stage.ts';
import { projectsStage } from './off-plan/projects-stage.ts';
import { type ProjectSource, projectFeed } from './off-plan/sources/index.ts';
import { photosStage } from './photos/photos-stage.ts';
import { placesStage } from './places/places-stage.ts';
import { INGEST_RUN, type Writer, withWriter } from './postgres/writer.ts';
import { qualityStage } from './quality/quality-stage.ts';
import { PHOTO_DEFAULTS, type PhotoOptions } from './run/photo-options.ts';
import { readLastIds } from './run/restore.ts';
import type { RunContext } from './run/run-context.ts';
import { beginRun, completeRun, failRun, type Run, type RunReport, readReport, resumeRun } from './run/run-state.ts';
import { deleteTakenDown, takedownsStage, takedownsWait } from './run/takedowns.ts';
import type { Source } from './sources/source.ts';

export interface IngestOptions
  extends Pick<RunContext, 'pool' | 'listingIndex' | 's3'>,
    Partial<Pick<RunContext, 'followed' | 'onProgress' | 'signal'>> {
  sources: readonly Source[];
  projectSources?: readonly ProjectSource[] | undefined;
  /** Time as of which feeds are read. Defaults to now. */
  at?: Date;
  /** Trigger of the run, such as `schedule` or `cli`. Defaults to `call`. */
  trigger?: string;
  photos: Partial<PhotoOptions> & Pick<PhotoOptions, 'bucket'>;
  /** Boundaries that decide the neighborhood of ads with a point that state none. Defaults to none. */
  boundaries?: Boundaries | undefined;
  /** Milliseconds to wait for a run in another process. */
  lockWait?: number;
}

/** Names occur in lists and COPY lines. */
const SOURCE_NAME = /^[A-Za-z0-9_.-]{1,60}$/;

/**
 * Runs ingest once. An interrupted run is resumed first, as of its original time; if that is not the requested run, or
 * takedowns have been requested since, the requested run follows. After a database restore, the indexes are filled first.
 * @throws BusyError if another process is ingesting; any other error interrupts the run, and the next call
 * resumes it
 */
export async function runIngest(options: IngestOptions): Promise<RunReport> {
  const projectSources = options.projectSources ?? [];
  const invalid = [...options.sources, ...projectSources].find(({ name }) => !SOURCE_NAME.test(name));
  if (invalid)
    throw new Error(
      `The source name ${JSON.stringify(invalid.name)} is invalid: use up to 60 letters, digits and the characters _.-`,
    );
  return withWriter(
    options.pool,
    INGEST_RUN,
    async (writer) => {
      const names = [
        ...options.sources.map((source) => source.name),
        ...projectSources.map((source) => projectFeed(source.name)),
      ];
      const { pool, listingIndex, signal } = options;
      // Detects a restore before any id is assigned that clients may already have received.
      await repairIndexes({ pool, writer, listingIndex, signal });
      const interrupted = await resumeRun(writer);
      if (interrupted) {
        await execute(options, writer, interrupted);
        if (isSame(interrupted, options.at, names) && !(await takedownsWait(pool)))
          return readReport(options.pool, interrupted.id);
      }
      const run = await beginRun(writer, options.at ?? new Date(), names, options.trigger ?? 'call');
      await execute(options, writer, run);
      return readReport(options.pool, run.id);
    },
    options.lockWait,
  );
}

/** Returns whether the resumed run is the requested one. */
function isSame(run: Run, at: Date | undefined, names: readonly string[]): boolean {
  const sameSources = names.length === run.sources.length && names.every((name) => run.sources.includes(name));
  return sameSources && (at === undefined || Math.floor(at.getTime() / 1000) === Math.floor(run.at.getTime() / 1000));
}

async function execute(options: IngestOptions, writer: Writer, run: Run): Promise<void> {
  const context: RunContext = {
    run,
    writer,
    pool: options.pool,
    listingIndex: options.listingIndex,
    s3: options.s3,
    photos: { ...PHOTO_DEFAULTS, ...options.photos },
    boundaries: options.boundaries ?? NO_BOUNDARIES,
    followed: options.followed ?? false,
    onProgress: options.onProgress ?? (() => {}),
    signal: options.signal ?? new AbortController().signal,
  };
  try {
    const last = await readLastIds(options.pool);
    const ids = { next: last.listing + 1 };
    // Ads from a source that is no longer configured are kept; the run continues without that source.
    for (const name of run.sources) {
      const source = options.sources.find((candidate) => candidate.name === name);
      if (source) await fetchSource(context, source, ids);
    }
    const projectIds = { next: last.project + 1 };
    for (const source of options.projectSources ?? [])
      if (run.sources.includes(projectFeed(source.name))) await fetchProjects(context, source, projectIds);
    await takedownsStage(context);
    await analyzeAfterGrowth(options.pool, run);
    await placesStage(context);
    await repostsStage(context);
    await photosStage(context);
    await identityStage(context);
    await projectsStage(context);
    await qualityStage(context);
    await comparisonStage(context);
    // Before any id that the run assigned becomes visible.
    if (!context.followed) await options.listingIndex.recordRun({ id: run.uid, ids: await readLastIds(options.pool) });
    await indexStage(context);
    await dealsStage(context);
    await historyStage(context);
    await projectIndexStage(context);
    if (!context.followed) await deleteTakenDown(context);
    await completeRun(writer, run, context.followed);
  } catch (error) {
    // If the failure cannot be recorded, the run keeps the status `running` and is resumed as well.
    await failRun(writer, run, error).catch(() => {});
    throw error;
  }
}

/** Plans for a small table would be slow. */
async function analyzeAfterGrowth(pool: pg.Pool, run: Run): Promise<void> {
  const { changed, known } = await sql.queryOne(
    pool,
    { changed: sql.integer, known: sql.integer },
    `select coalesce(sum((details->>'new')::bigint), 0)::bigint as changed,
            (select greatest(reltuples, 0)::bigint from pg_class where relname = 'listings') as known
       from ingest_run_stages where run_id = $1 and stage = 'fetch'`,
    [run.id],
  );
  if (changed > 1_000 && changed * 5 > known) await pool.query('analyze listings');
}
