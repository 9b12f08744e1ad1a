import { existsSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Progress } from '#ingest/run/report.ts';
import { withPool } from '#postgres/pool.ts';
import * as sql from '#postgres/rows.ts';
import { generateSample } from '#sample/generate.ts';
import { generateOffPlanSample, OFF_PLAN_MANIFEST } from '#sample/off-plan.ts';
import { generateOfficialSample } from '#sample/official.ts';
import type { Config } from '#src/config.ts';
import { publishMonth } from '#src/property-index/publish-month.ts';
import type { Ingest } from './ingest.ts';
import type { Official } from './official.ts';
import { shareOfRun } from './run-share.ts';
import type { Screen } from './screen.ts';

/**
 * Approximate number of live ads on the last day of the sample; over half as many are withdrawn before. The sample has
 * one feed per month since the start of the listing history, one a week before the last `DAYS` days, and one for each
 * of these.
 */
const LISTINGS = 5_000;
const DAYS = 4;
const SEED = 1;

/** `trigger` of the sample's runs in `ingest_runs`. */
const TRIGGER = 'sample';

export interface Sample {
  dir: string;
  /** Time of each feed. The last one is when the sample was generated. */
  times: Date[];
}

/**
 * Generates missing and incomplete parts of the sample.
 * @param since first day of the listing history
 * @param hostUrl host of the sample's photos
 */
export async function ensureSample({
  dir,
  since,
  hostUrl,
  now,
  signal,
}: {
  dir: string;
  since: string;
  hostUrl: string;
  now: Date;
  signal: AbortSignal;
}): Promise<Sample> {
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

/** Ingests, in order, the feeds that no completed run has ingested. */
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
  const bar = screen.progress('Ingesting the sample', times.length);
  try {
    for (const [index, at] of times.entries()) {
      const share = shareOfRun(ingest.sources);
      const day = at.toISOString().slice(0, 10);
      const onProgress = (progress: Progress) => bar.update(index + share(progress), `${day} ${progress.stage}`);
      const followed = index + 1 < times.length;
      // The photos have just been copied. Scheduled runs check them.
      await ingest.run({ at, trigger: TRIGGER, photos: 'copy', followed, onProgress, signal });
    }
    bar.update(times.length);
  } finally {
    bar.end();
  }
  screen.say(`  done in ${((Date.now() - begun) / 1000).toFixed(1)} s`);
}

const COUNTS = {
  ads: sql.integer,
  deals: sql.integer,
  developments: sql.integer,
  units: sql.integer,
  developers: sql.integer,
  members: sql.integer,
  projects: sql.integer,
  calls: sql.integer,
  listings: sql.integer,
  rent: sql.integer,
  cities: sql.integer,
  sources: sql.integer,
  runs: sql.integer,
  moved: sql.integer,
  gone: sql.integer,
};
const LOADED = { ...COUNTS, first: sql.nullable(sql.timestamp), last: sql.nullable(sql.timestamp) };

/** Returns one line for each kind of data. */
export async function loaded(pool: pg.Pool): Promise<string[]> {
  const found = await sql.queryOne(
    pool,
    LOADED,
    `select (select count(*) from listings where withdrawn_at is null) as ads, l.*, r.*, e.*,
           (select count(*) from listing_deals) as deals,
           (select count(*) from off_plan_projects where document is not null) as developments,
           (select count(*) from listings where served and project_id is not null) as units,
           (select count(*) from off_plan_developers where document is not null) as developers,
           (select count(*) from members) as members, (select count(*) from projects) as projects,
           (select coalesce(sum(requests), 0)::bigint from usage_days) as calls
      from (select count(*) as listings, count(*) filter (where listing_type = 'rent') as rent, count(distinct city) as cities,
                   count(distinct source) as sources from listings where served) l,
           (select count(*) as runs, min(at) as first, max(at) as last from ingest_runs) r,
           (select count(*) filter (where type = 'listing.price_changed') as moved,
                   count(*) filter (where type = 'listing.delisted') as gone from listing_events) e`,
  );
  const count = (name: keyof typeof COUNTS): string => found[name].toLocaleString('en');
  const day = (time: Date | null): string => time?.toISOString().slice(0, 10) ?? '';
  const sale = (found.listings - found.rent).toLocaleString('en');
  return [
    `Listings   ${count('listings')} listings (${count('rent')} to rent, ${sale} for sale) of ${count('sources')} sources in ${count('cities')} cities, from ${count('ads')} ads`,
    `History    ${count('runs')} readings from ${day(found.first)} to ${day(found.last)}: ${count('moved')} price changes, ${count('gone')} delisted`,
    `Market     ${count('deals')} deals below their neighbors`,
    `Projects   ${count('developments')} off-plan projects of ${count('developers')} developers, ${count('units')} units`,
    `Accounts   ${count('members')} members, ${count('projects')} projects, ${count('calls')} calls`,
  ];
}

async function pendingTimes(pool: pg.Pool, sample: Sample): Promise<Date[]> {
  const done = await sql.countRows(pool, `from ingest_runs where status = 'completed' and trigger = $1`, [TRIGGER]);
  return sample.times.slice(done);
}

export const officialSampleDir = (dir: string): string => join(dir, 'official');

/** Imports official files that are not imported yet. */
export async function importOfficialSample({ dir }: Sample, official: Official, signal: AbortSignal): Promise<void> {
  await official.import(officialSampleDir(dir), { signal });
}

/** Statement timeout in milliseconds. It is long, because one statement reads all registered deals. */
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
