import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '#test/eventually.ts';
import type { Fault, Stage } from './fault.ts';

/** Milliseconds within which a worker must rebuild a lost index, and OpenSearch must start, on busy machines. */
const REBUILD_LIMIT = 60_000;
const START_LIMIT = 240_000;
const CHECK_MS = 250;
/**
 * Time in milliseconds after a restore during which every call must succeed. In this time, the index guard checks the
 * indexes ten times and counts documents twice.
 */
const OBSERVED = 25_000;
const DERIVED = ['history', 'deals', 'transactions', 'projects', 'developers', 'webhooks'];
const SEARCH = '/v1/listings?city=riyadh&listing_type=sale';

/** Sends a request directly to OpenSearch. @throws Error if the status is not 2xx */
async function onOpenSearch(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${process.env.OPENSEARCH_URL}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  return response.json();
}

/** Returns the name of the index of an alias. OpenSearch refuses to delete indexes by alias or wildcard. */
async function indexBehind(alias: string): Promise<string | undefined> {
  const found = (await onOpenSearch('GET', `/_alias/${alias}*`)) as Record<string, { aliases: object }>;
  return Object.keys(found).find((index) => alias in (found[index]?.aliases ?? {}));
}

/** Returns the status of an authenticated GET request. */
export async function statusOf(url: string, key: string): Promise<number> {
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(15_000),
  });
  await response.arrayBuffer();
  return response.status;
}

const statuses = ({ main, second, key }: Stage, path: string) =>
  Promise.all([main, second].map(({ url }) => statusOf(url + path, key)));

/** Waits until counts of listings first fail with 503 and then, within a limit, succeed on every node. */
async function lostAndRebuilt(stage: Stage, limit = REBUILD_LIMIT): Promise<void> {
  const path = SEARCH.replace('?', '/count?');
  await eventually(async () => (await statuses(stage, path)).includes(503), REBUILD_LIMIT, CHECK_MS);
  await eventually(async () => (await statuses(stage, path)).every((status) => status === 200), limit, CHECK_MS);
}

/** Faults of indexes, by name. */
export const INDEX_FAULTS: Readonly<Record<string, Fault>> = {
  'lost-derived': {
    title: 'every derived index is deleted',
    async happen(stage) {
      const failures: number[] = [];
      for (const name of DERIVED) {
        await onOpenSearch('DELETE', `/${await indexBehind(name)}`);
        const isRebuilt = async () => {
          // Requests that do not read the lost index must succeed.
          failures.push(...(await statuses(stage, SEARCH)).filter((status) => status !== 200));
          return (await indexBehind(name)) !== undefined;
        };
        await eventually(isRebuilt, REBUILD_LIMIT, CHECK_MS);
      }
      if (failures.length > 0) throw new Error(`searches of listings failed meanwhile: ${[...new Set(failures)]}`);
    },
  },
  'lost-listings': {
    title: 'the listings index is deleted',
    async happen(stage) {
      await onOpenSearch('DELETE', `/${await indexBehind('listings')}`);
      await lostAndRebuilt(stage);
    },
  },
  'lost-opensearch-data': {
    title: 'all OpenSearch data is lost',
    async happen(stage) {
      const data = join(stage.dataDir, 'opensearch', 'data');
      const lost = `${data}-lost`;
      // The folder is moved before the engine is killed, because `npm start` restarts the engine immediately, then with
      // an empty folder.
      await rename(data, lost);
      await stage.signal('OpenSearch', 'SIGKILL');
      await lostAndRebuilt(stage, START_LIMIT + REBUILD_LIMIT);
      await rm(lost, { recursive: true, force: true });
    },
  },
  'snapshot-restored': {
    title: 'an OpenSearch snapshot is restored',
    async happen(stage) {
      const location = join(stage.dataDir, 'opensearch', 'snapshots', 'fault');
      await onOpenSearch('PUT', '/_snapshot/fault', { type: 'fs', settings: { location } });
      await onOpenSearch('PUT', '/_snapshot/fault/one?wait_for_completion=true', { include_global_state: false });
      type Indexes = Record<string, { settings: { index: { uuid: string } } }>;
      const uuids = async () =>
        Object.values((await onOpenSearch('GET', '/listings')) as Indexes).map(({ settings }) => settings.index.uuid);
      // Closed indexes are unavailable, not lost. They are restored under their names, which Postgres has recorded.
      const indices = Object.keys((await onOpenSearch('GET', '/listings,history,deals')) as object).join();
      await onOpenSearch('POST', `/${indices}/_close`);
      await onOpenSearch('POST', '/_snapshot/fault/one/_restore?wait_for_completion=true', {
        indices,
        include_global_state: false,
      });
      const after = await uuids();
      await sleep(2_000);
      for (const deadline = Date.now() + OBSERVED; Date.now() < deadline; await sleep(500)) {
        const failed = (await statuses(stage, SEARCH)).find((status) => status !== 200);
        if (failed) throw new Error(`a healthy index returned ${failed} after the restore`);
      }
      if ((await uuids()).join() !== after.join()) throw new Error('a healthy index was rebuilt');
      await onOpenSearch('DELETE', '/_snapshot/fault/one');
    },
  },
};
