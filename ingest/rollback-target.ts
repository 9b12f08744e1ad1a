import type pg from 'pg';
import { LISTING_DOCUMENT_VERSION } from '#domain/listings/document.ts';
import { type IndexMeta, indexBehind, readGenerations } from '#stores/opensearch/indexes.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { readPrevious } from '#stores/postgres/index-registry.ts';

/**
 * The previous index, unless another release wrote it and the last one of this release remains, which further fills of
 * the other release keep.
 */
export async function rollbackTarget(pool: pg.Pool, client: OpenSearch) {
  const generations = await readGenerations(client, client.aliases.listings);
  const last = await readPrevious(pool, 'listings');
  const serving = await indexBehind(client, client.aliases.listings);
  const previous = generations.find(({ index }) => index === last?.index);
  const isOwn = ({ meta }: { meta: IndexMeta }): boolean => meta.version === LISTING_DOCUMENT_VERSION;
  if (previous === undefined || last === null || !isOwn(previous)) {
    const own = generations.findLast((each) => each.index !== serving && isOwn(each));
    // The last run that wrote to it may not have written everything.
    if (own?.meta.run) return { index: own.index, version: own.meta.version ?? 0, run: own.meta.run.ids.run - 1 };
  }
  return previous && last ? { index: previous.index, version: previous.meta.version ?? 0, run: last.run } : null;
}
