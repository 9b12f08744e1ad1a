import { Problem } from '#embedded/problem.ts';
import { checkDatabase, migrate } from '#postgres/migrate.ts';
import { withPool } from '#postgres/pool.ts';
import { SchemaVersionError } from '#postgres/schema-version.ts';
import { type OpenSearch, withOpenSearch } from '#search/client.ts';
import { IndexVersionError, prepareIndexes, prepareSearches } from '#search/listing-index/index.ts';
import { checkVersion, findOutdated, type OutdatedIndex } from '#search/listing-index/state.ts';
import { describeHolder, leaseHolder } from '#search/reindex/lease.ts';
import { installTemplates } from '#search/templates.ts';
import type { Config } from '#src/config.ts';
import { adoptIndexes, indexesWithDocuments } from '#workers/indexes.ts';

/**
 * Migrates Postgres and prepares the indexes. Several processes may call it concurrently, and it is fast if there is
 * nothing to do.
 * @throws Problem, before any change, if this release cannot use the existing data
 */
export async function prepareStores(config: Config): Promise<void> {
  await prepare(config, async (client, outdated) => {
    if (outdated === null) return;
    const holder = await leaseHolder(client);
    if (holder === null) checkVersion(outdated.index, outdated.version);
    else
      throw new Problem(`The listings are being reindexed (${describeHolder(holder)}). Start again when it is done.`, [
        'If that process has ended, run: npm run reindex -- --take-over',
      ]);
  });
}

/**
 * Prepares the datastores like `prepareStores`, but accepts a listings index from an earlier release, which
 * `reindexListings` then migrates.
 * @returns the outdated index, or null if there is none
 */
export function prepareUpgrade(config: Config): Promise<OutdatedIndex | null> {
  return prepare(config, async () => {});
}

function prepare(
  config: Config,
  check: (client: OpenSearch, outdated: OutdatedIndex | null) => Promise<void>,
): Promise<OutdatedIndex | null> {
  return withOpenSearch({ ...config.opensearch, requestTimeout: 30_000 }, async (client) => {
    // All checks precede the first change, so that the earlier release can still use the data if this start is refused.
    await checkDatabase(config.databaseUrl);
    const outdated = await findOutdated(client);
    await check(client, outdated);
    await migrate(config.databaseUrl);
    await installTemplates(client);
    const options = { max: 1, statementTimeout: 60_000, name: 'listings-start' };
    await withPool(config.databaseUrl, options, async (pool) => {
      const served = await indexesWithDocuments(pool);
      if (outdated === null) await prepareIndexes(client, served);
      else await prepareSearches(client, served);
      await adoptIndexes(pool, client);
    });
    return outdated;
  }).catch((error: unknown) => {
    // The messages of these errors contain the command to run.
    const explained = error instanceof IndexVersionError || error instanceof SchemaVersionError;
    throw explained ? new Problem(error.message) : error;
  });
}
