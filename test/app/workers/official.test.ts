import { mkdir, utimes } from 'node:fs/promises';
import { importNew, startOfficial } from '#app/workers/official-worker.ts';
import { openOfficial } from '#app/workers/open-official.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import { stateRestore } from '#ingest/run/restore.ts';
import { createLogger } from '#src/observability/logger.ts';
import { eventually } from '#test/eventually.ts';
import { dealsCsv, dealsOf, officialGround } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

const logger = createLogger('silent');

test('a new file in the import folder is imported, and a file modified recently is deferred', async (t) => {
  const ground = await officialGround('worker');
  t.teardown(ground.close);
  const official = openOfficial(ground.app.services.config);
  t.teardown(official.close);
  const folder = `${ground.dir}/watched`;
  await mkdir(`${folder}/2025`, { recursive: true });
  const random = seeded(3);
  const deals = (quarter: string) => dealsCsv(dealsOf({ quarter, count: 30, random, from: 1, districts: ['الملقا'] }));
  const settled = await ground.write('watched/2025/Q1.csv', deals('2025-Q1'));
  const before = new Date(Date.now() - 3_600_000);
  await utimes(settled, before, before);
  await ground.write('watched/2025/Q2.csv', deals('2025-Q2'));
  const stop = startOfficial({ official, officialDir: folder, logger });
  const months = async (from: string, to: string) => {
    const path = `/v1/transactions?city=riyadh&month_from=${from}&month_to=${to}&limit=100`;
    const { status, body } = await ground.app.request(path, { key: ground.key });
    return status === 200 ? body.data.length : `${status} ${body.error.code}`;
  };
  // Less often than the rate limit refills.
  await eventually(async () => (await months('2025-01', '2025-03')) === 30, 120_000, 250);
  await stop();
  t.is(await months('2025-01', '2025-03'), 30);
  t.is(await months('2025-04', '2025-06'), 0);
});

test('if there is no folder, restoring Postgres removes registered deals that the restored state does not contain', async (t) => {
  const ground = await officialGround('restored');
  t.teardown(ground.close);
  const { services } = ground.app;
  const official = openOfficial(services.config);
  t.teardown(official.close);
  const random = seeded(4);
  const quarter = { quarter: '2025-Q1', count: 30, random, from: 1, districts: ['الملقا'] };
  await official.import(await ground.write('deals.csv', dealsCsv(dealsOf(quarter))), {});
  const shown = async (): Promise<number> => {
    const path = '/v1/transactions?city=riyadh&month_from=2025-01&month_to=2025-03&limit=100';
    return (await ground.app.request(path, { key: ground.key })).body.data.length;
  };
  t.is(await shown(), 30);
  await services.pool.query('delete from transactions where key in (select key from transactions limit 7)');
  await importNew(official, null, new AbortController().signal);
  t.is(await shown(), 30, 'an index that matches its table is not rebuilt');
  await withWriter(official.pool, 'a test', (writer) => stateRestore(writer, []));
  await importNew(official, null, new AbortController().signal);
  t.is(await shown(), 23);
});
