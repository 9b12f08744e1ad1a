import type { Command } from 'commander';
import type pg from 'pg';
import { cancelExport, retryExport } from '#exports/operate.ts';
import { readExportById, recentExports } from '#exports/store.ts';
import { limit } from '../command.ts';
import { accountCommands } from '../connect.ts';
import { type OutputOptions, printOne, printRows } from '../output.ts';

export const HELP = `Examples:
  npm run cli -- export list --status failed
  npm run cli -- export show exp_0f3a...
  npm run cli -- export cancel exp_0f3a...
  npm run cli -- export retry exp_0f3a...`;

export function addCommands(group: Command): void {
  const add = accountCommands(group);

  add('list', 'List the exports of all organizations, newest first', async ({ pool }, flags) => {
    const status = flags.status === undefined ? null : String(flags.status);
    printRows(await recentExports(pool, status, flags.limit), flags);
  })
    .option('--status <status>', 'only this status: queued, running, completed, failed or canceled')
    .option(...limit(50));

  add('show <id>', 'Show one export with its files', ({ pool }, flags, id) => show(pool, id, flags));

  add('cancel <id>', 'Cancel a queued or running export; its units are refunded', async (connection, flags, id) => {
    await connection.change((change) => cancelExport(change, id));
    await show(connection.pool, id, flags);
  });

  add('retry <id>', 'Queue a failed or canceled export again', async (connection, flags, id) => {
    await connection.change((change) => retryExport(change, id));
    await show(connection.pool, id, flags);
  });
}

async function show(pool: pg.Pool, id: string, flags: OutputOptions): Promise<void> {
  printOne(await readExportById(pool, id), flags);
}
