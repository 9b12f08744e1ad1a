import { Problem } from '#embedded/problem.ts';
import { recordNextIndex, registrySources } from '#postgres/index-registry.ts';
import { withPool } from '#postgres/pool.ts';
import type { OpenSearch } from '#search/client.ts';
import { IndexGuard } from '#search/index-guard.ts';
import { type RecordNextIndex, readAllAliased } from '#search/indexes.ts';

/** Statement timeout in milliseconds. It is long because one statement may count all listings. */
const STATEMENT_LIMIT = 60_000;

/**
 * Runs `work`, which moves the listings to another index, and passes it a function that records the swap in Postgres.
 * @throws Problem if the serving index is lost, because `work` would synchronize the other index with it
 */
export function withSwapRecord<T>(
  databaseUrl: string,
  client: OpenSearch,
  work: (recordNext: RecordNextIndex) => Promise<T>,
): Promise<T> {
  const options = { max: 2, statementTimeout: STATEMENT_LIMIT, name: 'listings-reindex' };
  return withPool(databaseUrl, options, async (pool) => {
    const guard = new IndexGuard({ shown: () => readAllAliased(client), ...registrySources(pool) });
    await guard.refresh();
    const state = guard.states().get('listings');
    if (state?.lost && state.index !== null)
      throw new Problem(`The index of listings ${state.lost}, so there is nothing to move.`, [
        'Rebuild it from Postgres: npm run ingest -- rebuild --index listings',
      ]);
    return work((next) => recordNextIndex(pool, 'listings', next));
  });
}
