import { SERVED_INDEXES, type ServedIndex } from '#domain/index-state.ts';
import { deleteIndexes, indexBehind, listGenerations, updateAliases } from '../aliases.ts';
import { type BulkResult, retrying, sendBulk } from '../bulk.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { type AliasedIndex, markedMapping, type RecordNextIndex, readAliased } from '../indexes.ts';
import { ensureMark, newMark } from '../meta.ts';
import { mergeFilled, mergeIndex } from '../segments.ts';
import { createFromTemplate, templateOf } from '../templates.ts';

/** Names of the indexes that are built entirely from Postgres tables. The corresponding aliases are in `OpenSearch.aliases`. */
export type DerivedName = Exclude<ServedIndex, 'listings'>;
const DERIVED = SERVED_INDEXES.filter((name): name is DerivedName => name !== 'listings');

/** Postgres records about an index: which index was filled, and its planned replacement. */
export interface Registration {
  /** The index with all changes up to the last run: its mark, or its uuid if an earlier release filled it. */
  filled: { mark: string | null; uuid: string | null } | null;
  recordNext: RecordNextIndex;
}

/** The index behind an alias, after it was synchronized with the tables. */
export interface SyncedIndex {
  mark: string;
  documents: number;
}

/** A write to one document. Versions order the writes; a write with an equal version counts as a success. */
export type DerivedOp =
  | { op: 'index'; id: string; listing: number; version: number; json: string }
  | { op: 'delete'; id: string; listing: number; version: number };

const nextAlias = (alias: string): string => `${alias}-next`;

/** Aliases that earlier releases used. */
const FORMER_ALIASES: Partial<Record<DerivedName, string>> = { history: 'listing-months' };

/**
 * Ensures that each alias has a searchable index: the index of an earlier release, which serves until the next run
 * fills a new one, or an empty index.
 * @param lost indexes that have contained documents. If one of them is missing, a worker rebuilds it, and no empty
 *   index is created
 */
export async function prepareDerivedIndexes(client: OpenSearch, lost: ReadonlySet<string> = new Set()): Promise<void> {
  await Promise.all(DERIVED.map((name) => prepareDerivedIndex(client, name, lost.has(name))));
}

async function prepareDerivedIndex(client: OpenSearch, name: DerivedName, lost: boolean): Promise<void> {
  const alias = client.aliases[name];
  if ((await indexBehind(client, alias)) !== null) return;
  const former = FORMER_ALIASES[name];
  const index = former === undefined ? null : await indexBehind(client, client.prefix + former);
  if (index !== null) {
    await updateAliases(client, [{ add: { index, alias } }]);
    return;
  }
  if (lost) return;
  const { next } = await listGenerations(client, alias);
  await create(client, name, { index: next, alias });
}

/**
 * Synchronizes an index with its tables. Applies only the changes if the index was filled before and its template is
 * unchanged; otherwise fills a new index, which replaces the old one.
 * @param write writes all documents, or only the changed ones, to an alias and returns the number of written documents
 */
export async function syncDerivedIndex(
  client: OpenSearch,
  name: DerivedName,
  { filled, recordNext }: Registration,
  write: (alias: string, which: 'all' | 'changed') => Promise<number>,
): Promise<SyncedIndex> {
  const index = await readAliased(client, name);
  if (index === null || !isCurrent(index, name) || !isFilled(index, filled))
    return replaceDerivedIndex(client, name, recordNext, (target) => write(target, 'all'));
  const alias = client.aliases[name];
  await write(alias, 'changed');
  await refreshDerivedIndex(client, alias);
  const mark = await ensureMark(client, index.index);
  const written = await readAliased(client, name);
  if (written === null) throw new Error(`${alias} was deleted during a write.`);
  return { mark, documents: written.documents };
}

/** Returns whether an index was created from the current version of its template. */
const isCurrent = ({ digest }: AliasedIndex, name: DerivedName): boolean =>
  digest === templateOf(name).mappings._meta.digest;

const isFilled = ({ mark, uuid }: AliasedIndex, filled: Registration['filled']): boolean =>
  filled !== null && (mark === null ? uuid === filled.uuid : mark === filled.mark);

/**
 * Fills a new index while searches use the old one, then moves the alias and deletes the old index in one call. The
 * caller must hold the lock of the index's writers, so that there is only one writer.
 * @param fill writes all documents to an alias and returns the number of written documents
 * @throws Error if the new index is incomplete; the serving index then remains unchanged
 */
export async function replaceDerivedIndex(
  client: OpenSearch,
  name: DerivedName,
  recordNext: RecordNextIndex,
  fill: (alias: string) => Promise<number>,
): Promise<SyncedIndex> {
  const alias = client.aliases[name];
  const next = nextAlias(alias);
  // The index of an interrupted attempt is deleted, because it may have been created from another template.
  const abandoned = await indexBehind(client, next);
  if (abandoned !== null) await deleteIndexes(client, [abandoned]);
  const { next: index } = await listGenerations(client, alias);
  const mark = await create(client, name, { index, alias: next });
  const written = await fill(next);
  await refreshDerivedIndex(client, next);
  await mergeFilled(client, next);
  type Count = { count: number; _shards: { failed: number } };
  const { count: documents, _shards: shards } = await client.send<Count>('GET', `/${next}/_count`);
  if (shards.failed > 0 || documents !== written)
    throw new Error(`${index} has ${documents} documents instead of ${written} and does not replace the index in use.`);
  await recordNext({ mark, documents });
  const { existing } = await listGenerations(client, alias);
  const served = await indexBehind(client, alias);
  const replaced = new Set(served === null ? existing : [...existing, served]);
  replaced.delete(index);
  await updateAliases(client, [
    { remove: { index, alias: next } },
    { add: { index, alias } },
    ...[...replaced].map((other) => ({ remove_index: { index: other } })),
  ]);
  return { mark, documents };
}

/** Sends writes to an alias until each one is applied or stale. @throws BulkError */
export function writeDerivedIndex(client: OpenSearch, alias: string, ops: readonly DerivedOp[]): Promise<BulkResult> {
  const lines = ops.map((op) => {
    const meta = `{"${op.op}":{"_id":"${op.id}","version":${op.version},"version_type":"external_gte"}}\n`;
    return op.op === 'index' ? `${meta}${op.json}\n` : meta;
  });
  return sendBulk(
    client,
    alias,
    ops.map(({ listing }) => listing),
    lines,
  );
}

/** Makes all previous writes visible to searches. */
export async function refreshDerivedIndex(client: OpenSearch, alias: string): Promise<void> {
  await client.send('POST', `/${alias}/_refresh`, ADMIN_REQUEST);
}

/** Merges an index into one segment and waits for completion. Use this for an index that changes a few times a year. */
export function mergeDerivedIndex(client: OpenSearch, name: DerivedName): Promise<void> {
  return mergeIndex(client, client.aliases[name]);
}

/** Sets or removes the alias filter, which restricts searches but not writes, in one atomic call. */
export async function filterDerivedAlias(client: OpenSearch, name: DerivedName, filter: object | null): Promise<void> {
  const alias = client.aliases[name];
  const index = await indexBehind(client, alias);
  if (index === null) throw new Error(`${alias} is gone`);
  const add = { index, alias, ...(filter === null ? {} : { filter }) };
  await updateAliases(client, [{ add }]);
}

/** Deletes all documents that match a query, including documents that the alias filter hides. */
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

/** Creates an index. @returns the mark of the new index */
async function create(
  client: OpenSearch,
  name: DerivedName,
  { index, alias }: { index: string; alias: string },
): Promise<string> {
  const mark = newMark();
  await createFromTemplate(client, name, index, {
    aliases: { [alias]: {} },
    mappings: markedMapping(name, mark),
  });
  return mark;
}
