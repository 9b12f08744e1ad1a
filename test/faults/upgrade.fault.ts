import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findEngines, startEngines } from '#embedded/engines.ts';
import { freePort } from '#embedded/ports.ts';
import { createPool } from '#postgres/pool.ts';
import { ADMIN_REQUEST, OpenSearch } from '#search/client.ts';
import { findOutdated } from '#search/listing-index/state.ts';
import { FROZEN, restoreFrozenDatabase, restoreFrozenIndexes } from '#test/frozen-release.ts';
import { startLoad } from '#test/load.ts';
import type { Fault } from './fault.ts';
import { endProcess, startMain } from './processes.ts';

const PER_SECOND = 30;
const PATHS = [
  '/v1/listings?city=riyadh&listing_type=rent',
  '/v1/listings/18',
  '/v1/market/summary?city=riyadh&listing_type=rent',
];

/**
 * Uses a separate data folder, because an index of the earlier release cannot serve running nodes of this release. The
 * results are those of a separate load; the load on the other nodes is unaffected.
 */
export const fault: Fault = {
  title: '`npm start` upgrades the data of an earlier release under load',
  async happen() {
    const dataDir = await mkdtemp(join(tmpdir(), 'faults-upgrade-'));
    try {
      await restore(dataDir);
      const port = await freePort();
      const load = startLoad({
        origins: [`http://127.0.0.1:${port}`],
        key: FROZEN.key,
        paths: PATHS,
        perSecond: PER_SECOND,
      });
      const main = await startMain(dataDir, { KEY_PEPPER: FROZEN.pepper }, port).finally(load.stop);
      try {
        const { answers, lost, units } = await load.stop();
        const unexpected = Object.keys(answers).filter((one) => one !== '200 ok' && one !== '503 internal_error');
        if (unexpected.length > 0 || lost > 0 || units === 0)
          throw new Error(`during the upgrade: ${JSON.stringify(answers)}, ${lost} calls without a response`);
        const { charged, outdated } = await inspect(dataDir);
        if (charged !== FROZEN.units + units)
          throw new Error(`${charged} units are charged, ${FROZEN.units + units} were served`);
        if (outdated !== null) throw new Error(`${outdated.index} was not reindexed`);
      } finally {
        await endProcess(main.process, 'SIGTERM');
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Restores the data of the frozen release to a data folder. */
async function restore(dataDir: string): Promise<void> {
  const engines = await startEngines({ dataDir, quickStart: true });
  try {
    await onStores(engines.env, async (pool, client) => {
      await restoreFrozenDatabase(engines.env.DATABASE_URL as string);
      await restoreFrozenIndexes(client);
      await pool.query('update organizations set units_per_minute = 100000000');
    });
  } finally {
    await engines.stop();
  }
}

async function inspect(dataDir: string) {
  const env = await findEngines(dataDir);
  if (env === null) throw new Error('the engines do not run');
  return onStores(env, async (pool, client) => {
    const { rows } = await pool.query<{ units: number }>('select sum(units)::int as units from unit_counters');
    return { charged: rows[0]?.units, outdated: await findOutdated(client) };
  });
}

async function onStores<T>(
  env: Readonly<Record<string, string>>,
  work: (pool: ReturnType<typeof createPool>, client: OpenSearch) => Promise<T>,
): Promise<T> {
  const pool = createPool(env.DATABASE_URL as string, { max: 1 });
  const client = new OpenSearch({ urls: [env.OPENSEARCH_URL as string], ...ADMIN_REQUEST });
  try {
    return await work(pool, client);
  } finally {
    await Promise.all([pool.end(), client.close()]);
  }
}
