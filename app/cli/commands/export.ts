import type { Command } from 'commander';
import type pg from 'pg';
import { RequestError } from '#domain/errors.ts';
import { cancelExport, retryExport } from '#src/exports/charge-export.ts';
import { STATUSES } from '#src/exports/store.ts';
import { limit } from '../command.ts';
import { accountCommands } from '../connect.ts';
import { parseChoice } from '../values.ts';

export const HELP = `Examples:
  npm run cli -- export list --status failed
  npm run cli -- export show exp_0f3a...
  npm run cli -- export cancel exp_0f3a...
  npm run cli -- export retry exp_0f3a...`;

export function addCommands(group: Command): void {
  const add = accountCommands(group);

  add('list', 'List the exports of all organizations, newest first', async ({ pool }, { status, limit: most }) => {
    const { rows } = await pool.query(
      `select ${COLUMNS} from exports e join organizations o on o.id = e.organization_id
        where $1::text is null or e.status = $1 order by e.id desc limit $2`,
      [status ?? null, most],
    );
    return rows;
  })
    .option('--status <status>', `only this status: ${STATUSES.join(', ')}`, (text: string) =>
      parseChoice(text, STATUSES, 'a status', 'Statuses'),
    )
    .option(...limit(50));

  add('show <id>', 'Show one export with its files', ({ pool }, _flags, id) => show(pool, id));

  add(
    'cancel <id>',
    'Cancel a queued or running export; its units are refunded',
    async ({ pool, change }, _flags, id) => {
      await change((audited) => cancelExport(audited, id));
      return show(pool, id);
    },
  );

  add('retry <id>', 'Queue a failed or canceled export again', async ({ pool, change }, _flags, id) => {
    await change((audited) => retryExport(audited, id));
    return show(pool, id);
  });
}

const COLUMNS = `e.public_id as id, o.public_id as organization, e.dataset, e.format, e.status, e.rows_written, e.rows_total,
  e.units, e.attempt, e.failures, e.error_code, e.created_at, e.finished_at`;

/** @throws RequestError export_not_found */
async function show(pool: pg.Pool, id: string): Promise<object> {
  const { rows } = await pool.query(
    `select ${COLUMNS}, k.public_id as key, e.filters, e.started_at, e.as_of, e.due_at, e.error_message, e.files,
            e.files_deleted_at
       from exports e join organizations o on o.id = e.organization_id left join api_keys k on k.id = e.key_id
      where e.public_id = $1`,
    [id],
  );
  if (!rows[0]) throw new RequestError('export_not_found', { message: `No export has the id ${id}.` });
  return rows[0];
}
