import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { generationName, type IndexState, nextAlias, putSettings, readState } from '../listing-index/state.ts';

/** The settings that change while an index is filled. */
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
  // A delete must be kept until the scan is over: the scan may still return an older version of its document.
  gc_deletes: '24h',
} as const;

/** The alias of the index that served before, to which `rollback` returns. */
export function previousAlias(prefix: string): string {
  return `${indexNames(prefix).listings}-previous`;
}

/** Another process runs a reindex or rollback. */
export class ReindexRunningError extends Error {
  override name = 'ReindexRunningError';
}

/**
 * A migration from one index into another. Meanwhile every writer writes to both. A heartbeat in `_meta` of the new index
 * shows that the process is alive.
 */
export interface Migration {
  from: string;
  to: string;
  /** Ends the filling and moves the alias, in one call. The old index stays as the previous one. */
  swap(): Promise<void>;
  /** Ends the migration without moving the alias. @param remove whether `to` is deleted */
  abandon(remove: boolean): Promise<void>;
}

const HEARTBEAT_INTERVAL = 2_000;

/**
 * Opens a migration into `to`, an existing index that nothing reads. Every write to the live index that is not in a scan
 * opened after this returns is written to `to` as well.
 */
export async function openMigration(client: Client, prefix: string, from: string, to: string): Promise<Migration> {
  const { listings } = indexNames(prefix);
  const next = nextAlias(prefix);
  const normal = await readFillSettings(client, to);
  await putSettings(client, to, FILLING);
  await updateAliases(client, [{ add: { index: to, alias: next } }]);
  const { body: holders } = await client.transport.request({ method: 'GET', path: `/_alias/${next}` });
  if (Object.keys(holders as object).length > 1) {
    // Nobody can write to an alias of two indexes, so the second migration withdraws.
    await updateAliases(client, [{ remove: { index: to, alias: next } }]);
    throw new ReindexRunningError('Another reindex or rollback has just begun.');
  }
  const meta = await rawMeta(client, to);
  let beat = Date.now();
  const heartbeats = setInterval(() => {
    beat += 1;
    // A missed heartbeat does no harm: the next one follows.
    putMeta(client, to, { ...meta, beat }).catch(() => {});
  }, HEARTBEAT_INTERVAL);
  heartbeats.unref();

  const endFilling = async (): Promise<void> => {
    clearInterval(heartbeats);
    await putMeta(client, to, { ...meta, beat: null });
  };

  return {
    from,
    to,
    async swap() {
      await putSettings(client, to, { ...normal, 'translog.durability': null });
      // What was written without waiting for the disk is on disk before the index serves.
      await client.indices.flush({ index: to, wait_if_ongoing: true }, { requestTimeout: 120_000 });
      await client.indices.refresh({ index: to }, { requestTimeout: 120_000 });
      await client.cluster.health({ index: to, wait_for_status: 'yellow', timeout: '30s' }, { requestTimeout: 40_000 });
      const older = await indexOf(client, previousAlias(prefix));
      await updateAliases(client, [
        ...(older === null ? [] : [{ remove: { index: older, alias: previousAlias(prefix) } }]),
        { remove: { index: from, alias: listings } },
        { add: { index: from, alias: previousAlias(prefix) } },
        { remove: { index: to, alias: next } },
        { add: { index: to, alias: listings } },
      ]);
      await endFilling();
      await putSettings(client, to, { gc_deletes: null });
    },
    async abandon(remove) {
      clearInterval(heartbeats);
      await updateAliases(client, [{ remove: { index: to, alias: next } }]);
      if (remove) await deleteIndex(client, to);
      else {
        await putSettings(client, to, { ...normal, 'translog.durability': null, gc_deletes: null });
        await endFilling();
      }
    },
  };
}

/**
 * Cleans up after a migration that was killed: its half-filled index is deleted, unless it served before.
 * @returns the deleted index
 * @throws ReindexRunningError when the migration is alive
 */
export async function clearKilled(client: Client, prefix: string, state: IndexState): Promise<string | null> {
  if (state.next === null) return null;
  const before = (await rawMeta(client, state.next)).beat;
  await sleep(HEARTBEAT_INTERVAL * 2.5);
  const now = await readState(client, prefix);
  if (now.next !== state.next)
    throw new ReindexRunningError('Another reindex is running; it has just changed the aliases.');
  if ((await rawMeta(client, state.next)).beat !== before) {
    throw new ReindexRunningError(`Another reindex is running: it is filling ${state.next}.`);
  }
  if ((await indexOf(client, previousAlias(prefix))) === state.next) {
    await updateAliases(client, [{ remove: { index: state.next, alias: nextAlias(prefix) } }]);
    return null;
  }
  await deleteIndex(client, state.next);
  return state.next;
}

/**
 * Creates the index of a generation from the template, with the alias that tells writers and other processes of the
 * migration. @throws ReindexRunningError when another process has just created it
 */
export async function createGeneration(client: Client, prefix: string, generation: number): Promise<string> {
  const index = generationName(prefix, generation);
  try {
    await client.transport.request(
      { method: 'PUT', path: `/${index}`, body: { aliases: { [nextAlias(prefix)]: {} } } },
      { requestTimeout: 30_000 },
    );
  } catch (error) {
    if (!String(error).includes('resource_already_exists_exception')) throw error;
    throw new ReindexRunningError(`Another reindex is running: it has just created ${index}.`);
  }
  return index;
}

/** The index behind an alias; null when there is none. */
export async function indexOf(client: Client, alias: string): Promise<string | null> {
  // A wildcard, because a request for a missing alias fails.
  const { body } = await client.transport.request({ method: 'GET', path: `/_alias/${alias}*` });
  for (const [index, { aliases }] of Object.entries(body as Record<string, { aliases: object }>)) {
    if (alias in aliases) return index;
  }
  return null;
}

export async function deleteIndex(client: Client, index: string): Promise<void> {
  await client.transport.request(
    { method: 'DELETE', path: `/${index}`, querystring: { ignore_unavailable: 'true' } },
    { requestTimeout: 30_000 },
  );
}

async function updateAliases(client: Client, actions: object[]): Promise<void> {
  await client.transport.request({ method: 'POST', path: '/_aliases', body: { actions } }, { requestTimeout: 30_000 });
}

async function readFillSettings(client: Client, index: string): Promise<FillSettings> {
  const { body } = await client.transport.request({ method: 'GET', path: `/${index}/_settings` });
  const [entry] = Object.values(body as Record<string, { settings: { index: Partial<FillSettings> } }>);
  const {
    refresh_interval = null,
    number_of_replicas = null,
    auto_expand_replicas = null,
  } = entry?.settings.index ?? {};
  // With automatic replicas, OpenSearch sets the number.
  const automatic = auto_expand_replicas !== null && auto_expand_replicas !== 'false';
  return { refresh_interval, number_of_replicas: automatic ? null : number_of_replicas, auto_expand_replicas };
}

type Meta = Record<string, unknown> & { beat?: number | null };

async function rawMeta(client: Client, index: string): Promise<Meta> {
  const { body } = await client.transport.request({
    method: 'GET',
    path: `/${index}/_mapping`,
    querystring: { filter_path: '*.mappings._meta' },
  });
  const [entry] = Object.values(body as Record<string, { mappings: { _meta?: Meta } }>);
  return entry?.mappings._meta ?? {};
}

async function putMeta(client: Client, index: string, meta: Meta): Promise<void> {
  await client.transport.request({ method: 'PUT', path: `/${index}/_mapping`, body: { _meta: meta } });
}
