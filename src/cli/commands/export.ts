import type { Command } from 'commander';
import { cancelExport, retryExport } from '#exports/operate.ts';
import { readExportById, recentExports } from '#exports/store.ts';
import { limit } from '../command.ts';
import { accountCommands } from '../connect.ts';

export const HELP = `Examples:
  npm run cli -- export list --status failed
  npm run cli -- export show exp_0f3a...
  npm run cli -- export cancel exp_0f3a...
  npm run cli -- export retry exp_0f3a...`;

export function addCommands(group: Command): void {
  const add = accountCommands(group);

  add('list', 'List the exports of all organizations, newest first', ({ pool }, { status, limit: most }) =>
    recentExports(pool, status === undefined ? null : String(status), most),
  )
    .option('--status <status>', 'only this status: queued, running, completed, failed or canceled')
    .option(...limit(50));

  add('show <id>', 'Show one export with its files', ({ pool }, _flags, id) => readExportById(pool, id));

  add(
    'cancel <id>',
    'Cancel a queued or running export; its units are refunded',
    async ({ pool, change }, _flags, id) => {
      await change((audited) => cancelExport(audited, id));
      return readExportById(pool, id);
    },
  );

  add('retry <id>', 'Queue a failed or canceled export again', async ({ pool, change }, _flags, id) => {
    await change((audited) => retryExport(audited, id));
    return readExportById(pool, id);
  });
}
