import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { hasFolder } from '#app/start/repository.ts';
import { showRuns } from '#app/start/run-progress.ts';
import { toolEnvironment } from '#app/start/tool-environment.ts';
import { withdrawFiles } from '#app/workers/housekeeping/export-jobs.ts';
import { nextScheduledRun, readRetry } from '#app/workers/ingest-worker.ts';
import type { Ingest } from '#app/workers/open-ingest.ts';
import { explainListing } from '#ingest/quality/explain.ts';
import { heldSources, releaseSource } from '#ingest/run/held-sources.ts';
import { outageOf } from '#ingest/run/outage.ts';
import { reportText, scoreTable, sourceTable } from '#ingest/run/report-text.ts';
import { lastSourceReports } from '#ingest/run/source-report.ts';
import { takeDown } from '#ingest/run/takedowns.ts';
import type { FeedSettings } from '#ingest/sources/source.ts';
import { type Config, readConfig } from '#src/config.ts';
import { LOCKS, lockHolder } from '#stores/postgres/locks.ts';
import * as sql from '#stores/postgres/rows.ts';
import { commandsWith, limit, screenOf, stopSignal } from '../command.ts';
import { type OutputOptions, printable, printJson, printRows } from '../output.ts';
import { wholeNumber } from '../values.ts';

interface Flags {
  sources?: string[];
  at?: Date;
  release?: string[];
  photos: 'fetch' | 'assume';
  dryRun?: string;
  source?: string;
  json?: boolean;
}

export const HELP = `Examples:
  npm run ingest                            all sources
  npm run ingest -- --sources aqarna        one source
  npm run ingest -- --json                  the report as JSON, and no progress
  npm run ingest -- --dry-run feed.xml      what each column of a file becomes; nothing is written
  npm run ingest -- --dry-run feed.csv --source aqarna   the same, as a source reads it
  npm run ingest -- status                  the last run, the next retry and the next scheduled run
  npm run ingest -- sources                 the sources of the last run, with their scores
  npm run ingest -- held                    held feeds
  npm run ingest -- --release aqarna        accept a held feed: missing ads are withdrawn
  npm run ingest -- explain 4711            why a listing is or is not seen
  npm run ingest -- explain aqarna A-17     the same, by source and id there
  npm run ingest -- takedown 4711           a notice requires that a listing is not shown any more
  npm run ingest -- rejects rukn_estates    rejected rows, with reasons

Feeds are read from FEEDS_DIR, or from the sample of the running \`npm start\`.`;

export function addCommands(group: Command): void {
  addRun(group);
  addReports(commandsWith<Ingest>(group, withIngest));
}

function addRun(group: Command): void {
  group
    .description('Read the feeds and update the index. An interrupted run is resumed first.')
    .option('--sources <names>', 'only these, separated by commas', (text: string) => text.split(','))
    .option('--at <time>', 'read feeds as of this time, ISO 8601 (default: now)', time)
    .option(
      '--release <source>',
      'accept a held feed; may be given several times',
      (name: string, all: string[] = []) => [...all, name],
    )
    .addOption(
      new Option('--photos <how>', 'fetch them, or assume that they are on the CDN under the keys of their addresses')
        .choices(['fetch', 'assume'])
        .default('fetch'),
    )
    .option('--dry-run <file>', 'show what each column of a feed file becomes, and rejected rows; writes nothing')
    .option('--source <name>', 'with --dry-run: the source that reads the file (default: the one that fits)')
    .action((_: unknown, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      if (flags.dryRun !== undefined) return showDryRun(flags.dryRun, flags);
      if (flags.source !== undefined)
        throw new InvalidArgumentError('--source needs --dry-run. To read some sources only, use --sources.');
      return run(flags);
    });
}

function addReports(add: ReturnType<typeof commandsWith<Ingest>>): void {
  add(
    'explain <listing> [ad]',
    'Explain why a listing is visible or not, by the current fences: its id, or its source and the id there.',
    async ({ pool }, flags, listing, ad?: string) => {
      const key = ad === undefined ? wholeNumber(listing) : { source: listing, source_listing_id: ad };
      const explanation = await explainListing(pool, key);
      const { id, source, source_listing_id, reasons } = explanation;
      print(flags, explanation, () => [`Listing ${id}, ${source} ${source_listing_id}`, ...reasons]);
    },
  );

  add(
    'status',
    'Show the last run, the next retry of a failed run, the next scheduled run, and what holds the lock.',
    async ({ pool }) => ({
      last_run: await sql.queryRow(
        pool,
        LAST_RUN,
        'select id, at, status, trigger, error from ingest_runs order by id desc limit 1',
      ),
      retry: await readRetry(pool),
      next_scheduled: nextScheduledRun(),
      lock: await lockHolder(pool, LOCKS.ingest),
    }),
  );

  add(
    'sources',
    'Show the outcomes of the ads of the last run by source, with a quality score.',
    async ({ pool }, flags) => {
      const sources = await lastSourceReports(pool);
      print(flags, sources, () => [sourceTable(sources), scoreTable(sources)]);
    },
  );

  add(
    'takedown <listing>',
    'Take a listing down now. It is never served again. Its text, photos, prices and earlier events are deleted, and the files of exports of its city. Repeat the command if it fails.',
    async (ingest, _flags, listing) => {
      const id = await takeDown(ingest.pool, wholeNumber(listing));
      const { run } = await ingest.run({ sources: [], trigger: 'takedown', signal: stopSignal() });
      const exports = await withdrawFiles(ingest.pool, ingest.exportFiles, id);
      return { listing: id, run, exports };
    },
  );

  add('held', 'List sources whose last feed is held.', ({ pool }) => heldSources(pool));

  add(
    'rejects <source>',
    'List the rejected rows and unreadable values of the last run.',
    async ({ pool }, flags, source) => {
      const rows = await sql.queryRows(
        pool,
        { reason: sql.text, detail: sql.text, row: sql.text, count: sql.integer, first_at: sql.timestamp },
        `select reason, detail, row, count, first_at from ingest_rejects where source = $1
          and run_id = (select max(run_id) from ingest_run_stages where source = $1) order by position limit $2`,
        [source, flags.limit],
      );
      print(flags, rows, () => rows.map(rejectText));
    },
  ).option(...limit(20));
}

async function run(flags: Flags): Promise<void> {
  await withIngest(async (ingest, { dataDir }) => {
    for (const source of flags.release ?? []) await releaseSource(ingest.pool, source);
    const missing = flags.sources?.filter((name) => !ingest.sources.includes(name)) ?? [];
    if (ingest.sources.length === 0) throw new Error(`There is no feed in ${dataDir}. Set FEEDS_DIR.`);
    if (missing.length > 0)
      throw new InvalidArgumentError(
        `--sources: ${dataDir} has no feed of ${missing.join(', ')}. Set FEEDS_DIR to the folder of the feed, or name one of ${ingest.sources.join(', ')}.`,
      );
    const { sources, at, photos } = flags;
    const signal = stopSignal();
    const runs = showRuns(screenOf(flags), 'Ingesting', sources ?? ingest.sources);
    const report = await runs
      .track((onProgress) => ingest.run({ sources, at, trigger: 'cli', photos, onProgress, signal }))
      .catch((error: unknown) => {
        const outage = outageOf(error);
        if (outage === null) throw error;
        throw new Error(
          `${outage.message}. Run it again, or see \`npm run ingest -- status\` for the next run of the worker.`,
        );
      })
      .finally(runs.end);
    console.log(flags.json ? JSON.stringify(report) : reportText(report));
  });
}

const SHOWN_REJECTS = 20;

async function showDryRun(file: string, { source, at = new Date(), json }: Flags): Promise<void> {
  const { dryRun } = await import('#ingest/dry-run.ts');
  const report = await dryRun({
    path: resolve(file),
    source,
    sources: await sampleSources(),
    at,
    signal: stopSignal(),
  });
  if (json) {
    printJson(report);
    return;
  }
  const { columns, rejected, rejects, rows, accepted, cut } = report;
  console.log(printable(`${report.file}, read as ${report.source}: ${accepted} of ${rows} rows accepted.`));
  console.log(cut === null ? 'The feed is complete.' : printable(`The feed is incomplete: ${cut}.`));
  printRows(
    columns.flatMap(({ column, example, fields, became, rows: filled, unread }) =>
      (fields.length > 0 ? fields : [null]).map((field, at) => ({
        ...(at === 0 ? { column, example } : { column: '', example: '' }),
        field: field ?? 'not used',
        became: field === null ? '' : (became[field] ?? 'nothing'),
        rows: at === 0 ? filled : '',
        unread: field === null ? '' : (unread[field] ?? 0),
      })),
    ),
    {},
  );
  for (const [reason, count] of Object.entries(rejected)) console.log(`Rejected, ${reason}: ${count}`);
  for (const reject of rejects.slice(0, SHOWN_REJECTS)) console.log(printable(rejectText(reject)));
  if (rejects.length > SHOWN_REJECTS) console.log(`${rejects.length - SHOWN_REJECTS} more with --json.`);
}

type Reject = { reason: string; detail: string; row: string; count: number; first_at?: Date };

function rejectText({ reason, detail, row, count, first_at: since }: Reject): string {
  const times = count > 1 ? ` (${count} times${since ? ` since ${since.toISOString().slice(0, 10)}` : ''})` : '';
  return `${reason}: ${detail}${times}\n  ${row}`;
}

/** Uses the configured datastores, or those of a running `npm start`. */
export async function withIngest<T>(work: (ingest: Ingest, feeds: FeedSettings) => Promise<T>): Promise<T> {
  const env = await toolEnvironment(process.env);
  // Ingest uses no API keys.
  const config = readConfig(env, { KEY_PEPPER: 'unused'.padEnd(32) });
  const feeds = await feedSettings(config.feeds, resolve(env.DATA_DIR || '.data'));
  const { openIngest } = await import('#app/workers/open-ingest.ts');
  const ingest = await openIngest(config, feeds);
  try {
    return await work(ingest, feeds);
  } finally {
    await ingest.close();
  }
}

/** Returns the configured feeds, or those of the sample, whose photo host runs with `npm start`. */
async function feedSettings({ dir, hostUrl }: Config['feeds'], dataDir: string): Promise<FeedSettings> {
  const sources = await sampleSources();
  if (dir !== null) return { dataDir: dir, photoHostUrl: hostUrl ?? undefined, sources };
  const folder = join(dataDir, 'sample');
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '{}');
  const { host_url: sampleHost } = JSON.parse(manifest) as { host_url?: string };
  return { dataDir: folder, photoHostUrl: hostUrl ?? sampleHost, archive: true, sources };
}

const sampleSources = async () => (hasFolder('sample') ? (await import('#sample/sources.ts')).SAMPLE_SOURCES : []);

const LAST_RUN = {
  id: sql.integer,
  at: sql.timestamp,
  status: sql.oneOf(['running', 'failed', 'completed']),
  trigger: sql.text,
  error: sql.nullable(sql.text),
};

function print({ json }: OutputOptions, value: unknown, lines: () => readonly string[]): void {
  if (json) printJson(value);
  else console.log(printable(lines().join('\n') || 'Nothing there.'));
}

function time(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('An ISO 8601 time is expected.');
  return date;
}
