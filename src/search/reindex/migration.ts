import type { Client } from '@opensearch-project/opensearch';
import { indexBehind, readAliases } from '../aliases.ts';
import { ADMIN_REQUEST, indexNames } from '../client.ts';
import { markedMapping } from '../indexes.ts';
import { nextAlias, putSettings } from '../listing-index/state.ts';
import { copyWatermark, refreshCopies } from '../listing-index/watermark.ts';
import { newMark, readMeta, writeMeta } from '../meta.ts';
import { createFromTemplate } from '../templates.ts';
import { type Lease, ReindexRunningError } from './lease.ts';

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
export function previousAlias(prefix: string): string {
  return `${indexNames(prefix).listings}-previous`;
}

/**
 * Returns the alias through which the holder of a lease writes to the index that it fills. The alias is unique to the
 * lease, so that a process that has lost the lease cannot write to the next index.
 */
export function fillAlias(prefix: string, lease: Lease): string {
  return `${nextAlias(prefix)}-${lease.token}`;
}

/** A migration and the index that it fills. While the migration is open, all writers also write to this index. */
export interface Migration {
  /** The serving index; null if it was lost. */
  from: string | null;
  to: string;
  /**
   * Completes the index, then moves all aliases in one call.
   * @param keep whether the old index is retained as the previous one
   * @param watermark published in the new index; defaults to the watermark of the old index
   */
  swap(options?: { keep?: boolean; watermark?: number }): Promise<void>;
  /** Ends the migration without moving the alias. @param remove whether `to` is deleted */
  abandon(remove: boolean): Promise<void>;
}

/**
 * Opens a migration into `to`, an existing index that is not used by searches. Every write to the live index that a
 * later scan does not contain is also written to `to`.
 */
export async function openMigration(
  client: Client,
  prefix: string,
  lease: Lease,
  from: string | null,
  to: string,
): Promise<Migration> {
  const { listings } = indexNames(prefix);
  const next = nextAlias(prefix);
  const fill = fillAlias(prefix, lease);
  const normal = await readFillSettings(client, to);
  await putSettings(client, to, FILLING);
  await lease.updateAliases([{ add: { index: to, alias: next } }, { add: { index: to, alias: fill } }]);
  // The record is copied after the alias is added, because later runs write their record to both indexes.
  const run = from === null ? undefined : (await readMeta(client, from)).run;
  if (run !== undefined) await writeMeta(client, to, { run });
  const close = [{ remove: { index: to, alias: next } }, { remove: { index: to, alias: fill } }];

  return {
    from,
    to,
    async swap({ keep = true, watermark } = {}) {
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
      const older = await indexBehind(client, previousAlias(prefix));
      await lease.updateAliases([
        ...(from === null ? [] : [{ remove: { index: from, alias: listings } }]),
        ...(from === null || !keep ? [] : [{ add: { index: from, alias: previousAlias(prefix) } }]),
        ...(older === null ? [] : [{ remove: { index: older, alias: previousAlias(prefix) } }]),
        ...close,
        { add: { index: to, alias: listings } },
      ]);
      await putSettings(client, to, { gc_deletes: null });
    },
    async abandon(remove) {
      if (remove) return lease.updateAliases([{ remove_index: { index: to } }]);
      await lease.updateAliases(close);
      await putSettings(client, to, { ...normal, 'translog.durability': null, gc_deletes: null });
    },
  };
}

/** Deletes the partly filled index of a killed migration, unless searches have used it. @returns the deleted indexes */
export async function clearKilled(client: Client, prefix: string, lease: Lease): Promise<string[]> {
  const left = [...(await readAliases(client, [nextAlias(prefix)]))];
  const previous = await indexBehind(client, previousAlias(prefix));
  const actions = left.flatMap<object>(([index, aliases]) =>
    index === previous ? aliases.map((alias) => ({ remove: { index, alias } })) : [{ remove_index: { index } }],
  );
  if (actions.length > 0) await lease.updateAliases(actions);
  return left.map(([index]) => index).filter((index) => index !== previous);
}

/**
 * Creates the index of the next generation from the template, with an alias by which a later reindex finds the index if
 * this process is killed.
 * @throws ReindexRunningError if another process has just created the index
 */
export async function createGeneration(client: Client, prefix: string, lease: Lease, index: string): Promise<void> {
  const aliases = { [fillAlias(prefix, lease)]: {} };
  const mappings = markedMapping('listings', newMark());
  if (await createFromTemplate(client, prefix, 'listings', index, { aliases, mappings })) return;
  throw new ReindexRunningError(`Another process has just created ${index}. Run this again.`);
}

async function readFillSettings(client: Client, index: string): Promise<FillSettings> {
  const { body } = await client.transport.request({ method: 'GET', path: `/${index}/_settings` });
  const [entry] = Object.values(body as Record<string, { settings: { index: Partial<FillSettings> } }>);
  const {
    refresh_interval = null,
    number_of_replicas = null,
    auto_expand_replicas = null,
  } = entry?.settings.index ?? {};
  // If replicas are expanded automatically, OpenSearch sets their number.
  const automatic = auto_expand_replicas !== null && auto_expand_replicas !== 'false';
  return { refresh_interval, number_of_replicas: automatic ? null : number_of_replicas, auto_expand_replicas };
}
