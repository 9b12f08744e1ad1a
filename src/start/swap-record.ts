import type { Client } from '@opensearch-project/opensearch';
import { Problem } from '#embedded/problem.ts';
import { recordIntent, registrySources } from '#postgres/index-registry.ts';
import { createPool } from '#postgres/pool.ts';
import { IndexGuard } from '#search/index-guard.ts';
import { type Intend, readAllAliased } from '#search/indexes.ts';

/** Milliseconds. It may count the listings. */
const STATEMENT_LIMIT = 60_000;

/**
 * Runs work that moves the listings to another index, with what records the swap in Postgres.
 * @throws Problem when the index that serves is lost: the other would be made equal to it
 */
export async function withSwapRecord<T>(
  databaseUrl: string,
  client: Client,
  prefix: string,
  work: (intend: Intend) => Promise<T>,
): Promise<T> {
  const pool = createPool(databaseUrl, { max: 2, statementTimeout: STATEMENT_LIMIT, name: 'listings-reindex' });
  try {
    const guard = new IndexGuard({
      shown: () => readAllAliased(client, prefix),
      ...registrySources(pool),
    });
    await guard.refresh();
    const state = guard.states().get('listings');
    if (state?.lost && state.index !== null)
      throw new Problem(`The index of listings ${state.lost}, so there is nothing to move.`, [
        'Rebuild it from Postgres: npm run ingest -- rebuild --index listings',
      ]);
    return await work((next) => recordIntent(pool, 'listings', next));
  } finally {
    await pool.end();
  }
}
