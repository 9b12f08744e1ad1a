import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@opensearch-project/opensearch';
import { indexNames } from '../client.ts';
import { generationName, type IndexState, nextAlias, putSettings, readState } from '../listing-index/state.ts';

/** Settings of an index while it is filled, and those it had. */
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
  // A delete must be remembered until the scan is over: its listing may still come out of the scan, older than it.
  gc_deletes: '24h',
} as const;

/** The alias on the index that served before, which `rollback` goes back to. */
export function previousAlias(prefix: string): string {
  return `${indexNames(prefix).listings}-previous`;
}

/** Another process is at it. */
export class ReindexRunningError extends Error {
  override name = 'ReindexRunningError';
}

/**
 * The index a migration fills. While it is open, every writer writes to it too; a beat in its `_meta` shows that the
 * migration lives.
 */
export interface Migration {
  from: string;
  to: string;
  /** Ends the filling and hands the alias over in one call, keeping the old index as the previous one. */
  swap(): Promise<void>;
  /** Stops writers from writing to `to`, which stays behind or is deleted. */
  abandon(remove: boolean): Promise<void>;
}

const BEAT_EVERY = 2_000;

/**
 * Opens a migration into `to`, an existing index that nothing reads. From the moment this returns, whatever is written
 * to the live index is written to `to` as well, or was there before a scan that is opened now.
 */
export async function openMigration(client: Client, prefix: string, from: string, to: string): Promise<Migration> {
  const { listings } = indexNames(prefix);
  const next = nextAlias(prefix);
  const normal = await readFillSettings(client, to);
  await putSettings(client, to, FILLING);
  await updateAliases(client, [{ add: { index: to, alias: next } }]);
  const { body: holders } = await client.transport.request({ method: 'GET', path: `/_alias/${next}` });
  if (Object.keys(holders as object).length > 1) {
    // Writers cannot write to an alias of two indexes, so who came second steps back.
    await updateAliases(client, [{ remove: { index: to, alias: next } }]);
    throw new ReindexRunningError('Another reindex or rollback has just begun.');
  }
  const meta = await rawMeta(client, to);
  let beat = Date.now();
  const beating = setInterval(() => {
    beat += 1;
    // A missed beat does no harm; the next one follows.
    putMeta(client, to, { ...meta, beat }).catch(() => {});
  }, BEAT_EVERY);
  beating.unref();

  const endFilling = async (): Promise<void> => {
    clearInterval(beating);
    await putMeta(client, to, { ...meta, beat: null });
  };

  return {
    from,
    to,
    async swap() {
      await putSettings(client, to, { ...normal, 'translog.durability': null });
      // What was written without waiting for the disk is there before anything relies on it.
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
      clearInterval(beating);
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
 * Clears away what a migration that was killed left behind: its index is half full, so it goes, unless it is one that
 * served before. @throws ReindexRunningError when the migration turns out to be alive
 */
export async function clearKilled(client: Client, prefix: string, state: IndexState): Promise<string | null> {
  if (state.next === null) return null;
  const before = (await rawMeta(client, state.next)).beat;
  await sleep(BEAT_EVERY * 2.5);
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
 * Creates the index of a generation from the template, with the alias by which writers and other runs see that a
 * migration is under way. @throws ReindexRunningError when another process has just created it
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

/** The index an alias stands for, or null. */
export async function indexOf(client: Client, alias: string): Promise<string | null> {
  // The wildcard keeps a missing alias from being an error.
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
  // With automatic replicas the number is the engine's to set.
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
