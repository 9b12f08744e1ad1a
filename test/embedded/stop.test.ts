import { Pool } from 'undici';
import { openServices } from '#app/open-services.ts';
import { startApiProcess } from '#test/api-process.ts';
import { createDatabase } from '#test/engines.ts';
import { testConfig } from '#test/env.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';

const CLIENTS = 60;
const SEARCH = '/v1/listings?city=riyadh&listing_type=rent&limit=25';

test('stopping a process under load fails no request and loses no usage', async (t) => {
  // The process records its own indexes in it.
  const DATABASE_URL = await createDatabase('stop');
  const { services, close } = await openServices(testConfig({ DATABASE_URL }));
  t.teardown(close);
  const { id, key } = await createOrganization(services, { plan: 'pro', columns: { units_per_minute: 1_000_000 } });
  const api = await startApiProcess({ DATABASE_URL });
  t.teardown(() => api.end('SIGKILL'));
  const pool = new Pool(api.url, { connections: CLIENTS, pipelining: 1 });
  t.teardown(() => pool.destroy());

  let answered = 0;
  let units = 0;
  const failures: string[] = [];
  const loaded = Promise.withResolvers<void>();
  const client = async (): Promise<void> => {
    for (;;) {
      try {
        const headers = { authorization: `Bearer ${key}` };
        const { statusCode, headers: got, body } = await pool.request({ method: 'GET', path: SEARCH, headers });
        await body.text();
        if (statusCode !== 200) failures.push(String(statusCode));
        units += Number(got['x-request-units']);
        if (++answered === 3 * CLIENTS) loaded.resolve();
      } catch (error) {
        // The process no longer accepts new connections.
        if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
        failures.push(String(error));
        return;
      }
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await loaded.promise;
  t.is(await api.end('SIGTERM'), 0);
  await clients;
  t.deepEqual(failures, []);
  t.log(`${answered} searches completed`);
  const { rows } = await services.pool.query(
    `select (select sum(units)::bigint from unit_counters where subject = 'organization' and subject_id = $1) as charged,
            (select sum(units)::bigint from usage_days where organization_id = $1) as used,
            (select count(*) from request_logs where organization_id = $1) as logged`,
    [id],
  );
  t.deepEqual(rows, [{ charged: units, used: units, logged: answered }]);
});
