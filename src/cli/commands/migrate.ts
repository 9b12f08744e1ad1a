import type { Command } from 'commander';
import { toolEnvironment } from '#start/tool-environment.ts';
import { act } from '../command.ts';
import type { OutputOptions } from '../output.ts';
import { screenOf, stopSignal } from '../progress.ts';

export const HELP = `Examples:
  npm run cli -- migrate          before the first start of a release, or as a job that precedes it

It may be repeated: without a change it does nothing. Every start of a process migrates the database too, but does not reindex.`;

export function addCommands(command: Command): void {
  act(command, migrate);
}

async function migrate(options: OutputOptions) {
  const { configure } = await import('#start/configure.ts');
  const { prepareUpgrade } = await import('#start/stores.ts');
  const { reindex } = await import('#start/reindex.ts');
  const { waitForStores } = await import('#start/wait.ts');
  const config = configure(await toolEnvironment(process.env));
  const signal = stopSignal();
  await waitForStores(config, { say: console.error, signal });
  const outdated = await prepareUpgrade(config);
  if (outdated) await reindex(config, ['listings'], { screen: screenOf(options), signal });
  return { reindexed: outdated?.index ?? null };
}
