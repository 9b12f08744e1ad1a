import type { IndexSize, ServedIndex } from '#domain/index-state.ts';
import { retrying, sendBulk, writeLines } from '../bulk.ts';
import { type Fill, fillIndex } from '../fill.ts';
import { indexBehind, readAliased, updateAliases } from '../indexes.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';
import { templateOf } from '../templates.ts';

/** The indexes other than that of the listings. */
export type DerivedName = Exclude<ServedIndex, 'listings'>;

/** Postgres records about an index. */
export interface Registration {
  /** The index with all changes up to the last run. */
  filled: { index: string } | null;
  recordIntent: Fill['recordIntent'];
}

/** A write to one document. Versions order the writes; a write with an equal version counts as a success. */
export type DerivedOp =
  | { op: 'index'; id: string; listing: number; version: number; json: string }
  | { op: 'delete'; id: string; listing: number; version: number };

/**
 * Applies only the changes if the index was filled before and its template is unchanged; otherwise fills a new one. The
 * caller must hold the lock of its writers.
 * @param write writes all documents, or only the changed ones, and returns their number
 */
export async function syncDerivedIndex(
  client: OpenSearch,
  name: DerivedName,
  { filled, recordIntent }: Registration,
  write: (alias: string, which: 'all' | 'changed') => Promise<number>,
): Promise<IndexSize> {
  const shown = await readAliased(client, name);
  const isCurrent = shown?.digest === templateOf(name).mappings._meta.digest;
  if (shown === null || shown.index !== filled?.index || !isCurrent)
    return fillIndex(client, { name, recordIntent, write: (target) => write(target, 'all') });
  const alias = client.aliases[name];
  await write(alias, 'changed');
  await refreshDerivedIndex(client, alias);
  const written = await readAliased(client, name);
  if (written === null) throw new Error(`${alias} was deleted during a write.`);
  return { index: written.index, documents: written.documents };
}

/** @throws BulkError */
export function writeDerivedIndex(client: OpenSearch, alias: string, ops: readonly DerivedOp[]): Promise<void> {
  const writes = ops.map((op) => ({ id: op.listing, lines: writeLines(op, op.op === 'index' ? op.json : null) }));
  return sendBulk(client, alias, writes);
}

export async function refreshDerivedIndex(client: OpenSearch, alias: string): Promise<void> {
  await client.send('POST', `/${alias}/_refresh`, ADMIN_REQUEST);
}

/** Sets or removes the alias filter, which restricts searches but not writes. */
export async function filterDerivedAlias(client: OpenSearch, name: DerivedName, filter: object | null): Promise<void> {
  const alias = client.aliases[name];
  const index = await indexBehind(client, alias);
  if (index === null) throw new Error(`${alias} is gone`);
  const add = { index, alias, ...(filter === null ? {} : { filter }) };
  await updateAliases(client, [{ add }]);
}

/** Also deletes documents that the alias filter hides. */
export async function deleteFromDerivedIndex(client: OpenSearch, name: DerivedName, query: object): Promise<void> {
  const index = await indexBehind(client, client.aliases[name]);
  if (index === null) return;
  // The query finds recently written documents only after a refresh.
  await refreshDerivedIndex(client, index);
  const deletion = () =>
    client.send('POST', `/${index}/_delete_by_query`, {
      query: { refresh: 'true', conflicts: 'proceed', scroll_size: '5000' },
      body: { query },
      requestTimeout: 600_000,
      maxRetries: 0,
    });
  await retrying(deletion, 3);
}
