import type { Fault } from './fault.ts';
import { deleteBehind, onOpenSearch, REBUILD_LIMIT, statusOf } from './indexes.ts';
import { until } from './until.ts';

const DERIVED = ['history', 'deals', 'transactions', 'projects', 'developers', 'webhooks'];

export const fault: Fault = {
  title: 'every derived index is deleted',
  async happen({ main, second, key }) {
    const failures: number[] = [];
    for (const name of DERIVED) {
      await deleteBehind(name);
      await until(`the rebuild of ${name}`, REBUILD_LIMIT, async () => {
        // Requests that do not read the lost index must succeed.
        for (const { url } of [main, second]) {
          const status = await statusOf(`${url}/v1/listings?city=riyadh&listing_type=sale`, key);
          if (status !== 200) failures.push(status);
        }
        const aliases = (await onOpenSearch('GET', `/_alias/${name}*`)) as Record<string, { aliases: object }>;
        return Object.values(aliases).some(({ aliases: own }) => name in own);
      });
    }
    if (failures.length > 0) throw new Error(`searches of listings failed meanwhile: ${[...new Set(failures)]}`);
  },
};
