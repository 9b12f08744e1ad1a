import { copyDatabase, copyUsedDatabase } from '#test/engines.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization } from '#test/factories.ts';
import type { Fault } from './fault.ts';
import { type Installation, onInstallation } from './installation.ts';
import { land, writeFeed } from './land-feed.ts';
import { startNode } from './processes.ts';

const BACKUP = 'fault_restored_backup';
/** Time in milliseconds within which the indexes must be filled. Workers check for a restore every five seconds. */
const REBUILD_LIMIT = 60_000;

export const postgresRestored: Fault = {
  title: 'Postgres is restored to an earlier state',
  happen: () =>
    onInstallation('fault_restored', async (installation) => {
      const { dir, env, server, database, services, undo } = installation;
      const ads = (count: number, raised = 1, from = 0) =>
        Array.from({ length: count }, (_, at) => land(`a${from + at}`, from + at, raised));
      await writeFeed(dir, ads(60));
      const api = await startNode('api', env, /^Serving /);
      undo.push(() => api.end('SIGTERM'));
      await installation.ingest();
      const { key } = await createOrganization(services, { plan: 'enterprise' });
      await copyUsedDatabase(server, BACKUP, database);
      await writeFeed(dir, [...ads(53, 1.03), ...ads(9, 1, 100)]);
      await installation.ingest();
      await copyDatabase(server, database, BACKUP);
      const stale = await differences(installation);
      if (stale.length < 60) throw new Error(`only ${stale.length} documents of the lost state differ`);

      const begun = performance.now();
      const worker = await startNode('worker', env, /^Ingesting from/);
      undo.push(() => worker.end('SIGTERM'));
      const search = `${api.url}/v1/listings?city=riyadh&listing_type=sale`;
      await eventually(
        async () => {
          const response = await fetch(search, { headers: { Authorization: `Bearer ${key}` } });
          const { data } = (await response.json()) as { data?: unknown[] };
          if (response.status !== 200 || !data?.length)
            throw new Error(`a search during the rebuild returned ${response.status} with ${data?.length} listings`);
          const { rows } = await services.pool.query<{ n: number }>(
            'select count(*) as n from restores where rebuilt_at is not null',
          );
          return rows[0]?.n === 1;
        },
        REBUILD_LIMIT,
        250,
      );
      const seconds = Math.round((performance.now() - begun) / 1_000);
      const left = await differences(installation);
      if (left.length > 0) throw new Error(`${left.length} documents differ after ${seconds} s: ${left.slice(0, 5)}`);
    }),
};

/** Returns the ids of listings that differ between the index and the database. */
async function differences({ prefix, services: { opensearch: client, pool } }: Installation): Promise<number[]> {
  const index = `${prefix}listings`;
  await client.indices.refresh({ index });
  const { body } = await client.search({ index, body: { size: 1_000 } });
  type Source = { display: { price: { yearly_sar: number | null } } };
  const shown = new Map(
    body.hits.hits.map((hit) => [Number(hit._id), (hit._source as unknown as Source).display.price.yearly_sar]),
  );
  const { rows } = await pool.query<{ id: number; price: number | null }>(
    'select id, price from listings where served',
  );
  const stated = new Map(rows.map(({ id, price }) => [id, price]));
  return [...new Set([...shown.keys(), ...stated.keys()])].filter((id) => shown.get(id) !== stated.get(id));
}
