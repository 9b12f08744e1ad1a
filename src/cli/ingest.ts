import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { rebuildIndex } from '#ingest/indexing/rebuild.ts';
import { explainListing } from '#ingest/quality/explain.ts';
import { reportText } from '#ingest/run/print.ts';
import { heldSources, releaseSource } from '#ingest/run/release.ts';
import { runIngest } from '#ingest/run/run.ts';
import { showProgress } from '#ingest/run/show-progress.ts';
import { loadSources } from '#ingest/sources/index.ts';
import type { FeedSettings } from '#ingest/sources/source.ts';
import { createPool } from '#postgres/pool.ts';
import { createS3 } from '#s3/client.ts';
import { createOpenSearch } from '#search/client.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { readConfig } from '#src/config.ts';
import { toolEnvironment } from '#start/tool-environment.ts';

interface Flags {
  sources?: string[];
  at?: Date;
  release?: string[];
  photos: 'fetch' | 'assume';
  json?: boolean;
}

const program = new Command('npm run ingest --')
  .description('Reads the feeds and brings what changed to the index. A run that was interrupted is finished first.')
  .option('--sources <names>', 'only these, with commas between', (text: string) => text.split(','))
  .option('--at <time>', 'the time to read feeds as of, ISO 8601; now, when left out', time)
  .option(
    '--release <source>',
    'believe a held feed; may be given several times',
    (name: string, all: string[] = []) => [...all, name],
  )
  .addOption(
    new Option('--photos <how>', 'fetch them, or assume that they are on the CDN under the keys of their addresses')
      .choices(['fetch', 'assume'])
      .default('fetch'),
  )
  .option('--json', 'print the report as JSON, and no progress')
  .action(run)
  .addHelpText(
    'after',
    `
Examples:
  npm run ingest                            all sources
  npm run ingest -- --sources aqarna        one source
  npm run ingest -- held                    feeds that were not believed
  npm run ingest -- --release aqarna        take what is gone from a held feed as withdrawn
  npm run ingest -- explain 4711            why a listing is or is not seen
  npm run ingest -- rejects aqarna          rows that were kept aside, with why
  npm run ingest -- rebuild                 write every served listing to the index again

Feeds are read from FEEDS_DIR (and FEEDS_HOST_URL), or from the sample of the running \`npm start\`.`,
  );

program
  .command('explain <id>')
  .description('Says why a listing is seen or not, with the fences in force.')
  .action((id: string) =>
    withStores(async ({ pool }) => {
      const explanation = await explainListing(pool, wholeNumber(id));
      print(explanation, () =>
        [
          `Listing ${explanation.id}, ${explanation.source} ${explanation.source_listing_id}`,
          ...explanation.reasons,
        ].join('\n'),
      );
    }),
  );

program
  .command('held')
  .description('Shows the sources whose last feed was not believed.')
  .action(() =>
    withStores(async ({ pool }) => {
      const held = await heldSources(pool);
      print(held, () => held.map(({ source, reason }) => `${source}: ${reason}`).join('\n') || 'None is held.');
    }),
  );

program
  .command('rejects <source>')
  .description('Shows the rows of the last run that were kept aside.')
  .option('--limit <n>', 'how many', wholeNumber, 20)
  .action((source: string, { limit }: { limit: number }) =>
    withStores(async ({ pool }) => {
      const { rows } = await pool.query<{ reason: string; detail: string; row: string }>(
        `select reason, detail, row from ingest_rejects where source = $1
            and run_id = (select max(run_id) from ingest_run_stages where source = $1) order by position limit $2`,
        [source, limit],
      );
      print(rows, () => rows.map(({ reason, detail, row }) => `${reason}: ${detail}\n  ${row}`).join('\n') || 'None.');
    }),
  );

program
  .command('rebuild')
  .description('Writes every served listing to the index again, for an index that was lost. Makes no event.')
  .action(() =>
    withStores(async ({ pool, openIndex }) => {
      const written = await rebuildIndex(pool, await openIndex());
      print({ written }, () => `${written} listings written.`);
    }),
  );

try {
  await program.parseAsync();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  if (program.opts<Flags>().json) console.log(JSON.stringify({ error: message }));
  else console.error(message);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const flags = program.opts<Flags>();
  await withStores(async ({ pool, s3, bucket, openIndex, feeds }) => {
    for (const source of flags.release ?? []) await releaseSource(pool, source);
    const all = await loadSources(feeds);
    const sources = all.filter(({ name }) => flags.sources?.includes(name) ?? true);
    const missing = flags.sources?.filter((name) => !all.some((source) => source.name === name)) ?? [];
    if (missing.length > 0) throw new Error(`No feed here is called ${missing.join(', ')}.`);
    if (sources.length === 0) throw new Error(`There is no feed in ${feeds.dataDir}. Set FEEDS_DIR.`);
    const stopping = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
    const progress = showProgress(process.stderr);
    try {
      const report = await runIngest({
        pool,
        s3,
        sources,
        listingIndex: await openIndex(),
        at: flags.at,
        trigger: 'cli',
        photos: {
          bucket,
          mode: flags.photos,
          privateHosts: feeds.sampleHostUrl ? [new URL(feeds.sampleHostUrl).host] : [],
        },
        onProgress: flags.json ? () => {} : progress.update,
        signal: stopping.signal,
      });
      progress.end();
      print(report, () => reportText(report));
    } finally {
      progress.end();
    }
  });
}

type Stores = Awaited<ReturnType<typeof openStores>>;

async function withStores(work: (stores: Stores) => Promise<void>): Promise<void> {
  const stores = await openStores();
  try {
    await work(stores);
  } finally {
    await stores.close();
  }
}

async function openStores() {
  const env = await toolEnvironment(process.env);
  // Nothing here signs or checks a key.
  const config = readConfig(env, { KEY_PEPPER: 'unused' });
  const pool = createPool(config.databaseUrl, { max: 8, statementTimeout: 600_000, name: 'listings-ingest-cli' });
  const opensearch = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 60_000, maxRetries: 3 });
  const s3 = createS3(config.s3);
  return {
    pool,
    s3,
    bucket: config.s3.cdnBucket,
    feeds: await feedSettings(config.feeds, resolve(env.DATA_DIR || '.data')),
    openIndex: () => openListingIndex(opensearch, config.opensearch.indexPrefix),
    close: async () => {
      s3.destroy();
      await Promise.all([pool.end(), opensearch.close()]);
    },
  };
}

/** The configured feeds, or the sample that `npm start` made; its host runs as long as that does. */
async function feedSettings(
  { dir, hostUrl }: { dir: string | null; hostUrl: string | null },
  dataDir: string,
): Promise<FeedSettings> {
  if (dir !== null) return { dataDir: dir, sampleHostUrl: hostUrl ?? undefined };
  const folder = join(dataDir, 'sample');
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '{}');
  const { host_url: sampleHost } = JSON.parse(manifest) as { host_url?: string };
  return { dataDir: folder, sampleHostUrl: hostUrl ?? sampleHost };
}

function print(value: unknown, text: () => string): void {
  console.log(program.opts<Flags>().json ? JSON.stringify(value) : text());
}

function time(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('an ISO 8601 time is expected');
  return date;
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a whole number is expected');
  return Number(text);
}
