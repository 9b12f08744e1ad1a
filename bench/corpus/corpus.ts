import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { createPool, withClient } from '#postgres/pool.ts';
import { generateSample } from '#sample/generate.ts';
import { OpenSearch } from '#search/client.ts';
import { mergeIndex } from '#search/segments.ts';
import { type Config, readConfig } from '#src/config.ts';
import type { Screen } from '#start/screen.ts';
import { prepareStores } from '#start/stores.ts';
import { measureInChild, startChild } from '../child.ts';
import type { IngestMeasurement, IngestOrders } from './ingest-process.ts';

/** A dedicated database and dedicated indexes for benchmarks. */
export interface Stores {
  config: Config;
  /** The environment variables from which `config` was read, for child processes. */
  env: Readonly<Record<string, string>>;
  client: OpenSearch;
  /** Pool for long-running statements. */
  pool: pg.Pool;
}

/** Stores that are filled once and reused between benchmark runs. */
export interface FilledStores<Manifest> extends Stores {
  /** Folder for files of the data. */
  dir: string;
  /** Facts that were recorded when the stores were filled. */
  manifest: Manifest;
}

/** The listings of one generated market. Its folder has the ground truth and, for small corpora, the feeds. */
export type Corpus = FilledStores<CorpusManifest>;

interface CorpusManifest {
  listings: number;
  /** Number of ads in the feeds, including duplicates and ads without photos. */
  ads: number;
  seed: number;
  /** Time of the ingest run, ISO 8601. */
  at: string;
  made_at: string;
  documents: number;
  first: IngestMeasurement;
  unchanged: IngestMeasurement;
  /** The measured run in which a share of the ads changed, if one was requested. */
  changed?: IngestMeasurement;
}

export interface CorpusContext {
  dataDir: string;
  /** Environment variables of the engines. */
  env: Readonly<Record<string, string>>;
  screen: Screen;
  signal: AbortSignal;
}

const MANIFEST = 'manifest.json';
const SEED = 7;
const DAY = '2026-03-31';
/** Number of indexed listings per ad in the feeds. The other ads are duplicates or have no photo. */
const SERVED_SHARE = 0.69;
/** Maximum number of listings for which a corpus keeps its feeds, for comparison with the ground truth. */
const KEEP_FEEDS = 100_000;
/** Milliseconds from the first run to the clock for statistics requests: the same day, early in an hour. */
const REQUESTED_AFTER = 12 * 3_600_000 + 30_000;

/** Time of market data requests for a corpus, in epoch milliseconds. */
export const marketMoment = ({ manifest }: Corpus): number => Date.parse(manifest.at) + REQUESTED_AFTER;

/**
 * Opens the corpus with the given number of listings. Builds it first if it is missing or incomplete, or if `rebuild`
 * is set.
 * @param changing share of the ads that change in a third run; if undefined, there is no third run
 */
export function openCorpus(context: CorpusContext, listings: number, rebuild: boolean, changing = 0): Promise<Corpus> {
  return openStores(
    context,
    `bench_${listings}`,
    rebuild,
    (stores, dir) => makeCorpus(context, stores, listings, dir, changing),
    // The manifest of an incomplete corpus was written by the sample generator, and has no `documents`.
    async (stores, { documents }) => (await countDocuments(stores)) === documents,
  );
}

/**
 * Opens stores with their data. Builds them with `fill` if they are missing or incomplete, or `rebuild` is set, and
 * records the result of `fill`.
 * @param name name of the database and folder, and prefix of the indexes
 */
export async function openStores<Manifest>(
  context: CorpusContext,
  name: string,
  rebuild: boolean,
  fill: (stores: Stores, dir: string) => Promise<Manifest>,
  isComplete: (stores: Stores, manifest: Manifest) => Promise<boolean> = async () => true,
): Promise<FilledStores<Manifest>> {
  const dir = join(context.dataDir, name);
  const file = join(dir, MANIFEST);
  const stores = await connect(context, name);
  try {
    const known = rebuild ? null : (JSON.parse(await readFile(file, 'utf8').catch(() => 'null')) as Manifest | null);
    if (known !== null && (await isComplete(stores, known))) {
      await prepareStores(stores.config);
      return { ...stores, dir, manifest: known };
    }
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
    await emptyStores(context, stores);
    const manifest = await fill(stores, dir);
    await writeFile(file, `${JSON.stringify(manifest, null, 2)}\n`);
    return { ...stores, dir, manifest };
  } catch (error) {
    await closeStores(stores);
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

export async function closeStores({ client, pool }: Stores): Promise<void> {
  await Promise.all([client.close(), pool.end()]);
}

/** Deletes the indexes, the database and the folder, and closes the stores. */
export async function deleteStores(context: CorpusContext, stores: FilledStores<unknown>): Promise<void> {
  await dropStores(context, stores);
  await closeStores(stores);
  await rm(stores.dir, { recursive: true, force: true });
}

async function makeCorpus(
  context: CorpusContext,
  stores: Stores,
  listings: number,
  dir: string,
  changing: number,
): Promise<CorpusManifest> {
  const { screen, signal } = context;
  const { client, env } = stores;
  const ads = Math.round(listings / SERVED_SHARE);
  const bar = screen.progress(`Writing feeds of ${ads.toLocaleString('en')} ads`, ads);
  await generateSample(
    { dir, listings: ads, seed: SEED, days: 1, until: DAY, hostUrl: 'http://photos.invalid', signal },
    (done) => bar.update(done),
  );
  bar.end();

  const host = await startChild<string>(new URL('./host-process.ts', import.meta.url), { SAMPLE_DIR: dir });
  const ingest = async (what: string, at: string): Promise<IngestMeasurement> => {
    let shown = screen.progress(what, ads);
    let stage = '';
    const measured = await measureInChild<IngestOrders, IngestMeasurement>(
      new URL('./ingest-process.ts', import.meta.url),
      { feedsDir: dir, hostUrl: host.first, at },
      {
        env,
        signal,
        onProgress: (now) => {
          if (now.stage !== stage) {
            shown.end();
            shown = screen.progress(`${what}: ${now.stage}`, ads);
            stage = now.stage;
          }
          shown.update(now.done);
        },
      },
    );
    shown.end();
    const { rows_per_second, peak_rss_mb } = measured;
    screen.say(`${what}: ${Math.round(rows_per_second)} rows per second, at most ${Math.round(peak_rss_mb)} MB`);
    return measured;
  };
  try {
    const at = `${DAY}T03:00:00Z`;
    const first = await ingest('First run', at);
    // OpenSearch continues to merge segments after the run, which would distort the next measurement.
    await mergeIndex(client, client.aliases.listings);
    const unchanged = await ingest('Unchanged run', `${DAY}T15:00:00Z`);
    let changed: IngestMeasurement | undefined;
    if (changing > 0) {
      // Stored prices are altered, so that reading the same feeds again counts these ads as changed.
      await stores.pool.query(
        `update listings set content_hash = '', price = round(price * (0.9 + abs(hashtext(id::text)) % 21 / 100.0))
          where abs(hashtext(source_listing_id)) % 1000 < $1`,
        [changing * 1_000],
      );
      changed = await ingest('Changed run', `${DAY}T23:00:00Z`);
    }
    if (listings > KEEP_FEEDS) await rm(join(dir, 'feeds'), { recursive: true, force: true });
    const documents = await countDocuments(stores);
    const made_at = new Date().toISOString();
    return { listings, ads, seed: SEED, at, made_at, documents, first, unchanged, ...(changed && { changed }) };
  } finally {
    host.kill();
  }
}

/** Recreates an empty database and empty indexes. */
async function emptyStores(context: CorpusContext, stores: Stores): Promise<void> {
  await dropStores(context, stores);
  await administer(context, `create database ${databaseOf(stores)}`);
  await prepareStores(stores.config);
}

async function dropStores(context: CorpusContext, stores: Stores): Promise<void> {
  const { client } = stores;
  // By name, because OpenSearch refuses to delete by wildcard.
  const query = { filter_path: '*.settings.index.uuid' };
  const found = await client.send<object | undefined>('GET', `/${client.prefix}*`, { query });
  for (const index of Object.keys(found ?? {})) await client.send('DELETE', `/${index}`);
  await administer(context, `drop database if exists ${databaseOf(stores)} with (force)`);
}

const databaseOf = ({ config }: Stores): string => new URL(config.databaseUrl).pathname.slice(1);

/** Runs a statement in the environment's database. */
const administer = ({ env }: CorpusContext, statement: string): Promise<unknown> =>
  withClient({ connectionString: env.DATABASE_URL, connectionTimeoutMillis: 5_000 }, (client) =>
    client.query(statement),
  );

/** Searches the listings index. `Result` is the part of the response that the caller uses. */
export async function searchListings<Result>({ client }: Stores, body: object): Promise<Result> {
  const index = client.aliases.listings;
  const response = await client.search({ index, body } as never, { requestTimeout: 120_000 });
  return response.body as unknown as Result;
}

/** Returns the number of documents in the listings index; 0 if the index does not exist. */
export async function countDocuments({ client }: Stores): Promise<number> {
  const query = { ignore_unavailable: 'true', allow_no_indices: 'true' };
  return (await client.send<{ count: number }>('POST', `/${client.aliases.listings}/_count`, { query })).count;
}

/** Returns the number of listings that match each search body. */
export async function countMatches({ client }: Stores, bodies: readonly object[]): Promise<number[]> {
  const index = client.aliases.listings;
  const lines = bodies.flatMap((body) => [{ index }, { ...body, size: 0, track_total_hits: true }]);
  type Answers = { responses: { hits?: { total: { value: number } } }[] };
  const { responses } = await client.send<Answers>('POST', '/_msearch', {
    bulkBody: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    requestTimeout: 120_000,
  });
  return responses.map(({ hits }) => hits?.total.value ?? 0);
}
