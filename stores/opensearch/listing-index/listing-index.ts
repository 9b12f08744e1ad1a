import type { IndexSize } from '#domain/index-state.ts';
import { LISTING_DOCUMENT_VERSION, OLDEST_READABLE_VERSION } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { shownBits } from '#domain/listings/modified.ts';
import { StoreError } from '#domain/store-error.ts';
import { modifiedBody } from '#queries/listings/search.ts';
import { BulkError, type ListingOp, retrying, sendListings } from '../bulk.ts';
import { indexBehind, type RunRecord, readAliased, readMeta, writeMeta } from '../indexes.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';

export type { ListingOp } from '../bulk.ts';

export type ListingIndex = Awaited<ReturnType<typeof openListingIndex>>;

/** The index is lost and will be rebuilt by a worker. */
const indexMissing = (alias: string): StoreError =>
  new StoreError(
    'opensearch',
    true,
    new Error(`the index ${alias} is missing; a worker fills it again, as does \`npm run reindex\``),
  );

/**
 * Opens the write side of the listings index. Writers hold the ingest lock, so that no fill runs meanwhile.
 * @throws IndexVersionError with the command to run if the index has another document version; StoreError if it is missing
 */
export async function openListingIndex(client: OpenSearch) {
  const alias = client.aliases.listings;

  const check = async (): Promise<void> => {
    const index = await retrying(() => indexBehind(client, alias));
    if (index === null) throw indexMissing(alias);
    checkVersion(index, await retrying(() => readVersion(client, index)));
  };
  await check();

  return {
    alias,
    /** The client is shared with derived indexes. */
    client,

    /**
     * The fastest size is 1,000 to 2,000 operations, with two batches in parallel. Ids must be unique within a batch.
     * @throws BulkError
     */
    bulk: async (ops: readonly ListingOp[]): Promise<void> => {
      try {
        await sendListings(client, alias, ops);
      } catch (error) {
        // The run is retried after a fill if the index was lost.
        if (error instanceof BulkError && error.refused.size === 0) await check();
        throw error;
      }
    },

    /** Records an ingest run before any ids or values of the run are visible. */
    recordRun: (run: RunRecord) => retrying(() => writeMeta(client, alias, { run })),

    /** Makes all previous writes visible to searches on every replica. */
    refresh: () => refreshCopies(client, alias),

    /** No later write may use a value of `filter.modified` up to the watermark. */
    publish: async (watermark: number): Promise<void> => {
      await check();
      await refreshCopies(client, alias);
      await retrying(() => writeMeta(client, alias, { watermark }));
    },

    /** @throws StoreError if it is missing */
    synced: async (): Promise<IndexSize> => {
      await refreshCopies(client, alias);
      const shown = await readAliased(client, 'listings');
      if (shown === null) throw indexMissing(alias);
      return { index: shown.index, documents: shown.documents };
    },
  };
}

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
      : `Index ${index} holds documents of version ${version} of a newer release, but this release writes version ${LISTING_DOCUMENT_VERSION}. Run \`npm run reindex\` of this release, which fills an index from Postgres, then start again; or start the newer release.`,
  );
}

/** An index of another release, which must be filled again before this release can write to it. */
export interface OutdatedIndex {
  index: string;
  version: number;
  /** Whether this release can serve the index meanwhile. */
  readable: boolean;
}

/** Returns null if the index is current or missing. */
export async function findOutdated(client: OpenSearch): Promise<OutdatedIndex | null> {
  const index = await indexBehind(client, client.aliases.listings);
  if (index === null) return null;
  const version = await readVersion(client, index);
  if (version === LISTING_DOCUMENT_VERSION) return null;
  const isEarlier = version < LISTING_DOCUMENT_VERSION;
  return { index, version, readable: isEarlier && version >= OLDEST_READABLE_VERSION };
}

/**
 * The watermark of a listings index, in its `_meta`, in epoch microseconds: every replica shows the published state of
 * all listings whose `filter.modified` is at most this. A replacement index has its own.
 */
export async function readWatermark(client: OpenSearch, index: string): Promise<number | null> {
  return (await readMeta(client, index)).watermark ?? null;
}

const REFRESH_ATTEMPTS = 8;

/**
 * Makes all previous writes visible on every replica. A recovering one is refreshed before it serves searches.
 * @throws StoreError if a replica was not refreshed
 */
async function refreshCopies(client: OpenSearch, index: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { body } = await retrying(() => client.indices.refresh({ index, ignore_unavailable: true }, ADMIN_REQUEST));
    const { failed } = (body as { _shards: { failed: number } })._shards;
    if (failed === 0) return;
    if (attempt === REFRESH_ATTEMPTS)
      throw new StoreError('opensearch', true, new Error(`${failed} copies of ${index} were not refreshed`));
  }
}

/** Returns the values that searches see, and which searches return the listing, by listing id. */
export async function readModified(
  client: OpenSearch,
  index: string,
  ids: readonly number[],
): Promise<Map<number, { modified: number; shown: number }>> {
  const { body } = await client.search({ index, body: modifiedBody(ids) }, ADMIN_REQUEST);
  type Fields = {
    'filter.modified'?: [number];
    'stats.plausible_typed': [boolean];
    'stats.plausible_pooled': [boolean];
  };
  const hits = body.hits.hits as unknown as { _id: string; fields?: Fields }[];
  return new Map(
    hits.flatMap(({ _id, fields }) => {
      const modified = fields?.['filter.modified']?.[0];
      if (fields === undefined || modified === undefined) return [];
      const shown = shownBits(fields['stats.plausible_typed'][0], fields['stats.plausible_pooled'][0]);
      return [[Number(_id), { modified, shown }] as const];
    }),
  );
}

export function sampleListings(client: OpenSearch, index: string, size: number) {
  const random_score = { seed: Date.now(), field: '_seq_no' };
  return searchStored(client, index, { size, query: { function_score: { random_score } } });
}

/** Returns the listings of those ids that the index contains. */
export const readListings = (client: OpenSearch, index: string, ids: readonly number[]) =>
  searchStored(client, index, { size: ids.length, query: { ids: { values: ids.map(String) } } });

async function searchStored(client: OpenSearch, index: string, body: object) {
  type SearchResponse = { hits: { hits: { _id: string; _source: StoredListing }[] } };
  const { hits } = await client.send<SearchResponse>('POST', `/${index}/_search`, { body, ...ADMIN_REQUEST });
  return hits.hits.map(({ _id, _source }) => ({ id: Number(_id), stored: _source }));
}
