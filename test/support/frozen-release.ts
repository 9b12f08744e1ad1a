import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import type { ListingDisplay } from '#domain/listings/listing.ts';
import type { OpenSearch } from '#search/client.ts';

const FOLDER = join(import.meta.dirname, '..', 'start', 'upgrade');
const OLDEST = '5dcd3f5';

/** Settings for the data of release 5dcd3f5, as documented in the README next to that data. */
export const FROZEN = {
  pepper: 'pepper of the frozen data of 5dcd3f5',
  key: 'svc_live_IE3w9KF2IBT4VrHH8E8CB6bW887f3t2RXEwu',
  organization: 'Frozen',
  units: 4,
  lastMigration: '0006_records_without_statistics.ts',
} as const;

/** Releases whose data `freeze.ts` wrote, with a file of settings. */
export const FROZEN_RELEASES: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== OLDEST)
  .map(({ name }) => name);

/** Returns the settings of the data of a release. */
export async function frozenSettings(release: string): Promise<FrozenSettings> {
  return JSON.parse(await readFile(join(FOLDER, release, 'release.json'), 'utf8'));
}

interface FrozenSettings {
  pepper: string;
  key: string;
  organization: string;
  /** Units charged to the organization. */
  units: number;
}

async function unpack(file: string, release: string): Promise<string> {
  return gunzipSync(await readFile(join(FOLDER, release, `${file}.gz`))).toString('utf8');
}

/** Restores the database of a frozen release into an empty one. */
export async function restoreFrozenDatabase(url: string, release = OLDEST): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(await unpack('database.sql', release));
  } finally {
    await client.end();
  }
}

interface FrozenIndex {
  aliases: Record<string, object>;
  settings: object;
  mappings: object;
}

/** Creates the indexes of a frozen release under the prefix of a client. */
export async function restoreFrozenIndexes(client: OpenSearch, release = OLDEST): Promise<void> {
  const { prefix } = client;
  const indexes = JSON.parse(await unpack('indexes.json', release)) as Record<string, FrozenIndex>;
  for (const [name, { aliases, ...rest }] of Object.entries(indexes)) {
    const prefixed = Object.fromEntries(Object.keys(aliases).map((alias) => [prefix + alias, {}]));
    const body = { ...rest, aliases: prefixed };
    await client.transport.request({ method: 'PUT', path: `/${prefix}${name}`, body }, { requestTimeout: 60_000 });
  }
  const lines = (await unpack('documents.ndjson', release)).replaceAll(
    '{"index":{"_index":"',
    `{"index":{"_index":"${prefix}`,
  );
  const { body } = await client.transport.request(
    { method: 'POST', path: '/_bulk', querystring: { refresh: 'true' }, bulkBody: lines },
    { requestTimeout: 60_000 },
  );
  if ((body as { errors: boolean }).errors) throw new Error('documents were refused');
}

/** Returns the listings of a frozen release as it served them, by id. */
export async function frozenListings(release = OLDEST): Promise<Map<number, ListingDisplay>> {
  const lines = (await unpack('documents.ndjson', release)).trimEnd().split('\n');
  const listings = new Map<number, ListingDisplay>();
  for (const [at, line] of lines.entries()) {
    if (!line.startsWith('{"index":{"_index":"listings-v')) continue;
    const { display } = JSON.parse(lines[at + 1] as string) as { display: ListingDisplay };
    listings.set(display.id, display);
  }
  return listings;
}
