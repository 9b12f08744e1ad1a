import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import { lostAndRebuilt } from './indexes.ts';

export const fault: Fault = {
  title: 'all OpenSearch data is lost',
  async happen({ main, second, key, dataDir, signal }) {
    const data = join(dataDir, 'opensearch', 'data');
    const lost = `${data}-lost`;
    // The folder is moved before the engine is killed, because `npm start` restarts the engine immediately, then with
    // an empty folder.
    await rename(data, lost);
    await signal('OpenSearch', 'SIGKILL');
    await lostAndRebuilt([main.url, second.url], '/v1/listings/count?city=riyadh&listing_type=sale', key);
    await rm(lost, { recursive: true, force: true });
  },
};
