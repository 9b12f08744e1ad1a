import type { FileReport } from '#ingest/official/file-report.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { dealsCsv, dealsOf, type OfficialGround, officialGround } from '#test/official.ts';
import { rowTexts } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { download, type ExportApp, type ExportFileLink, manifestOf, rowsOf, withExports } from './app.ts';

let ground: OfficialGround;
const random = seeded(3);
let reports: FileReport[];
let app: ExportApp;
let worker: () => Promise<void>;
test.before(async () => {
  ground = await officialGround('exports');
  await ground.write(
    '2024-Q1.csv',
    dealsCsv(dealsOf({ quarter: '2024-Q1', count: 700, random, from: 1, districts: ['الملقا', 'النرجس'] })),
  );
  await ground.write(
    '2024-Q2.csv',
    dealsCsv(dealsOf({ quarter: '2024-Q2', count: 90, random, from: 5_000, city_ar: 'جدة', districts: ['الصفا'] })),
  );
  reports = await ground.import(ground.dir);
  if (reports.some(({ status }) => status !== 'imported')) throw new Error(JSON.stringify(reports));
  await ground.pool.query(
    `with f as (
     insert into official_files (name, digest) values ('rents.csv', 'x') returning id),
   l as (
     insert into official_loads (kind, quarter, file_id, digest, rows, state)
     select 'registered_rents', q, id, q::text, 4, 'current' from f, unnest(array[8096, 8097]) q returning id, quarter)
   insert into registered_rents
   select l.id, l.quarter, 'r', c.town, c.city, c.neighborhood, c.name, c.type, 'شقة', c.contracts, c.mean, 210.5
     from l, (values ('الرياض', 'riyadh', null::int, 'حي "ما"', 'apartment', 40, 24000.126::float8),
                     ('الرياض', 'riyadh', $1::int, 'الملقا', 'apartment', 12, 24000.126), ('جدة', 'jeddah', null, null, 'apartment', 4, 24000.126),
                     ('الرياض', 'riyadh', $1, 'الملقا', 'office', 8, null)) c(town, city, neighborhood, name, type, contracts, mean)`,
    [ground.app.services.places.neighborhoods('riyadh')?.[0]?.id],
  );
  app = withExports(ground.app, null);
  worker = app.startWorker({ rowsPerPart: 300 });
});
test.after(async () => {
  await worker();
  await ground.close();
});

const listed = (key: string, query: string) => rowTexts(app, `/v1/transactions?${query}&limit=25`, key);

const attributionOf = async (files: readonly ExportFileLink[]): Promise<string> => {
  const file = files.find(({ name }) => name === 'ATTRIBUTION.txt');
  return file ? (await download(file)).toString('utf8') : '';
};

test('exports of registered deals are free, available with any data key, and equal to the responses of the endpoint', async (t) => {
  const owner = await createOrganization(app.services, { plan: 'pro' });
  const key = await createKey(app.services, owner.id, { columns: { scopes: ['market'] } });
  const made = await app.make(key, { dataset: 'registered_transactions', format: 'ndjson' });
  t.like(made, { status: 'completed', units: 0 }, JSON.stringify(made));
  const rows = await rowsOf(made.files);
  const served = [...(await listed(owner.key, 'city=riyadh')), ...(await listed(owner.key, 'city=jeddah'))];
  t.is(rows.length, 790);
  t.deepEqual([...rows].sort(), served.sort());
  t.regex(await attributionOf(made.files), /Ministry of Justice[\s\S]*license/);
  t.like(await manifestOf(made.files), { attribution_file: 'ATTRIBUTION.txt', rows: 790 });

  const filters = { city: 'riyadh', month_from: '2024-02', price_max: 500_000, land_use_class: 'residential' };
  const some = await app.make(key, { dataset: 'registered_transactions', format: 'ndjson', filters });
  const same = await listed(owner.key, 'city=riyadh&month_from=2024-02&price_max=500000&land_use_class=residential');
  t.true(same.length > 0);
  t.deepEqual((await rowsOf(some.files)).sort(), same.sort());
});

test('exports of registered rents equal the cells returned by the endpoint, with the city and period added to each', async (t) => {
  const { key } = await createOrganization(app.services, { plan: 'free' });
  const made = await app.make(key, { dataset: 'registered_rents', format: 'ndjson' });
  t.like(made, { status: 'completed', units: 0 }, JSON.stringify(made));
  const rows = (await rowsOf(made.files)).map((row) => JSON.parse(row));
  const expected = [];
  for (const period of ['2024-Q1', '2024-Q2']) {
    const { body } = await app.request(`/v1/market/registered-rents?city=riyadh&period=${period}`, { key });
    for (const cell of body.data.cells) expected.push({ city: 'riyadh', period, ...cell });
  }
  t.is(expected.length, 6);
  // The cell with four contracts is suppressed.
  t.deepEqual(rows, expected);
  t.regex(await attributionOf(made.files), /Real Estate General Authority/);
  const none = { period: ['2024-Q1', '2031-Q1'] };
  const refused = await app.post(key, { dataset: 'registered_rents', format: 'ndjson', filters: none });
  t.like(refused.body.error, { code: 'period_not_found', param: 'filters.period' });
  const filters = { period: '2024-Q1', city: ['riyadh'], min_sample_size: 20 };
  const some = await app.make(key, { dataset: 'registered_rents', format: 'csv', filters });
  t.is(some.progress.rows_total, 1);
  const offices = { period: '2024-Q1', city: ['riyadh'], property_type: ['office'] };
  const perSqm = await app.make(key, { dataset: 'registered_rents', format: 'csv', filters: offices });
  const [header, cells] = (await rowsOf(perSqm.files)).map((line) => line.split(','));
  const value = (column: string) => cells?.[header?.indexOf(column) ?? -1];
  t.deepEqual([value('mean_rent_sar'), value('mean_rent_per_sqm_sar')], ['', '210.5']);
});
