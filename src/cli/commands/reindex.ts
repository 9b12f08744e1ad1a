import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import { migrate } from '#postgres/migrate.ts';
import type { OpenSearch } from '#search/client.ts';
import { findOutdated } from '#search/listing-index/state.ts';
import type { Claim } from '#search/reindex/lease.ts';
import {
  indexStatus,
  type ReindexOptions,
  type ReindexReport,
  reindex,
  rollback,
  type Step,
} from '#search/reindex/reindex.ts';
import { largestLoss } from '#search/relevance/between.ts';
import { reviewSwap, type SwapReview } from '#search/relevance/review.ts';
import { claimAs } from '#start/claim.ts';
import { withSwapRecord } from '#start/swap-record.ts';
import { toolEnvironment } from '#start/tool-environment.ts';
import { withEngine, withStartedEngines } from '../engine.ts';
import { printable } from '../output.ts';

/** Default of the largest accepted loss of precision or recall. */
const MAX_LOSS = 0.02;

interface Flags {
  url?: string;
  prefix?: string;
  json?: boolean;
  takeOver?: boolean;
  review?: string | boolean;
}

export const HELP = `Examples:
  npm run reindex                   after editing words, analysis or a mapping, or to upgrade to this release
  npm run reindex -- --review 0.01  with a report before the swap, which is refused if relevance is lower
  npm run reindex -- status         which index serves, and whether the templates were edited since
  npm run reindex -- rollback       back to the previous index, with later writes
  npm run reindex -- --json         the report as JSON, and no progress

The service need not run: without configured servers, the engines of the data folder are started for the duration.
With --url or --prefix the database is not migrated.

A killed run has not changed what is served; run the command again. The state of a run on another machine or in another
container is unknown: --take-over confirms that it has ended. If it still runs, it can change nothing and ends with a message.`;

export function addCommands(group: Command): void {
  group
    .description(
      'Migrates the database, and moves the listings to a new index made from index-templates/, while searches and writes go on.',
    )
    .option('--url <url>', 'OpenSearch, instead of OPENSEARCH_URL')
    .option('--prefix <prefix>', 'prefix of the index names, instead of INDEX_PREFIX')
    .option('--take-over', 'take over from a run that was killed on another machine')
    .option(
      '--review [loss]',
      `report the differences before the swap, and refuse it if precision or recall is lower by more than this (default ${MAX_LOSS})`,
    )
    .action((_: unknown, command: Command) => run(migrateAndReindex, command));

  group
    .command('rollback')
    .description('Return to the previous index, after copying later writes to it.')
    .action((_: unknown, command: Command) => run(recorded(rollback), command));

  group
    .command('status')
    .description('Show the live, next and previous index.')
    .action((_: unknown, command: Command) => run(indexStatus, command));
}

/** Migrates the database first, because a service that refuses an outdated index does not migrate it. */
async function migrateAndReindex(client: OpenSearch, claim: Claim, options: Options): Promise<ReindexReport> {
  // Throws before any change if the index belongs to a newer release.
  await findOutdated(client);
  if (options.databaseUrl) await migrate(options.databaseUrl);
  return recorded(reindex)(client, claim, options);
}

/** Wraps `work` so that its alias swap is recorded in Postgres, if the database of the indexes is configured. */
function recorded<Report extends object>(work: (...args: Parameters<Work>) => Promise<Report>) {
  return (...[client, claim, options]: Parameters<Work>): Promise<Report> =>
    options.databaseUrl === undefined
      ? work(client, claim, options)
      : withSwapRecord(options.databaseUrl, client, (recordNext) => work(client, claim, { ...options, recordNext }));
}

interface Options extends ReindexOptions {
  databaseUrl: string | undefined;
}

type Work = (client: OpenSearch, claim: Claim, options: Options) => Promise<object>;

async function run(work: Work, command: Command): Promise<void> {
  const flags = command.optsWithGlobals<Flags>();
  const bar = new SingleBar({ format: '{bar} {percentage}% {value}/{total} {speed}', hideCursor: true });
  const begun = performance.now();
  let shown = false;
  const onProgress = (step: Step, done: number, total: number): void => {
    if (flags.json) return;
    if (step === 'copy') {
      const speed = `${Math.round((done * 1000) / (performance.now() - begun))}/s`;
      if (!shown) bar.start(total, done, { speed });
      else {
        bar.setTotal(total);
        bar.update(done, { speed });
      }
      shown = true;
      return;
    }
    if (shown) bar.stop();
    shown = false;
    console.error(
      { prepare: 'Preparing ...', merge: 'Merging ...', verify: 'Verifying ...', swap: 'Moving the alias ...' }[step],
    );
  };
  try {
    const report = await withStartedEngines(console.error, async (started) => {
      // Engines that this command started have no other users, so any existing lease is stale.
      const claim = claimAs(new Date(), flags.takeOver || started);
      // If the URL or the prefix is set explicitly, the index may belong to a database other than `DATABASE_URL`.
      const named = flags.url !== undefined || flags.prefix !== undefined;
      const { DATABASE_URL: databaseUrl } = named ? {} : await toolEnvironment(process.env);
      return withEngine(flags, (client) =>
        work(client, claim, { onProgress, databaseUrl, ...reviewOption(client, flags) }),
      );
    });
    if (shown) bar.stop();
    if (flags.json) console.log(JSON.stringify(report));
    else
      for (const [name, value] of Object.entries(report)) console.log(`${name.replaceAll('_', ' ')}: ${text(value)}`);
  } finally {
    if (shown) bar.stop();
  }
}

/** Returns the review before the swap, if it is requested. The report goes to stderr; stdout has the report of the reindex. */
function reviewOption(client: OpenSearch, { review, json }: Flags): Pick<ReindexOptions, 'review'> {
  if (review === undefined) return {};
  const most = review === true ? MAX_LOSS : Number(review);
  if (!(most >= 0 && most <= 1)) throw new Error('--review expects a number from 0 to 1.');
  return {
    review: async ({ from, to }) => {
      const report = await reviewSwap(client, from, to);
      console.error(json ? JSON.stringify(report) : reviewText(report));
      const loss = largestLoss(report.relevance);
      if (loss > most)
        throw new Error(
          `Precision or recall is lower by ${loss.toFixed(3)}, and --review accepts ${most}. The serving index is unchanged.`,
        );
    },
  };
}

function reviewText({ documents, relevance }: SwapReview): string {
  const { added, missing, changed, sample } = documents;
  const sets = relevance.sets.map(
    ({ set, queries, serving, candidate }) =>
      `${set} (${queries}): precision ${serving.precision.toFixed(3)} → ${candidate.precision.toFixed(3)}, recall ${serving.recall.toFixed(3)} → ${candidate.recall.toFixed(3)}`,
  );
  const queries = relevance.changed.map(
    ({ query, serving, candidate, lost, gained }) =>
      `  ${query}: ${serving} → ${candidate} hits, ${lost} lost, ${gained} gained`,
  );
  return printable(
    [`documents: ${added} added, ${missing} missing, ${changed} of ${sample} changed`, ...sets, ...queries].join('\n'),
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
