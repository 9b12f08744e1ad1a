import type pg from 'pg';
import { SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import { Problem } from '#domain/process/problem.ts';
import { BusyError, withWriterLock } from '#ingest/postgres/writer.ts';
import { setOveragePrices } from '#src/accounts/organization-store.ts';
import type { Config } from '#src/config.ts';
import { CHARGE_FUNCTION } from '#src/metering/charge-function.ts';
import { compileScripts } from '#stores/opensearch/compile-scripts.ts';
import { createEmptyIndex } from '#stores/opensearch/fill.ts';
import { indexBehind } from '#stores/opensearch/indexes.ts';
import {
  checkVersion,
  findOutdated,
  IndexVersionError,
  type OutdatedIndex,
} from '#stores/opensearch/listing-index/listing-index.ts';
import { type OpenSearch, withOpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { installTemplates } from '#stores/opensearch/templates.ts';
import { indexesWithDocuments, recordIntent, settleIndex, writerLock } from '#stores/postgres/index-registry.ts';
import { checkDatabase, migrate, SchemaVersionError } from '#stores/postgres/migrate.ts';
import { type SessionPool, withPool } from '#stores/postgres/pool.ts';
import { SharedSessionError } from '#stores/postgres/sessions.ts';

/**
 * Several processes may call it concurrently. It is fast if there is nothing to do.
 * @param upgrade whether a listings index of another release is accepted, which must then be filled again
 * @returns the outdated index, or null
 * @throws Problem, before any change, if this release cannot use the existing data
 */
export function prepareStores(config: Config, { upgrade = false } = {}): Promise<OutdatedIndex | null> {
  return withOpenSearch({ ...config.opensearch, requestTimeout: 30_000 }, async (client) => {
    // If refused, the earlier release can still use the data.
    await checkDatabase(config.databaseUrl);
    const outdated = await findOutdated(client);
    if (outdated !== null && !upgrade) checkVersion(outdated.index, outdated.version);
    await migrate(config.databaseUrl, CHARGE_FUNCTION);
    await installTemplates(client);
    const options = { max: 2, statementTimeout: 60_000, name: 'listings-start' };
    await withPool(config.databaseUrl, options, async (pool) => {
      await setOveragePrices(pool, config.overagePrices);
      await createMissingIndexes(pool, client);
    });
    await compileScripts(client);
    return outdated;
  }).catch((error: unknown) => {
    // The messages of these errors contain the remedy.
    const explained =
      error instanceof IndexVersionError ||
      error instanceof SchemaVersionError ||
      error instanceof SharedSessionError ||
      error instanceof BusyError;
    throw explained ? new Problem(error.message) : error;
  });
}

/** Milliseconds to wait for another process that creates the same index. */
const LOCK_WAIT_MS = 30_000;

/**
 * Creates an empty index for each missing one, under the lock of its writers. One that has contained documents is lost;
 * a worker fills it.
 */
async function createMissingIndexes(pool: SessionPool, client: OpenSearch): Promise<void> {
  const isMissing = async (name: ServedIndex) => (await indexBehind(client, client.aliases[name])) === null;
  const filled = await indexesWithDocuments(pool);
  for (const name of SERVED_INDEXES) {
    if (filled.has(name) || !(await isMissing(name))) continue;
    const purpose = `the creation of ${name}`;
    const create = async (db: pg.PoolClient): Promise<void> => {
      if (!(await isMissing(name)) || (await indexesWithDocuments(db)).has(name)) return;
      const index = await createEmptyIndex(client, name, (next) => recordIntent(db, name, next, null));
      await settleIndex(db, name, { index, documents: 0, run: null });
    };
    await withWriterLock(pool, writerLock(name), purpose, create, LOCK_WAIT_MS);
  }
}
