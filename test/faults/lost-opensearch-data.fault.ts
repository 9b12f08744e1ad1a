import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import { lostAndRebuilt, REBUILD_LIMIT } from './indexes.ts';

/** Milliseconds. On a busy machine, OpenSearch takes over two minutes to start. */
const START_LIMIT = 240_000;

export const fault: Fault = {
  title: 'all OpenSearch data is lost',
  async happen({ main, second, key, dataDir, signal }) {
    const data = join(dataDir, 'opensearch', 'data');
    const lost = `${data}-lost`;
    // The folder is moved before the engine is killed, because `npm start` restarts the engine immediately, then with
    // an empty folder.
    await rename(data, lost);
    await signal('OpenSearch', 'SIGKILL');
    const path = '/v1/listings/count?city=riyadh&listing_type=sale';
    await lostAndRebuilt([main.url, second.url], path, key, START_LIMIT + REBUILD_LIMIT);
    await rm(lost, { recursive: true, force: true });
  },
};
