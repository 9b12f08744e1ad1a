import { CITIES, NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { Problem } from '#embedded/problem.ts';
import { migrate } from '#postgres/migrate.ts';
import { createOpenSearch } from '#search/client.ts';
import { IndexVersionError, prepareListingIndex } from '#search/listing-index/index.ts';
import { writeReference } from '#search/reference-index/index.ts';
import type { Config } from '#src/config.ts';

/** Migrates Postgres and prepares the indexes. Several processes may call it at once; it is quick when nothing is to do. */
export async function prepareStores(config: Config): Promise<void> {
  await migrate(config.databaseUrl);
  const client = createOpenSearch({ urls: config.opensearch.urls, requestTimeout: 30_000 });
  try {
    await prepareListingIndex(client, config.opensearch.indexPrefix);
    await writeReference(client, config.opensearch.indexPrefix, { cities: CITIES, neighborhoods: NEIGHBORHOODS });
  } catch (error) {
    // It says what to run.
    throw error instanceof IndexVersionError ? new Problem(error.message) : error;
  } finally {
    await client.close();
  }
}
