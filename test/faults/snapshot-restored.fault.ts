import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';
import { onOpenSearch, statusOf } from './indexes.ts';

/**
 * Time in milliseconds after a restore during which every call must succeed. In this time, the index guard checks the
 * indexes ten times and counts documents twice.
 */
const OBSERVED = 25_000;

export const fault: Fault = {
  title: 'an OpenSearch snapshot is restored',
  async happen({ main, second, key, dataDir }) {
    const location = join(dataDir, 'opensearch', 'snapshots', 'fault');
    await onOpenSearch('PUT', '/_snapshot/fault', { type: 'fs', settings: { location } });
    await onOpenSearch('PUT', '/_snapshot/fault/one?wait_for_completion=true', { include_global_state: false });
    const uuids = async () =>
      Object.values(
        (await onOpenSearch('GET', '/listings')) as Record<string, { settings: { index: { uuid: string } } }>,
      ).map(({ settings }) => settings.index.uuid);
    // Closed indexes are unavailable, not lost. They are restored under their names, by which Postgres knows them.
    const indices = Object.keys((await onOpenSearch('GET', '/listings,history,deals')) as object).join();
    await onOpenSearch('POST', `/${indices}/_close`);
    await onOpenSearch('POST', '/_snapshot/fault/one/_restore?wait_for_completion=true', {
      indices,
      include_global_state: false,
    });
    const after = await uuids();
    const path = '/v1/listings?city=riyadh&listing_type=sale';
    await sleep(2_000);
    for (const deadline = Date.now() + OBSERVED; Date.now() < deadline; await sleep(500))
      for (const { url } of [main, second]) {
        const status = await statusOf(url + path, key);
        if (status !== 200) throw new Error(`a healthy index returned ${status} after the restore`);
      }
    const left = await uuids();
    if (left.join() !== after.join()) throw new Error('a healthy index was rebuilt');
    await onOpenSearch('DELETE', '/_snapshot/fault/one');
  },
};
