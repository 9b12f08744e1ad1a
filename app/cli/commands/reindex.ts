import { createInterface } from 'node:readline/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { reindex, rollBackListings, withStores } from '#app/start/run-reindex.ts';
import { toolEnvironment } from '#app/start/tool-environment.ts';
import { FILLED, type FilledName, isFilledHere } from '#ingest/fill.ts';
import { planListings } from '#ingest/plan.ts';
import { synonymsVersion } from '#queries/text/synonyms.ts';
import { readConfig } from '#src/config.ts';
import { type Fill, megabytes } from '#stores/opensearch/fill.ts';
import { BLOCKED_REMEDY, readAliased } from '#stores/opensearch/indexes.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { compareRelevance, largestLoss } from '#stores/opensearch/relevance/between.ts';
import { templateOf } from '#stores/opensearch/templates.ts';
import { readPrevious } from '#stores/postgres/index-registry.ts';
import { LOCKS, lockHolder } from '#stores/postgres/locks.ts';
import { readSearchProcesses } from '#stores/postgres/search-processes.ts';
import { act, commandsWith, screenOf, stopSignal } from '../command.ts';
import { withEngine, withStartedEngines } from '../connect.ts';
import { type OutputOptions, printOne, printRows } from '../output.ts';
import { comparisonText } from './relevance.ts';

/** Default of the largest accepted loss of precision or recall. */
const MAX_LOSS = 0.02;

interface Flags extends OutputOptions {
  plan?: boolean;
  index?: string[];
  review?: string | boolean;
}

export const HELP = `Examples:
  npm run reindex                    after editing words, analysis or a mapping, or to upgrade to this release
  npm run reindex -- --index deals   another index, or several, separated by commas; \`all\` for every index
  npm run reindex -- --plan          what a fill of the listings would change, and the disk that it needs; changes nothing
  npm run reindex -- --review 0.01   with a comparison before the swap, which is refused if relevance is lower
  npm run reindex -- status          which index serves, and whether the templates were edited since,
                                     and the version of the synonyms: of the file, and of each running process
  npm run reindex -- rollback        back to the previous index of the listings, with later changes
  npm run reindex -- --json          the report as JSON, and no progress

A new index is filled from Postgres while searches go on. Ingest runs and fills wait for each other. The service need not
run: without configured servers, the engines of the data folder are started for the duration. A killed run has not changed
what is served; run the command again. For registered deals run \`npm run cli -- official rebuild\`; \`webhooks\` is filled by a
worker.`;

export function addCommands(group: Command): void {
  group
    .description('Migrate the database, fill a new index from Postgres, and move the alias to it.')
    .option('--plan', 'show what a fill of the listings would change, without a fill')
    .option('--index <names>', 'indexes to fill (default: listings)', (text: string) => text.split(','))
    .option(
      '--review [loss]',
      `compare with the serving index and ask before the swap; refuse it if precision or recall is lower by more than this (default ${MAX_LOSS})`,
    );
  act(group, fill);

  const add = commandsWith(group, onStores);
  add('rollback', 'Return to the previous index of the listings, after bringing it up to date.', (config, flags) =>
    rollBackListings(config, { screen: screenOf(flags), signal: stopSignal() }),
  );
  add(
    'status',
    'Show the indexes of the listings, what holds the lock, and the synonyms that each process uses.',
    (config) => withStores(config, readStatus),
  );
}

/** Prints a report for each index: in JSON an array, if there are several. */
async function fill(flags: Flags): Promise<void> {
  const names = namesOf(flags.index);
  const signal = stopSignal();
  if (flags.plan) {
    if (flags.index !== undefined || flags.review !== undefined)
      throw new InvalidArgumentError('--plan is of the listings, and accepts neither --index nor --review.');
    const { disk, ...plan } = await onStores((config) =>
      withStores(config, ({ pool, client }) => planListings(pool, client, signal)),
    );
    const inMegabytes = disk && { free_mb: megabytes(disk.free), needed_mb: megabytes(disk.needed) };
    printOne({ ...plan, disk: inMegabytes }, flags);
    return;
  }
  const reports = await onStores((config) =>
    reindex(config, names, { screen: screenOf(flags), signal, ...reviewOption(flags) }),
  );
  if (flags.json && reports.length > 1) printRows(reports, flags);
  else for (const report of reports) printOne(report, flags);
}

async function readStatus({ pool, client }: { pool: pg.Pool; client: OpenSearch }) {
  const live = await readAliased(client, 'listings');
  const current = templateOf('listings').mappings._meta;
  const isEdited = live !== null && (live.version !== current.version || live.digest !== current.digest);
  return {
    live: live?.index ?? null,
    version: live?.version ?? null,
    documents: live?.documents ?? null,
    previous: (await readPrevious(pool, 'listings'))?.index ?? null,
    lock_held_by: (await lockHolder(pool, LOCKS.ingest))?.purpose ?? null,
    templates_changed: isEdited,
    writes: live?.isBlocked ? BLOCKED_REMEDY : 'accepted',
    synonyms: synonymsVersion(),
    processes: Object.fromEntries(
      (await readSearchProcesses(pool)).map(({ process: name, synonyms, problem }) => [
        name,
        problem === null ? synonyms : `${synonyms}, not the file: ${problem}`,
      ]),
    ),
  };
}

function namesOf(given: readonly string[] = ['listings']): FilledName[] {
  const names = given.includes('all') ? [...FILLED] : given;
  const unknown = names.filter((name) => !isFilledHere(name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `--index: ${unknown.join(', ')} cannot be filled here. Accepted: all, ${FILLED.join(', ')}.`,
    );
  return names.filter(isFilledHere);
}

/** On the configured servers, a running `npm start`, or the engines of the data folder. */
function onStores<T>(work: (config: ReturnType<typeof readConfig>) => Promise<T>): Promise<T> {
  return withStartedEngines(async () => {
    const env = await toolEnvironment(process.env);
    // A fill uses no API keys, so the pepper is not used.
    return work(readConfig(env, { KEY_PEPPER: 'unused'.padEnd(32) }));
  });
}

function reviewOption({ review, json }: Flags): Pick<Fill, 'review'> {
  if (review === undefined) return {};
  const most = review === true ? MAX_LOSS : Number(review);
  if (!(most >= 0 && most <= 1)) throw new InvalidArgumentError('--review expects a number from 0 to 1.');
  return {
    review: async ({ from, to }) => {
      if (from === null) return;
      const report = await withEngine((client) => compareRelevance(client, from, to));
      console.error(json ? JSON.stringify(report) : comparisonText(report));
      const loss = largestLoss(report);
      if (loss > most)
        throw new Error(
          `Precision or recall is lower by ${loss.toFixed(3)}, and --review accepts ${most}. The serving index is unchanged.`,
        );
      if (!json && process.stdin.isTTY && !(await isConfirmed('Move the alias to the new index? [y/N] ')))
        throw new Error('The serving index is unchanged.');
    },
  };
}

async function isConfirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
