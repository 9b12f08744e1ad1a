import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from './fault.ts';

export const fault: Fault = {
  title: 'one of two OpenSearch nodes refuses connections, then is unresponsive',
  async happen({ otherNode }) {
    for (const mode of ['refuse', 'hang'] as const) {
      await otherNode.set(mode);
      await sleep(6_000);
      await otherNode.set('pass');
    }
  },
};
