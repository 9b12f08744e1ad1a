import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Screen } from '#app/start/screen.ts';
import { prepareStores } from '#app/start/stores.ts';
import { generateSample } from '#sample/generate.ts';
import { type Config, readConfig } from '#src/config.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { mergeIndex } from '#stores/opensearch/segments.ts';
import { createPool, withClient } from '#stores/postgres/pool.ts';
import { startChild } from './child.ts';
import type { IngestMeasurement } from './ingest-process.ts';

/** The listings of one generated market, in a separate database and separate indexes. */
export interface Corpus {
  config: Config;
  /** The environment variables from which `config` was read, for child processes. */
  env: Readonly<Record<string, string>>;
  client: OpenSearch;
  /** Pool for long-running statements. */
  pool: pg.Pool;
  manifest: Manifest;
  close(): Promise<void>;
}

type Stores = Omit<Corpus, 'manifest' | 'close'>;

/** Facts that were recorded when the listings were ingested. */
interface Manifest {
  /** Number of ads in the feeds, including duplicates and ads without photos. */
  ads: number;
  /** Number of listings in the index. */
  documents: number;
  /** Time of the ingest run, ISO 8601. */
  at: string;
  first: IngestMeasurement;
  unchanged: IngestMeasurement;
}

interface CorpusContext {
  dataDir: string;
  /** Environment variables of the engines. */
  env: Readonly<Record<string, string>>;
  screen: Screen;
  signal: AbortSignal;
}

const SEED = 7;
const DAY = '2026-03-31';
/** Number of indexed listings per ad in the feeds. The other ads are duplicates or have no photo. */
const SERVED_SHARE = 0.69;
/** Milliseconds from the first run to the clock for statistics requests: the same day, early in an hour. */
const REQUESTED_AFTER = 12 * 3_600_000 + 30_000;

/** Time of market data requests for a corpus, in epoch milliseconds. */
export const marketMoment = ({ manifest }: Corpus): number => Date.parse(manifest.at) + REQUESTED_AFTER;

/** Opens the listings. Ingests them first if they are missing or incomplete, or if `rebuild` is set. */
export async function openCorpus(context: CorpusContext, listings: number, rebuild: boolean): Promise<Corpus> {
  const database = `bench_${listings}`;
  const dir = join(context.dataDir, database);
  const file = join(dir, 'ingest.json');
  const stores = await connect(context, database);
  const close = async () => {
    await Promise.all([stores.client.close(), stores.pool.end()]);
  };
  try {
    const known = JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as Manifest | null;
    if (!rebuild && known && (await countDocuments(stores)) === known.documents) {
      await prepareStores(stores.config);
      return { ...stores, manifest: known, close };
    }
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
    await emptyStores(context, stores, database);
    const manifest = await fill(context, stores, listings, dir);
    await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
    return { ...stores, manifest, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function connect(context: CorpusContext, database: string): Promise<Stores> {
  await administer(context, `create database ${database}`).catch((error: unknown) => {
    if ((error as { code?: string }).code !== '42P04') throw error;
  });
  const url = new URL(context.env.DATABASE_URL as string);
  url.pathname = `/${database}`;
  const env = { ...context.env, DATABASE_URL: url.href, INDEX_PREFIX: `${database}_` };
  const config = readConfig(env);
  const client = new OpenSearch({ ...config.opensearch, requestTimeout: 60_000 });
  // The pool reconnects after the database is dropped and recreated.
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: 1_800_000, name: 'bench' });
  return { config, env, client, pool };
}

async function fill(
  { screen, signal }: CorpusContext,
  stores: Stores,
  listings: number,
  dir: string,
): Promise<Manifest> {
  const ads = Math.round(listings / SERVED_SHARE);
  const bar = screen.progress(`Writing feeds of ${ads.toLocaleString('en')} ads`, ads);
  await generateSample(
    { dir, listings: ads, seed: SEED, days: 1, until: DAY, hostUrl: 'http://photos.invalid', signal },
    (done) => bar.update(done),
  );
  bar.end();
  const ingest = (title: string, at: string): Promise<IngestMeasurement> =>
    screen.step(title, async () => {
      const env = { ...stores.env, FEEDS_DIR: dir, RUN_AT: at };
      return (await startChild<IngestMeasurement>('ingest-process.ts', env, { signal })).first;
    });
  const at = `${DAY}T03:00:00Z`;
  const first = await ingest('First ingest run', at);
  // OpenSearch continues to merge segments after the run, which would distort the next measurement.
  await mergeIndex(stores.client, stores.client.aliases.listings);
  const unchanged = await ingest('Unchanged ingest run', `${DAY}T15:00:00Z`);
  await rm(join(dir, 'feeds'), { recursive: true, force: true });
  const documents = await countDocuments(stores);
  return { ads, documents, at, first, unchanged };
}

/** Recreates an empty database and empty indexes. */
async function emptyStores(context: CorpusContext, { client, config }: Stores, database: string): Promise<void> {
  // By name, because OpenSearch refuses to delete by wildcard.
  const query = { filter_path: '*.settings.index.uuid' };
  const found = await client.send<object | undefined>('GET', `/${client.prefix}*`, { query });
  for (const index of Object.keys(found ?? {})) await client.send('DELETE', `/${index}`);
  await administer(context, `drop database if exists ${database} with (force)`);
  await administer(context, `create database ${database}`);
  await prepareStores(config);
}

/** Runs a statement in the environment's database. */
const administer = ({ env }: CorpusContext, statement: string): Promise<unknown> =>
  withClient({ connectionString: env.DATABASE_URL, connectionTimeoutMillis: 5_000 }, (client) =>
    client.query(statement),
  );

/** Searches the listings index. `Result` is the part of the response that the caller uses. */
export async function searchListings<Result>({ client }: Pick<Corpus, 'client'>, body: object): Promise<Result> {
  const index = client.aliases.listings;
  const response = await client.search({ index, body } as never, { requestTimeout: 120_000 });
  return response.body as unknown as Result;
}

/** Returns the number of documents in the listings index; 0 if the index does not exist. */
async function countDocuments({ client }: Stores): Promise<number> {
  const query = { ignore_unavailable: 'true', allow_no_indices: 'true' };
  return (await client.send<{ count: number }>('POST', `/${client.aliases.listings}/_count`, { query })).count;
}
