import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { endpoints } from '#src/endpoints/index.ts';
import { buildOpenApi } from '#src/openapi/build.ts';
import { findBreaks } from '#src/openapi/compare.ts';
import { contractOf, type Json, printContract, RELEASED } from '#src/openapi/contract.ts';
import { act } from '../command.ts';

export const HELP = `Examples:
  npm run cli -- openapi check
  npm run cli -- openapi release`;

export function addCommands(group: Command): void {
  act(
    group.command('check').description('List all changes since the last release that may break a client'),
    async () => {
      const breaks = findBreaks(await released(), current());
      if (breaks.length > 0) process.exitCode = 1;
      return breaks;
    },
  );

  group
    .command('release')
    .description('Store the current contract as the release for later comparisons')
    .action(async () => {
      const breaks = findBreaks(await released(), current());
      if (breaks.length > 0)
        throw new Error(
          `${breaks.length} changes may break clients; see \`npm run cli -- openapi check\`. They belong in a new version.`,
        );
      await writeFile(RELEASED, printContract(current()));
      process.stdout.write(`${RELEASED.pathname} has ${endpoints.length} operations.\n`);
    });
}

/** Returns an empty document if nothing has been released. */
async function released(): Promise<Json> {
  const text = await readFile(RELEASED, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Json;
}

const current = (): Json =>
  contractOf(buildOpenApi(endpoints, { serviceName: '', baseUrl: 'https://api.example.com/v1' }));
