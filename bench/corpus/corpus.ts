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

/** Listings of one generated market in indexes and a database of their own, kept from run to run. */
export interface Corpus {
  listings: number;
  config: Config;
  /** The variables of `config`, for processes of their own. */
  env: Readonly<Record<string, string>>;
  client: Client;
  /** For long statements. */
  pool: pg.Pool;
  manifest: CorpusManifest;
}

/** What was noted while a corpus was made. */
interface CorpusManifest {
  listings: number;
  /** In the feeds; some are of one property, some have no photo. */
  ads: number;
  seed: number;
  /** The run's own time. */
  at: string;
  made_at: string;
  documents: number;
  first: IngestMeasurement;
  unchanged: IngestMeasurement;
  /** A run in which a part of the ads had changed, where one was asked for. */
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
/** Listings in the index for each ad in the feeds: the rest are duplicates, or have no photo. */
const SERVED_SHARE = 0.69;
/** Sizes up to this keep their feeds, to be held against the truth. */
const KEEP_FEEDS = 100_000;

/** The folder of a corpus: its manifest, its truth and, where they are kept, its feeds. */
export const corpusDir = (dataDir: string, listings: number): string => join(dataDir, 'corpora', String(listings));

/**
 * Opens the corpus of so many listings; makes it first when it is not there, not whole, or `anew`.
 * @param changing share of the ads that change in a third run; none without it
 */
export async function openCorpus(
  context: CorpusContext,
  listings: number,
  anew: boolean,
  changing = 0,
): Promise<Corpus> {
  const dir = corpusDir(context.dataDir, listings);
  await mkdir(dir, { recursive: true });
  const env = await corpusEnv(context, listings);
  const config = readConfig(env);
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 30_000 });
  try {
    const known = anew ? null : await readManifest(dir);
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

/** Removes indexes, database and folder. */
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
      // A source counts its own rows; its name says where the run is.
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
      `${what}: ${Math.round(measured.rows_per_second)} rows a second, at most ${Math.round(measured.peak_rss_mb)} MB`,
    );
    return measured;
  };
  try {
    const at = `${DAY}T03:00:00Z`;
    const first = await ingest('First run', at);
    // The run has left the engine merging the index: what comes next is not measured beside it.
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

/** Has a share of the ads known at other prices than the feeds have, and reads the feeds again. */
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

/** The environment of a database of this name and of indexes with this prefix. */
export function storesEnv({ env }: CorpusContext, database: string, prefix = `${database}_`): Record<string, string> {
  const url = new URL(env.DATABASE_URL as string);
  url.pathname = `/${database}`;
  return { ...env, DATABASE_URL: url.href, INDEX_PREFIX: prefix };
}

/** Makes the database and the indexes of a configuration anew, empty. */
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

/** Runs a statement in the database that the environment names. */
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
  // The sample writes a manifest of its own under this name before ours takes its place.
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

/** By their names: engines refuse to delete by a pattern. */
export async function dropIndexes(client: Client, prefix: string): Promise<void> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${prefix}*`,
    querystring: { filter_path: '*.settings.index.uuid' },
  });
  for (const index of Object.keys((body ?? {}) as Record<string, unknown>))
    await client.transport.request({ method: 'DELETE', path: `/${index}` });
}
