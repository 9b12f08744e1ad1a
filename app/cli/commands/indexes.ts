import type { Command } from 'commander';
import { IndexGuard } from '#stores/opensearch/index-guard.ts';
import { BLOCKED_REMEDY, readAllAliased } from '#stores/opensearch/indexes.ts';
import { countExpected, readRegistry } from '#stores/postgres/index-registry.ts';
import { act } from '../command.ts';
import { withDatabase, withEngine } from '../connect.ts';

/** In milliseconds: counting all rows takes long. */
const STATEMENT_LIMIT = 60_000;

export const HELP = `Examples:
  npm run cli -- indexes                    what serves, and how many documents it has and should have
  npm run cli -- indexes --json             the same, for scripts

\`state\` is \`serves\`, \`differs\` (fewer or more documents than Postgres has), \`refuses writes\` (a full disk), or the reason why reads
are refused. A worker fills an index that is lost, or that has fewer documents than \`recorded\`. The command exits with 1 if an index
is lost or refuses writes. To fill now:
  npm run reindex -- --index all            every index, or one
  npm run cli -- official rebuild           the index of registered deals`;

export function addCommands(command: Command): void {
  act(command, compareIndexes);
}

function compareIndexes() {
  return withEngine((client) =>
    withDatabase(STATEMENT_LIMIT, async (pool) => {
      const registry = await readRegistry(pool);
      // The guard keeps its state when a read fails; here, the failure is reported.
      const shown = await readAllAliased(client);
      const guard = new IndexGuard({ shown: async () => shown, registry: async () => registry });
      await guard.refresh();
      const rows = [];
      for (const [name, { index, documents, recorded, lost, isBlocked }] of guard.states()) {
        // Postgres has no table with one row per document for these indexes.
        const expected = name === 'transactions' || name === 'webhooks' ? null : await countExpected(pool, name);
        const isChanging = registry.get(name)?.source.changing === true;
        const differs = expected !== null && expected !== documents && !isChanging;
        if (lost !== null || isBlocked) process.exitCode = 1;
        const state = lost ?? (isBlocked ? 'refuses writes' : differs ? 'differs' : 'serves');
        rows.push({ name, index, documents, recorded, expected, state });
      }
      if (rows.some(({ state }) => state === 'refuses writes')) console.error(BLOCKED_REMEDY);
      return rows;
    }),
  );
}
