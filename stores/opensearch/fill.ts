import type { IndexSize, ServedIndex } from '#domain/index-state.ts';
import { messageOf } from '#domain/message-of.ts';
import { warmListings } from './compile-scripts.ts';
import { BLOCKED_REMEDY, deleteIndexes, fillAlias, generationsOf, indexBehind, updateAliases } from './indexes.ts';
import { ADMIN_REQUEST, type OpenSearch } from './opensearch-client.ts';
import { mergeFilled } from './segments.ts';
import { createFromTemplate, templateOf } from './templates.ts';

export type FillStep = 'prepare' | 'fill' | 'verify' | 'merge' | 'swap';

/** The caller must hold the lock of the index's writers, so that nothing else writes to it. */
export interface Fill {
  name: ServedIndex;
  /** @returns number of documents that the index must then contain */
  write(target: string): Promise<number>;
  /** Records the index before the alias moves to it. Throws if the lock was lost. */
  recordIntent(next: IndexSize, current: string | null): Promise<void>;
  /** Checks the index, and adds to `_meta` what readers need. */
  complete?(index: string): Promise<void>;
  /** Called last before the alias moves. If it throws, the new index is deleted. */
  review?(indexes: { from: string | null; to: string }): Promise<void>;
  /** An existing index to bring up to date. Defaults to a new one. */
  into?: string;
  /** Indexes that a rollback needs: the previous one, and the one that is replaced. */
  keep?: readonly (string | null)[];
  /** Alias of the replaced index, for comparisons. */
  previousAlias?: string;
  onStep?(step: FillStep): void;
}

/** Settings of an index that searches do not use yet. */
const FILLING = {
  refresh_interval: '-1',
  auto_expand_replicas: false,
  number_of_replicas: 0,
  'translog.durability': 'async',
} as const;

/**
 * Fills an index while searches use the old one, compares the number of documents, and moves the alias. A failure
 * leaves the serving index unchanged. The next fill deletes the index of an interrupted one.
 */
export async function fillIndex(client: OpenSearch, fill: Fill): Promise<IndexSize> {
  const { name, into, previousAlias: previous, keep = [], onStep = () => {} } = fill;
  onStep('prepare');
  const alias = client.aliases[name];
  const from = await indexBehind(client, alias);
  await deleteOthers(client, name, [from, into, ...keep]);
  await checkDisk(client, from);
  const index = into ?? `${alias}-${timestampNow()}`;
  // The alias is deleted with the index, so that a process that lost the lock cannot write to the index of the next
  // fill.
  const target = fillAlias(index);
  if (into === undefined) await createFromTemplate(client, name, index, { aliases: { [target]: {} } });
  else await updateAliases(client, [{ add: { index, alias: target } }]);
  try {
    await putSettings(client, index, FILLING);
    onStep('fill');
    const expected = await fill.write(target);
    onStep('verify');
    await client.indices.refresh({ index }, ADMIN_REQUEST);
    const { count: documents, _shards: shards } = (await client.count({ index }, ADMIN_REQUEST)).body;
    if (documents !== expected || shards.failed > 0)
      throw new Error(
        `${index} has ${documents} documents instead of ${expected} and does not replace the index in use.`,
      );
    await fill.complete?.(index);
    onStep('merge');
    await mergeFilled(client, index);
    await serveSettings(client, name, index);
    if (name === 'listings') await warmListings(client, index);
    await fill.review?.({ from, to: index });
    onStep('swap');
    await fill.recordIntent({ index, documents }, from);
    await updateAliases(client, [
      ...(from === null || from === index ? [] : [{ remove: { index: from, alias } }]),
      { add: { index, alias } },
      { remove: { index, alias: target } },
      ...(previous && into ? [{ remove: { index: into, alias: previous, must_exist: false } }] : []),
      ...(previous && from ? [{ add: { index: from, alias: previous } }] : []),
    ]);
    await deleteOthers(client, name, [index, ...keep]);
    return { index, documents };
  } catch (error) {
    await abandon(client, { alias, index, target, isNew: into === undefined }).catch(() => {});
    throw isBlock(error) ? new Error(`${index} not filled. ${BLOCKED_REMEDY}`, { cause: error }) : error;
  }
}

/** Returns whether the engine refused a write because of a block, which a bulk write reports in its message. */
const isBlock = (error: unknown): boolean => /cluster_block_exception|blocked by: \[/.test(messageOf(error));

/**
 * The caller must hold the lock of the writers of the index.
 * @returns its name
 */
export async function createEmptyIndex(
  client: OpenSearch,
  name: ServedIndex,
  recordIntent: (next: IndexSize) => Promise<void>,
): Promise<string> {
  const alias = client.aliases[name];
  const index = `${alias}-${timestampNow()}`;
  await recordIntent({ index, documents: 0 });
  const meta = name === 'listings' ? { watermark: 0 } : {};
  await createFromTemplate(client, name, index, { aliases: { [alias]: {} }, meta });
  return index;
}

export async function deleteOthers(
  client: OpenSearch,
  name: ServedIndex,
  kept: readonly (string | null | undefined)[],
): Promise<void> {
  const all = await generationsOf(client, client.aliases[name]);
  await deleteIndexes(
    client,
    all.filter((index) => !kept.includes(index)),
  );
}

/** Deletes the new index, or only the alias of the fill, unless searches use the index. */
async function abandon(
  client: OpenSearch,
  { alias, index, target, isNew }: { alias: string; index: string; target: string; isNew: boolean },
): Promise<void> {
  if ((await indexBehind(client, alias)) === index) return;
  if (isNew) await deleteIndexes(client, [index]);
  else await updateAliases(client, [{ remove: { index, alias: target } }]);
}

/** Returns digits that order names of indexes: 20260309t051500123. */
const timestampNow = (): string =>
  new Date()
    .toISOString()
    .toLowerCase()
    .replaceAll(/[-:.z]/g, '');

/** Restores the settings of the template, and waits until the index is on disk and can serve searches. */
async function serveSettings(client: OpenSearch, name: ServedIndex, index: string): Promise<void> {
  const { refresh_interval } = templateOf(name).settings.index;
  await putSettings(client, index, {
    refresh_interval,
    auto_expand_replicas: client.replicas,
    'translog.durability': null,
  });
  await client.indices.flush({ index, wait_if_ongoing: true }, ADMIN_REQUEST);
  await client.indices.refresh({ index }, ADMIN_REQUEST);
  await client.cluster.health({ index, wait_for_status: 'yellow', timeout: '30s' }, { requestTimeout: 40_000 });
}

/** Changes index settings. A null value restores the default. */
async function putSettings(client: OpenSearch, index: string, settings: object): Promise<void> {
  await client.send('PUT', `/${index}/_settings`, { body: { index: settings }, ...ADMIN_REQUEST });
}

/** Bytes that the disks of OpenSearch have, and that another copy of an index and its merge need. */
export async function readDisk(client: OpenSearch, index: string): Promise<{ free: number; needed: number }> {
  type Nodes = { nodes: Record<string, { fs?: { total?: { available_in_bytes?: number } } }> };
  type Sizes = { _all: { total: { store: { size_in_bytes: number } } } };
  const [{ nodes }, { _all: sizes }] = await Promise.all([
    client.send<Nodes>('GET', '/_nodes/stats/fs'),
    client.send<Sizes>('GET', `/${index}/_stats/store`),
  ]);
  const free = Object.values(nodes).reduce((sum, { fs }) => sum + (fs?.total?.available_in_bytes ?? 0), 0);
  return { free, needed: 2 * sizes.total.store.size_in_bytes };
}

/** @throws Error if the disks cannot hold another copy of an index and its merge */
async function checkDisk(client: OpenSearch, index: string | null): Promise<void> {
  if (index === null) return;
  const { free, needed } = await readDisk(client, index);
  if (free < needed)
    throw new Error(
      `OpenSearch has ${megabytes(free)} MB of free disk, and a new index with its merge needs ${megabytes(needed)} MB. Free disk space, or add a node.`,
    );
}

export const megabytes = (bytes: number): number => Math.ceil(bytes / 1e6);
