import type { Config } from '../config.ts';
import { CITIES, NEIGHBORHOODS } from '../geography/gazetteer.ts';
import { prepareListingIndex } from '../stores/listing-index/index.ts';
import { migrate } from '../stores/migrate.ts';
import { createOpenSearch } from '../stores/opensearch.ts';
import { writeReference } from '../stores/reference-index/index.ts';

/** Brings both stores to what this code works on. Safe from several processes at once, and quick when all is done. */
export async function prepareStores(config: Config): Promise<void> {
  await migrate(config.databaseUrl);
  const client = createOpenSearch({ url: config.opensearch.url, requestTimeout: 30_000 });
  try {
    await prepareListingIndex(client, config.opensearch.indexPrefix);
    await writeReference(client, config.opensearch.indexPrefix, { cities: CITIES, neighborhoods: NEIGHBORHOODS });
  } finally {
    await client.close();
  }
}
