import type { Command } from 'commander';
import { cancelExport, retryExport } from '#exports/operate.ts';
import { readExportById, recentExports } from '#exports/store.ts';
import { run } from './connect.ts';
import { type OutputOptions, printOne, printRows } from './output.ts';
import { parseUnits } from './values.ts';

/** Adds the `export` commands, which list, show, cancel and retry exports. */
export function addCommands(group: Command): void {
  group.addHelpText(
    'after',
    `
Examples:
  npm run cli -- export list --status failed
  npm run cli -- export show exp_0f3a...
  npm run cli -- export cancel exp_0f3a...
  npm run cli -- export retry exp_0f3a...`,
  );

  group
    .command('list')
    .description('List the exports of all organizations, newest first')
    .option('--status <status>', 'only this status: queued, running, completed, failed or canceled')
    .option('--limit <n>', 'how many', '50')
    .action((_: unknown, command: Command) =>
      run(command, async ({ pool }, flags) => {
        const status = flags.status === undefined ? null : String(flags.status);
        printRows(await recentExports(pool, status, parseUnits(String(flags.limit))), flags);
      }),
    );

  group
    .command('show <id>')
    .description('Show one export with its files')
    .action((id: string, _: unknown, command: Command) => run(command, ({ pool }, flags) => show(pool, id, flags)));

  group
    .command('cancel <id>')
    .description('Cancel a queued or running export; its units are refunded')
    .action((id: string, _: unknown, command: Command) =>
      run(command, async ({ pool, change, dependencies, actor }, flags) => {
        await change((db) => cancelExport(db, dependencies.random, id, actor));
        await show(pool, id, flags);
      }),
    );

  group
    .command('retry <id>')
    .description('Queue a failed or canceled export again')
    .action((id: string, _: unknown, command: Command) =>
      run(command, async ({ pool, change, dependencies, actor }, flags) => {
        await change((db) => retryExport(db, dependencies.random, id, actor));
        await show(pool, id, flags);
      }),
    );
}

async function show(pool: import('pg').Pool, id: string, flags: OutputOptions): Promise<void> {
  printOne({ ...(await readExportById(pool, id)) }, flags);
}
