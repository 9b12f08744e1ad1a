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
    const before = await uuids();
    // The indexes are restored under other names and then swapped with the serving indexes in one call.
    const indices = Object.keys((await onOpenSearch('GET', '/listings,history,deals')) as object);
    await onOpenSearch('POST', '/_snapshot/fault/one/_restore?wait_for_completion=true', {
      indices: indices.join(),
      include_global_state: false,
      include_aliases: false,
      rename_pattern: '-v(\\d+)$',
      rename_replacement: '-v90$1',
    });
    const actions = indices.flatMap((index) => {
      const alias = index.replace(/-v\d+$/, '');
      return [{ remove_index: { index } }, { add: { index: index.replace(/-v/, '-v90'), alias } }];
    });
    await onOpenSearch('POST', '/_aliases', { actions });
    const after = await uuids();
    if (after.some((uuid) => before.includes(uuid))) throw new Error('the restored index has its earlier uuid');
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
