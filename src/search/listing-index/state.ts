import { LISTING_DOCUMENT_VERSION, OLDEST_READABLE_VERSION } from '#domain/listings/document.ts';
import { readAliases } from '../aliases.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { readMeta, writeMeta } from '../meta.ts';

/** Names of the serving index and of the index that a migration is filling; null if there is none. */
export interface IndexState {
  live: string | null;
  next: string | null;
}

/** Returns the alias that exists only during a migration. All writes also go to the index behind it. */
export function nextAlias({ aliases }: OpenSearch): string {
  return `${aliases.listings}-next`;
}

/** Reads both aliases in one request, so that they are consistent. */
export async function readState(client: OpenSearch): Promise<IndexState> {
  const { listings } = client.aliases;
  const state: IndexState = { live: null, next: null };
  for (const [index, aliases] of await readAliases(client, [listings], { requestTimeout: 5_000 })) {
    if (aliases.includes(listings)) state.live = index;
    if (aliases.includes(nextAlias(client))) state.next = index;
  }
  return state;
}

/** Changes `_meta` entries of the serving index, and of one that a migration fills or begins to fill meanwhile. */
export async function writeListingMeta(client: OpenSearch, entries: object): Promise<void> {
  for (let written = ''; ; ) {
    const { live, next } = await readState(client);
    const present = `${live} ${next}`;
    if (present === written) return;
    for (const index of [live, next]) if (index !== null) await writeMeta(client, index, entries);
    written = present;
  }
}

/** Returns the `LISTING_DOCUMENT_VERSION` of the release that created an index. */
export async function readVersion(client: OpenSearch, index: string): Promise<number> {
  return (await readMeta(client, index)).version ?? 0;
}

/** The document version of an index differs from the version that this release writes. */
export class IndexVersionError extends Error {
  override name = 'IndexVersionError';
}

/** @throws IndexVersionError with the command to run, unless this release writes the version of the index */
export function checkVersion(index: string, version: number): void {
  if (version === LISTING_DOCUMENT_VERSION) return;
  throw new IndexVersionError(
    version < LISTING_DOCUMENT_VERSION
      ? `Index ${index} holds documents of version ${version}, but this release writes version ${LISTING_DOCUMENT_VERSION}. Run \`npm run reindex\`, then start again.`
      : `Index ${index} holds documents of version ${version}, but this release knows versions up to ${LISTING_DOCUMENT_VERSION}. Start the newer release, or return to the previous index with \`npm run reindex -- rollback\`.`,
  );
}

/** A live listings index that an earlier release created. It must be reindexed before this release can write to it. */
export interface OutdatedIndex {
  index: string;
  version: number;
  /** Whether this release can serve the index before it is reindexed. */
  readable: boolean;
}

/**
 * Returns the live index if an earlier release created it; null if the index is current or missing.
 * @throws IndexVersionError if a newer release created the index
 */
export async function findOutdated(client: OpenSearch): Promise<OutdatedIndex | null> {
  const { live: index } = await readState(client);
  if (index === null) return null;
  const version = await readVersion(client, index);
  if (version < LISTING_DOCUMENT_VERSION) return { index, version, readable: version >= OLDEST_READABLE_VERSION };
  checkVersion(index, version);
  return null;
}

/** Changes index settings. A null value restores the default. */
export async function putSettings(
  client: OpenSearch,
  index: string,
  settings: object,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  await client.send('PUT', `/${index}/_settings`, { query, body: { index: settings }, ...ADMIN_REQUEST });
}
