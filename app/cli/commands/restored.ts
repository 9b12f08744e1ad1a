import type { Command } from 'commander';
import { withWriter } from '#ingest/postgres/writer.ts';
import { stateRestore } from '#ingest/run/restore.ts';
import { readRunRecords } from '#stores/opensearch/indexes.ts';
import { act } from '../command.ts';
import { withDatabase, withEngine } from '../connect.ts';

/** In milliseconds: the command waits for a running ingest. */
const STATEMENT_LIMIT = 60_000;

export const HELP = `Examples:
  npm run cli -- restored                   after Postgres was restored from a backup, before or after the service starts
  npm run cli -- restored --json            the same, for scripts

The service detects a restore itself if the listings index is newer than the database. Use this command if no index can show
it, because OpenSearch was restored or lost too. New ids of listings, projects, developers and runs are then higher than all
that were served, and a worker fills all indexes from Postgres while reads continue.
A repetition before the next ingest run changes nothing.`;

export function addCommands(command: Command): void {
  act(command, recordRestore);
}

async function recordRestore() {
  const { restore, ids, isNew } = await withEngine((client) =>
    withDatabase(STATEMENT_LIMIT, (pool) =>
      withWriter(pool, 'the record of a restore', async (writer) => stateRestore(writer, await readRunRecords(client))),
    ),
  );
  const { at, reason, rebuilt_at } = restore;
  return {
    recorded: isNew ? 'now' : 'earlier',
    reason,
    at,
    ids_continue_above: ids,
    indexes_filled_at: rebuilt_at,
    next:
      rebuilt_at === null
        ? 'A worker fills all indexes from Postgres. Start one if none runs: `npm start` or `node app/main.ts worker`.'
        : 'All indexes were filled. Nothing is left to do.',
  };
}
