import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '@opensearch-project/opensearch';
import pg from 'pg';
import { generateSample } from '#ingest/sample/generate.ts';
import { createPool } from '#postgres/pool.ts';
import { createOpenSearch, indexNames } from '#search/client.ts';
import { mergeIndex } from '#search/segments.ts';
import { type Config, readConfig } from '#src/config.ts';
import type { Screen } from '#start/screen.ts';
import { prepareStores } from '#start/stores.ts';
import { type IngestMeasurement, measureIngest, serveSample } from './ingest.ts';

/** Listings of one generated market, in a dedicated database and dedicated indexes that are reused between runs. */
export interface Corpus {
  listings: number;
  config: Config;
  /** The environment variables that `config` was read from, for child processes. */
  env: Readonly<Record<string, string>>;
  client: Client;
  /** For long-running statements. */
  pool: pg.Pool;
  manifest: CorpusManifest;
}

/** Recorded when a corpus is built. */
interface CorpusManifest {
  listings: number;
  /** Ads in the feeds: some are duplicates, some have no photo. */
  ads: number;
  seed: number;
  /** The clock of the ingest run. */
  at: string;
  made_at: string;
  documents: number;
  first: IngestMeasurement;
  unchanged: IngestMeasurement;
  /** The measured run in which part of the ads changed, if one was requested. */
  changed?: IngestMeasurement;
}

export interface CorpusContext {
  dataDir: string;
  /** Environment variables of the engines. */
  env: Readonly<Record<string, string>>;
  screen: Screen;
  signal: AbortSignal;
}

const SEED = 7;
const DAY = '2026-03-31';
/** Listings in the index per ad in the feeds. The rest are duplicates or have no photo. */
const SERVED_SHARE = 0.69;
/** Corpora up to this size keep their feeds, for comparison with the ground truth. */
const KEEP_FEEDS = 100_000;

/** The folder of a corpus: manifest, ground truth and, for small corpora, feeds. */
export const corpusDir = (dataDir: string, listings: number): string => join(dataDir, 'corpora', String(listings));

/**
 * Opens the corpus of the given size. Builds it first if it is missing, incomplete, or `rebuild` is set.
 * @param changing share of the ads that change in a third run; without it there is no third run
 */
export async function openCorpus(
  context: CorpusContext,
  listings: number,
  rebuild: boolean,
  changing = 0,
): Promise<Corpus> {
  const dir = corpusDir(context.dataDir, listings);
  await mkdir(dir, { recursive: true });
  const env = await corpusEnv(context, listings);
  const config = readConfig(env);
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 30_000 });
  try {
    const known = rebuild ? null : await readManifest(dir);
    let manifest = known;
    if (manifest === null || (await countDocuments(client, config)) !== manifest.documents) {
      manifest = await makeCorpus(context, listings, dir, env, client, changing);
      await writeFile(join(dir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    } else {
      await prepareStores(config);
    }
    const pool = createPool(config.databaseUrl, { max: 4, statementTimeout: 1_800_000, name: 'bench' });
    return { listings, config, env, client, pool, manifest };
  } catch (error) {
    await client.close();
    throw error;
  }
}

export async function closeCorpus({ client, pool }: Corpus): Promise<void> {
  await Promise.all([client.close(), pool.end()]);
}

/** Deletes the indexes, the database and the folder. */
export async function dropCorpus(context: CorpusContext, corpus: Corpus): Promise<void> {
  const { config, client, pool, listings } = corpus;
  await pool.end();
  await dropStores(context, config, client);
  await client.close();
  await rm(corpusDir(context.dataDir, listings), { recursive: true, force: true });
}

async function makeCorpus(
  context: CorpusContext,
  listings: number,
  dir: string,
  env: Readonly<Record<string, string>>,
  client: Client,
  changing: number,
): Promise<CorpusManifest> {
  const { screen, signal } = context;
  const config = readConfig(env);
  await rm(dir, { recursive: true, force: true });
  await mkdir(dir, { recursive: true });
  const ads = Math.round(listings / SERVED_SHARE);
  const bar = screen.progress(`Writing feeds of ${ads.toLocaleString('en')} ads`, ads);
  await generateSample(
    { dir, listings: ads, seed: SEED, days: 1, until: DAY, hostUrl: 'http://photos.invalid', signal },
    (done) => bar.update(done),
  );
  bar.end();
  await emptyStores(context, config, client);

  const host = await serveSample(dir);
  const ingest = async (what: string, at: string): Promise<IngestMeasurement> => {
    let stage = '';
    let shown = screen.progress(what, ads);
    const onProgress = (now: string, done: number): void => {
      // The row counter restarts with each source, whose name is the stage.
      if (now !== stage) {
        shown.end();
        shown = screen.progress(`${what}: ${now}`, ads);
        stage = now;
      }
      shown.update(done);
    };
    const measured = await measureIngest(env, { feedsDir: dir, hostUrl: host.url, at }, onProgress, signal);
    shown.end();
    screen.say(
      `${what}: ${Math.round(measured.rows_per_second)} rows per second, at most ${Math.round(measured.peak_rss_mb)} MB`,
    );
    return measured;
  };
  try {
    const at = `${DAY}T03:00:00Z`;
    const first = await ingest('First run', at);
    // OpenSearch still merges segments after the run, which would distort the next measurement.
    await mergeIndex(client, indexNames(config.opensearch.indexPrefix).listings);
    const unchanged = await ingest('Unchanged run', `${DAY}T15:00:00Z`);
    const changed = changing === 0 ? {} : { changed: await changedRun(config, changing, ingest) };
    const documents = await countDocuments(client, config);
    if (listings > KEEP_FEEDS) await rm(join(dir, 'feeds'), { recursive: true, force: true });
    return {
      listings,
      ads,
      seed: SEED,
      at,
      made_at: new Date().toISOString(),
      documents,
      first,
      unchanged,
      ...changed,
    };
  } finally {
    host.close();
  }
}

/** Changes the stored prices of a share of the ads, so that reading the same feeds again counts them as changed. */
async function changedRun(
  config: Config,
  share: number,
  ingest: (what: string, at: string) => Promise<IngestMeasurement>,
): Promise<IngestMeasurement> {
  const pool = createPool(config.databaseUrl, { max: 1, statementTimeout: 600_000, name: 'bench' });
  try {
    await pool.query(
      `update listings set content_hash = '', price = round(price * (0.9 + abs(hashtext(id::text)) % 21 / 100.0))
        where abs(hashtext(source_listing_id)) % 1000 < $1`,
      [share * 1_000],
    );
  } finally {
    await pool.end();
  }
  return ingest('Changed run', `${DAY}T23:00:00Z`);
}

async function corpusEnv(context: CorpusContext, listings: number): Promise<Record<string, string>> {
  await administer(context, `create database ${databaseName(listings)}`).catch((error: unknown) => {
    if ((error as { code?: string }).code !== '42P04') throw error;
  });
  return storesEnv(context, databaseName(listings), `bench${listings}_`);
}

/** The environment for the given database name and index prefix. */
export function storesEnv({ env }: CorpusContext, database: string, prefix = `${database}_`): Record<string, string> {
  const url = new URL(env.DATABASE_URL as string);
  url.pathname = `/${database}`;
  return { ...env, DATABASE_URL: url.href, INDEX_PREFIX: prefix };
}

/** Recreates the database and the indexes of a configuration, empty. */
export async function emptyStores(context: CorpusContext, config: Config, client: Client): Promise<void> {
  await dropStores(context, config, client);
  await administer(context, `create database ${new URL(config.databaseUrl).pathname.slice(1)}`);
  await prepareStores(config);
}

async function dropStores(context: CorpusContext, config: Config, client: Client): Promise<void> {
  await dropIndexes(client, config.opensearch.indexPrefix);
  await administer(context, `drop database if exists ${new URL(config.databaseUrl).pathname.slice(1)} with (force)`);
}

const databaseName = (listings: number): string => `bench_${listings}`;

/** Runs a statement in the environment's database. */
async function administer({ env }: CorpusContext, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL as string, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function readManifest(dir: string): Promise<CorpusManifest | null> {
  const file = join(dir, 'manifest.json');
  if (!existsSync(file)) return null;
  const found = JSON.parse(await readFile(file, 'utf8')) as Partial<CorpusManifest>;
  // The sample generator writes a different manifest under this name before it is replaced.
  return found.documents === undefined ? null : (found as CorpusManifest);
}

async function countDocuments(client: Client, config: Config): Promise<number> {
  const { listings } = indexNames(config.opensearch.indexPrefix);
  const { body } = await client.transport.request({
    method: 'POST',
    path: `/${listings}/_count`,
    querystring: { ignore_unavailable: 'true', allow_no_indices: 'true' },
  });
  return (body as { count: number }).count;
}

/** Deletes by name, because OpenSearch refuses to delete by wildcard. */
export async function dropIndexes(client: Client, prefix: string): Promise<void> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${prefix}*`,
    querystring: { filter_path: '*.settings.index.uuid' },
  });
  for (const index of Object.keys((body ?? {}) as Record<string, unknown>))
    await client.transport.request({ method: 'DELETE', path: `/${index}` });
}
