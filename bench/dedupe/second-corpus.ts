import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type pg from 'pg';
import { TRUTH_FILE } from '#ingest/sample/truth.ts';
import { createPool } from '#postgres/pool.ts';
import { createOpenSearch } from '#search/client.ts';
import { readConfig } from '#src/config.ts';
import { type CorpusContext, dropStores, emptyStores, storesEnv } from '../corpus/corpus.ts';
import { type IngestMeasurement, measureIngest, serveSample } from '../corpus/ingest.ts';
import { isUnit, type JudgedAd } from './judge.ts';
import type { HomeTruth } from './learn-points.ts';
import { type SecondTruth, writeSecondFeeds } from './second-feeds.ts';

/** The second generator's feeds, ingested into a database of their own. */
export interface SecondCorpus {
  pool: pg.Pool;
  /** Live ads, and what they were found to be. */
  ads: JudgedAd[];
  /** The home of each ad, by its id. */
  truthOf: Map<number, HomeTruth>;
  runs: IngestMeasurement[];
}

const UNTIL = '2026-03-31';

/** Writes the feeds, ingests them, and hands over what was found; database and indexes are dropped afterwards. */
export async function withSecondCorpus<Result>(
  context: CorpusContext,
  { ads, seed, unseen }: { ads: number; seed: number; unseen: boolean },
  use: (corpus: SecondCorpus) => Promise<Result>,
): Promise<Result> {
  const { screen, signal } = context;
  const name = `second_${seed}${unseen ? '_unseen' : ''}`;
  const dir = join(context.dataDir, 'corpora', name);
  const env = storesEnv(context, `bench_${name}`);
  const config = readConfig(env);
  await mkdir(dir, { recursive: true });
  const what = `Second feeds, seed ${seed}${unseen ? ', with kinds of noise never looked at' : ''}`;
  const { days } = await screen.step(`${what}: writing ${ads.toLocaleString('en')} ads`, () =>
    writeSecondFeeds({ dir, ads, seed, unseen, until: UNTIL, hostUrl: 'http://photos.invalid', signal }),
  );
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 30_000 });
  const host = await serveSample(dir);
  let pool: pg.Pool | null = null;
  try {
    await emptyStores(context, config, client);
    const runs: IngestMeasurement[] = [];
    for (const day of days) {
      const orders = { feedsDir: dir, hostUrl: host.url, at: `${day}T12:00:00Z` };
      runs.push(
        await screen.step(`${what}: ingesting ${day}`, () => measureIngest(env, orders, () => undefined, signal)),
      );
    }
    pool = createPool(config.databaseUrl, { max: 4, statementTimeout: 600_000, name: 'bench' });
    return await use({ pool, runs, ...(await readAds(pool, dir)) });
  } finally {
    host.close();
    await pool?.end();
    await dropStores(context, config, client);
    await client.close();
    await rm(dir, { recursive: true, force: true });
  }
}

async function readAds(pool: pg.Pool, dir: string): Promise<Pick<SecondCorpus, 'ads' | 'truthOf'>> {
  const { rows } = await pool.query<{ key: string; id: number; cluster: number }>(
    `select source || ' ' || source_listing_id as key, id, coalesce(duplicate_of, id) as cluster
       from listings where withdrawn_at is null`,
  );
  const found = new Map(rows.map((row) => [row.key, row]));
  const ads: JudgedAd[] = [];
  const truthOf = new Map<number, HomeTruth>();
  for await (const line of createInterface({ input: createReadStream(join(dir, TRUTH_FILE)) })) {
    const truth = JSON.parse(line) as SecondTruth;
    const row = found.get(`${truth.source} ${truth.source_listing_id}`);
    if (row === undefined || truth.last_day !== null) continue;
    ads.push({ truth, cluster: row.cluster });
    truthOf.set(row.id, { home: truth.property, isUnit: isUnit(truth) });
  }
  return { ads, truthOf };
}
