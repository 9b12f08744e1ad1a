import type { Client } from '@opensearch-project/opensearch';
import { SingleBar } from 'cli-progress';
import type { Command } from 'commander';
import type { Claim } from '#search/reindex/lease.ts';
import { indexStatus, type ReindexOptions, reindex, rollback, type Step } from '#search/reindex/reindex.ts';
import { claimAs } from '#start/claim.ts';
import { withEngine } from './engine.ts';

interface Flags {
  url?: string;
  prefix?: string;
  json?: boolean;
  takeOver?: boolean;
}

/** `reindex`: moving the listings to a new index, and back. */
export function addCommands(group: Command): void {
  group
    .description('Moves the listings to a new index made from index-templates/, while searches and writes go on.')
    .option('--url <url>', 'OpenSearch, instead of OPENSEARCH_URL')
    .option('--prefix <prefix>', 'prefix of the index names, instead of INDEX_PREFIX')
    .option('--take-over', 'in place of a run that was killed on another machine')
    .action((_: unknown, command: Command) => run(reindex, command))
    .addHelpText(
      'after',
      `
Examples:
  npm run reindex                   after editing analysis, synonyms or a mapping
  npm run reindex -- status         which index serves, and whether the templates were edited since
  npm run reindex -- rollback       back to the previous index, with what was written since
  npm run reindex -- --json         the report as JSON, and no progress

A run that was killed has changed nothing that is served; run it again. Where it ran on another machine or in another
container, nobody can know whether it still runs, and --take-over says that it does not. Should it run after all, it can
change nothing any more, and says so.`,
    );

  group
    .command('rollback')
    .description('Goes back to the previous index, after bringing it what was written since.')
    .action((_: unknown, command: Command) => run(rollback, command));

  group
    .command('status')
    .description('Shows the live, next and previous index.')
    .action((_: unknown, command: Command) => run(indexStatus, command));
}

type Work = (client: Client, prefix: string, claim: Claim, options: ReindexOptions) => Promise<object>;

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
    const claim = claimAs(new Date(), flags.takeOver);
    const report = await withEngine(flags.url, (client, prefix) =>
      work(client, flags.prefix ?? prefix, claim, { onProgress }),
    );
    if (shown) bar.stop();
    if (flags.json) console.log(JSON.stringify(report));
    else
      for (const [name, value] of Object.entries(report)) console.log(`${name.replaceAll('_', ' ')}: ${text(value)}`);
  } finally {
    if (shown) bar.stop();
  }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
