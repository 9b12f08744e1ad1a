import { LISTING_DOCUMENT_VERSION, OLDEST_READABLE_VERSION } from '#domain/listings/document.ts';
import { indexBehind } from '../aliases.ts';
import type { OpenSearch } from '../client.ts';
import { readMeta } from '../meta.ts';

export async function readVersion(client: OpenSearch, index: string): Promise<number> {
  return (await readMeta(client, index)).version ?? 0;
}

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

/** An index that an earlier release created. It must be filled again before this release can write to it. */
export interface OutdatedIndex {
  index: string;
  version: number;
  /** Whether this release can serve the index meanwhile. */
  readable: boolean;
}

/**
 * Returns the live index if an earlier release created it; null if the index is current or missing.
 * @throws IndexVersionError if a newer release created the index
 */
export async function findOutdated(client: OpenSearch): Promise<OutdatedIndex | null> {
  const index = await indexBehind(client, client.aliases.listings);
  if (index === null) return null;
  const version = await readVersion(client, index);
  if (version < LISTING_DOCUMENT_VERSION) return { index, version, readable: version >= OLDEST_READABLE_VERSION };
  checkVersion(index, version);
  return null;
}
