import { existsSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Ingest } from '#app/workers/open-ingest.ts';
import { generateSample } from '#sample/generate.ts';
import { generateOffPlanSample, OFF_PLAN_MANIFEST } from '#sample/off-plan.ts';
import { generateOfficialSample } from '#sample/official.ts';
import type { Config } from '#src/config.ts';
import { publishMonth } from '#src/property-index/publish-month.ts';
import { withPool } from '#stores/postgres/pool.ts';
import * as sql from '#stores/postgres/rows.ts';
import { showRuns } from './run-progress.ts';
import type { Screen } from './screen.ts';

/**
 * Ads live on the last day, about; over half as many are withdrawn before. There is a feed for each month since the
 * start of the history, for the week before the last `DAYS` days, and for each of these.
 */
const LISTINGS = 5_000;
const DAYS = 4;
const SEED = 1;

/** `trigger` of the sample's runs in `ingest_runs`. */
const TRIGGER = 'sample';

type Sample = Awaited<ReturnType<typeof ensureSample>>;

interface SampleRequest {
  dir: string;
  /** First day of the listing history. */
  since: string;
  /** Host of the sample's photos. */
  hostUrl: string;
  now: Date;
  signal: AbortSignal;
}

/** Generates missing and incomplete parts of the sample. */
export async function ensureSample({ dir, since, hostUrl, now, signal }: SampleRequest) {
  const manifest = join(dir, 'manifest.json');
  if (!(await isFinished(manifest))) {
    await mkdir(dir, { recursive: true });
    const until = now.toISOString().slice(0, 10);
    await generateSample({ dir, listings: LISTINGS, seed: SEED, days: DAYS, until, since, hostUrl, signal });
  }
  if (!existsSync(join(officialSampleDir(dir), 'manifest.json'))) generateOfficialSample({ dir, seed: SEED });
  // The manifest is written last, so this is when the sample was complete.
  const made = (await stat(manifest)).mtime.getTime();
  const { days } = JSON.parse(await readFile(manifest, 'utf8')) as { days: string[] };
  if (!existsSync(join(dir, OFF_PLAN_MANIFEST))) generateOffPlanSample({ dir, seed: SEED, days, hostUrl });
  const midnights = days.map((day) => Date.parse(`${day}T00:00:00Z`));
  const lastDay = midnights.at(-1) ?? made;
  // The time of day at which the sample was generated.
  const hour = Math.max(made - lastDay, 0);
  return { dir, times: midnights.map((midnight) => new Date(midnight + hour)) };
}

async function isFinished(manifest: string): Promise<boolean> {
  try {
    return Array.isArray(JSON.parse(await readFile(manifest, 'utf8')).days);
  } catch {
    return false;
  }
}

/** In order, the feeds that no completed run has ingested. */
export async function ingestSample(
  sample: Sample,
  ingest: Ingest,
  pool: pg.Pool,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  const done = await sql.countRows(pool, `from ingest_runs where status = 'completed' and trigger = $1`, [TRIGGER]);
  const times = sample.times.slice(done);
  if (times.length === 0) return;
  const begun = Date.now();
  const runs = showRuns(screen, 'Ingesting the sample', ingest.sources, times.length);
  try {
    for (const at of times) {
      const followed = at !== times.at(-1);
      // The photos have just been copied. Scheduled runs check them.
      await runs.track((onProgress) =>
        ingest.run({ at, trigger: TRIGGER, photos: 'copy', followed, onProgress, signal }),
      );
    }
  } finally {
    runs.end();
  }
  screen.say(`  done in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

const LOADED = { listings: sql.integer, ads: sql.integer, cities: sql.integer, sources: sql.integer };

/** Describes the loaded data in a line. */
export async function loaded(pool: pg.Pool): Promise<string> {
  const { listings, ads, cities, sources } = await sql.queryOne(
    pool,
    LOADED,
    `select count(*) filter (where served) as listings, count(*) filter (where withdrawn_at is null) as ads,
            count(distinct city) filter (where served) as cities, count(distinct source) filter (where served) as sources
       from listings`,
  );
  return `Listings   ${listings.toLocaleString('en')} of ${sources} sources in ${cities} cities, from ${ads.toLocaleString('en')} ads`;
}

export const officialSampleDir = (dir: string): string => join(dir, 'official');

/** In milliseconds: one statement reads all registered deals. */
const RELEASE_LIMIT = 60_000;

/** Publishes this month's release, unless it exists. */
export async function publishSampleRelease(
  { databaseUrl, historyStart }: Config,
  now: Date,
  screen: Screen,
): Promise<void> {
  const options = { max: 1, statementTimeout: RELEASE_LIMIT, name: 'listings-sample' };
  await screen.step('Publishing the property index', () =>
    withPool(databaseUrl, options, async (pool) => {
      const db = await pool.connect();
      await publishMonth(db, now, historyStart).finally(() => db.release());
    }),
  );
}
