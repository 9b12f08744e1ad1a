import type { Command } from 'commander';
import { configure } from '#app/start/configure.ts';
import { reindex } from '#app/start/run-reindex.ts';
import { prepareStores } from '#app/start/stores.ts';
import { toolEnvironment } from '#app/start/tool-environment.ts';
import { waitForStores } from '#app/start/wait.ts';
import { act, screenOf, stopSignal } from '../command.ts';
import type { OutputOptions } from '../output.ts';

export const HELP = `Examples:
  npm run cli -- migrate          before the first start of a release, or as a job that precedes it

It may be repeated: without a change it does nothing. Every start of a process migrates the database too, but does not reindex.`;

export function addCommands(command: Command): void {
  act(command, migrate);
}

async function migrate(options: OutputOptions) {
  const config = configure(await toolEnvironment(process.env));
  const signal = stopSignal();
  await waitForStores(config, { say: console.error, signal });
  const outdated = await prepareStores(config, { upgrade: true });
  if (outdated) await reindex(config, ['listings'], { screen: screenOf(options), signal });
  return { reindexed: outdated?.index ?? null };
}
