import { deleteIndexes, indexBehind, listGenerations, readAliases } from '../aliases.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../client.ts';
import { markedMapping } from '../indexes.ts';
import { nextAlias, putSettings, readState } from '../listing-index/state.ts';
import { copyWatermark, refreshCopies } from '../listing-index/watermark.ts';
import { newMark, readMeta, writeMeta } from '../meta.ts';
import { createFromTemplate } from '../templates.ts';
import { type Lease, LeaseLostError, ReindexRunningError } from './lease.ts';

/** Settings that are changed while an index is being filled. */
interface FillSettings {
  refresh_interval: string | null;
  number_of_replicas: string | null;
  auto_expand_replicas: string | null;
}

const FILLING = {
  refresh_interval: '-1',
  number_of_replicas: 0,
  auto_expand_replicas: false,
  'translog.durability': 'async',
  // Delete tombstones must be retained until the scan ends, because the scan may still return an older version of a
  // deleted document.
  gc_deletes: '24h',
} as const;

/** Returns the alias of the previous index, which `rollback` restores. */
export function previousAlias({ aliases }: OpenSearch): string {
  return `${aliases.listings}-previous`;
}

/**
 * Returns the alias through which the holder of a lease writes to the index that it fills. The alias is unique to the
 * lease, so that a process that has lost the lease cannot write to the next index.
 */
function fillAlias(client: OpenSearch, lease: Lease): string {
  return `${nextAlias(client)}-${lease.token}`;
}

/** A migration of the listings to another index, which all writers also write to meanwhile. */
export interface Migration {
  /** The serving index; null if it was lost. */
  from: string | null;
  /** An existing index that searches do not use. If omitted, one is created, and deleted if the migration fails. */
  to?: string;
}

/** Work of a migration. */
export interface Filling {
  to: string;
  /** Alias of the index that is being filled, for writes by the holder of the lease. */
  target: string;
  /**
   * Completes the index, then moves all aliases in one call. A new index replaces earlier generations, which are
   * deleted.
   * @param keep whether the old index is retained as the previous one
   * @param watermark published in the new index; defaults to the watermark of the old index
   * @returns the deleted indexes
   */
  swap(options?: { keep?: boolean; watermark?: number }): Promise<string[]>;
}

/**
 * Runs a migration. Every write to the live index that a later scan does not contain is also written to `to`. If `work`
 * fails, the old index continues to serve, or the new one if the swap was completed. An index is deleted only if
 * searches do not use it.
 */
export async function withMigration<T>(
  client: OpenSearch,
  lease: Lease,
  { from, to: given }: Migration,
  work: (filling: Filling) => Promise<T>,
): Promise<T> {
  const { listings } = client.aliases;
  const target = fillAlias(client, lease);
  const { existing, next } = await listGenerations(client, listings);
  const to = given ?? next;
  if (given === undefined) await createGeneration(client, to, target);
  const normal = await readFillSettings(client, to);
  await putSettings(client, to, FILLING);
  const aliases = [nextAlias(client), target];
  await lease.updateAliases(aliases.map((alias) => ({ add: { index: to, alias } })));
  // The record is copied after the alias is added, because later runs write their record to both indexes.
  const run = from === null ? undefined : (await readMeta(client, from)).run;
  if (run !== undefined) await writeMeta(client, to, { run });
  const close = aliases.map((alias) => ({ remove: { index: to, alias } }));

  const swap: Filling['swap'] = async ({ keep = true, watermark } = {}) => {
    await lease.check();
    await putSettings(client, to, { ...normal, 'translog.durability': null });
    // Documents written with an asynchronous translog are flushed to disk before the index serves searches.
    await client.indices.flush({ index: to, wait_if_ongoing: true }, ADMIN_REQUEST);
    await client.indices.refresh({ index: to }, ADMIN_REQUEST);
    await client.cluster.health({ index: to, wait_for_status: 'yellow', timeout: '30s' }, { requestTimeout: 40_000 });
    if (watermark !== undefined) {
      await refreshCopies(client, to);
      await writeMeta(client, to, { watermark });
    } else if (from !== null) await copyWatermark(client, from, to);
    const previous = previousAlias(client);
    const replaced = await indexBehind(client, previous);
    await lease.updateAliases([
      ...(from === null ? [] : [{ remove: { index: from, alias: listings } }]),
      ...(from === null || !keep ? [] : [{ add: { index: from, alias: previous } }]),
      ...(replaced === null ? [] : [{ remove: { index: replaced, alias: previous } }]),
      ...close,
      { add: { index: to, alias: listings } },
    ]);
    await putSettings(client, to, { gc_deletes: null });
    const older = given === undefined ? existing.filter((index) => !(keep && index === from)) : [];
    await deleteIndexes(client, older);
    return older;
  };
  const abandon = async (): Promise<void> => {
    if (given === undefined) return lease.updateAliases([{ remove_index: { index: to } }]);
    await lease.updateAliases(close);
    await putSettings(client, to, { ...normal, 'translog.durability': null, gc_deletes: null });
  };
  try {
    return await work({ to, target, swap });
  } catch (error) {
    const now = await readState(client).catch(() => null);
    // If another process has taken over the lease, that error is thrown instead of the original one.
    const last = now?.live === from ? abandon() : lease.check();
    const fault = await last.catch((failed: unknown) => failed);
    throw fault instanceof LeaseLostError ? fault : error;
  }
}

/** Deletes the partly filled index of a killed migration, unless searches have used it. @returns the deleted indexes */
export async function clearKilled(client: OpenSearch, lease: Lease): Promise<string[]> {
  const left = [...(await readAliases(client, [nextAlias(client)]))];
  const previous = await indexBehind(client, previousAlias(client));
  const actions = left.flatMap<object>(([index, aliases]) =>
    index === previous ? aliases.map((alias) => ({ remove: { index, alias } })) : [{ remove_index: { index } }],
  );
  if (actions.length > 0) await lease.updateAliases(actions);
  return left.map(([index]) => index).filter((index) => index !== previous);
}

/**
 * Creates an index from the template, with an alias by which a later reindex finds the index if this process is killed.
 * @throws ReindexRunningError if another process has just created the index
 */
async function createGeneration(client: OpenSearch, index: string, alias: string): Promise<void> {
  const aliases = { [alias]: {} };
  const mappings = markedMapping('listings', newMark());
  if (await createFromTemplate(client, 'listings', index, { aliases, mappings })) return;
  throw new ReindexRunningError(`Another process has just created ${index}. Run this again.`);
}

async function readFillSettings(client: OpenSearch, index: string): Promise<FillSettings> {
  type Answer = Record<string, { settings: { index: Partial<FillSettings> } }>;
  const [entry] = Object.values(await client.send<Answer>('GET', `/${index}/_settings`));
  const {
    refresh_interval = null,
    number_of_replicas = null,
    auto_expand_replicas = null,
  } = entry?.settings.index ?? {};
  // If replicas are expanded automatically, OpenSearch sets their number.
  const automatic = auto_expand_replicas !== null && auto_expand_replicas !== 'false';
  return { refresh_interval, number_of_replicas: automatic ? null : number_of_replicas, auto_expand_replicas };
}
