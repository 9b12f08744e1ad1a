import { existsSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Progress } from '#ingest/run/report.ts';
import { generateSample } from '#ingest/sample/generate.ts';
import { generateOfficialSample } from '#ingest/sample/official.ts';
import { createPool } from '#postgres/pool.ts';
import type { Config } from '#src/config.ts';
import { publishMonth } from '#src/property-index/publish-month.ts';
import type { Ingest } from './ingest.ts';
import type { Official } from './official.ts';
import { shareOfRun } from './run-share.ts';
import type { Screen } from './screen.ts';

/** The sample that `npm start` serves when no feeds are configured: about so many ads of invented sources, over some days. */
const LISTINGS = 2_500;
const DAYS = 4;
const SEED = 1;

/** The trigger that marks runs of the sample in `ingest_runs`. */
const TRIGGER = 'sample';

export interface Sample {
  dir: string;
  /** The times to read the feeds as of, one a day, the last when the sample was made. */
  times: Date[];
}

/**
 * Writes the sample feeds once; a sample that was not finished is written again.
 * @param hostUrl where its photos will be served
 */
export async function ensureSample(dir: string, hostUrl: string, now: Date, screen: Screen): Promise<Sample> {
  const manifest = join(dir, 'manifest.json');
  if (!(await isFinished(manifest))) {
    await mkdir(dir, { recursive: true });
    const until = now.toISOString().slice(0, 10);
    await screen.step('Writing sample feeds', () =>
      generateSample({ dir, listings: LISTINGS, seed: SEED, days: DAYS, until, hostUrl }),
    );
  }
  // The manifest is written last, so its time is when the sample was ready.
  const made = (await stat(manifest)).mtime.getTime();
  const { days } = JSON.parse(await readFile(manifest, 'utf8')) as { days: string[] };
  const last = Math.max(made, Date.parse(`${days.at(-1)}T00:00:00Z`));
  return { dir, times: days.map((_, at) => new Date(last - (days.length - 1 - at) * 86_400_000)) };
}

async function isFinished(manifest: string): Promise<boolean> {
  try {
    return Array.isArray(JSON.parse(await readFile(manifest, 'utf8')).days);
  } catch {
    return false;
  }
}

/** Ingests the days of the sample that no completed run has ingested, in order. */
export async function ingestSample(
  sample: Sample,
  ingest: Ingest,
  pool: pg.Pool,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  const times = await pendingTimes(pool, sample);
  if (times.length === 0) return;
  const begun = Date.now();
  const bar = screen.progress('Ingesting sample listings', times.length);
  try {
    for (const [index, at] of times.entries()) {
      const share = shareOfRun(ingest.sources);
      const day = at.toISOString().slice(0, 10);
      const onProgress = (progress: Progress) => bar.update(index + share(progress), `${day} ${progress.stage}`);
      await ingest.run({ at, trigger: TRIGGER, onProgress, signal });
    }
    bar.update(times.length);
  } finally {
    bar.end();
  }
  const { rows } = await pool.query<{ served: number }>('select count(*) as served from listings where served');
  screen.say(`  ${rows[0]?.served ?? 0} listings in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

/** The times of the sample that no completed run has ingested. */
async function pendingTimes(pool: pg.Pool, sample: Sample): Promise<Date[]> {
  const { rows } = await pool.query<{ done: number }>(
    `select count(*) as done from ingest_runs where status = 'completed' and trigger = $1`,
    [TRIGGER],
  );
  return sample.times.slice(rows[0]?.done ?? 0);
}

/** Where the sample of official open data lies. */
export const officialSampleDir = (dir: string): string => join(dir, 'official');

/** Writes the sample of official open data, once, and brings in what has not been read of it. */
export async function importOfficialSample(
  { dir }: Sample,
  official: Official,
  screen: Screen,
  signal: AbortSignal,
): Promise<void> {
  const folder = officialSampleDir(dir);
  if (!existsSync(join(folder, 'manifest.json')))
    await screen.step('Writing sample files of official data', () => generateOfficialSample({ dir, seed: SEED }));
  await screen.step('Importing official data', () => official.import(folder, { signal }));
}

/** Milliseconds that one statement may take: it reads all registered deals. */
const RELEASE_LIMIT = 60_000;

/** Publishes the month's release of the property index out of the sample, unless there is one. */
export async function publishSampleRelease(
  { databaseUrl, historyStart }: Config,
  now: Date,
  screen: Screen,
): Promise<void> {
  const pool = createPool(databaseUrl, { max: 1, statementTimeout: RELEASE_LIMIT, name: 'listings-sample' });
  try {
    await screen.step('Publishing the property index', async () => {
      const db = await pool.connect();
      try {
        await publishMonth(db, now, historyStart);
      } finally {
        db.release();
      }
    });
  } finally {
    await pool.end();
  }
}
