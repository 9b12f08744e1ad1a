import type { Client } from '@opensearch-project/opensearch';
import { CITIES, NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { Problem } from '#embedded/problem.ts';
import { migrate } from '#postgres/migrate.ts';
import { createOpenSearch } from '#search/client.ts';
import { IndexVersionError, prepareListingIndex } from '#search/listing-index/index.ts';
import { writeReference } from '#search/reference-index/index.ts';
import type { Config } from '#src/config.ts';

/** Migrates Postgres and prepares the indexes. Several processes may call it at once; it is quick when nothing is to do. */
export async function prepareStores(config: Config): Promise<void> {
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 30_000 });
  try {
    await Promise.all([migrate(config.databaseUrl), prepareIndexes(client, config.opensearch.indexPrefix)]);
  } catch (error) {
    // It says what to run.
    throw error instanceof IndexVersionError ? new Problem(error.message) : error;
  } finally {
    await client.close();
  }
}

async function prepareIndexes(client: Client, prefix: string): Promise<void> {
  await prepareListingIndex(client, prefix);
  await writeReference(client, prefix, { cities: CITIES, neighborhoods: NEIGHBORHOODS });
}
