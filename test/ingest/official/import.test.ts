import { spawn } from 'node:child_process';
import { unlinkSync } from 'node:fs';
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { unmatchedDistricts } from '#ingest/official/held.ts';
import { prepareOfficial } from '#ingest/official/import.ts';
import { openTable } from '#ingest/official/table.ts';
import { readRegistry } from '#postgres/index-registry.ts';
import { readAliased } from '#search/indexes.ts';
import { prepareOwnIndexes } from '#test/engines.ts';
import { testEnv } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { DEAL_HEADER, type Deal, dealsCsv, dealsOf, type OfficialGround, officialGround } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { type WorkbookCell, writeWorkbook } from './workbook.ts';

const DISTRICTS = ['الملقا', 'الياسمين', 'النرجس'];
const random = seeded(5);

// One shared setup, because creating it takes longer than most of these tests; each test uses its own quarter.
let ground: OfficialGround;
test.before(async () => {
  ground = await officialGround('import');
});
test.after(() => ground.close());

interface Row {
  id: string;
  price_sar: number;
  registration_month: string;
}

/** Returns all served deals in a city in a range of months. */
async function served(from: string, to: string = from, city = 'riyadh'): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = `/v1/transactions?city=${city}&month_from=${from}&month_to=${to}&limit=100${cursor ? `&cursor=${cursor}` : ''}`;
    const { body } = await ground.app.request(page, { key: ground.key });
    rows.push(...body.data);
    cursor = body.pagination.next_cursor;
  }
  return rows;
}
const byPrice = (rows: readonly Row[]) => new Map(rows.map((row) => [row.price_sar, row.id]));

test('equal content is imported once; ids remain when rows move or a price is corrected', async (t) => {
  const deals = dealsOf({ quarter: '2025-Q1', count: 120, random, from: 1, districts: DISTRICTS });
  const first = await ground.importFile('a.csv', dealsCsv(deals));
  t.like(first, { status: 'imported', kind: 'transactions', layout: 'justice_quarterly', rows: 120, taken: 120 });
  const before = byPrice(await served('2025-01', '2025-03'));
  t.is((await ground.importFile('b.csv', dealsCsv(deals))).status, 'repeated');
  const moved = await ground.importFile('c.csv', dealsCsv([...deals].reverse()));
  t.is(moved.status, 'repeated');
  t.is(moved.quarters[0]?.state, 'unchanged');
  const corrected = deals.map((deal, at) => (at === 7 ? { ...deal, price: 123_456 } : deal)).reverse();
  t.is((await ground.importFile('d.csv', dealsCsv(corrected))).status, 'imported');
  const after = byPrice(await served('2025-01', '2025-03'));
  t.is(after.size, before.size);
  t.is(after.get(123_456), before.get(deals[7]?.price ?? 0));
  for (const [price, id] of before) if (price !== deals[7]?.price) t.is(after.get(price), id);
  // Replaced data is deleted from the database and the index.
  const index = `${ground.prefix}transactions`;
  const { body } = await ground.app.services.opensearch.transport.request({
    method: 'POST',
    path: `/${index}-*/_search`,
    body: {
      size: 0,
      aggs: { deals: { value_count: { field: 'filter.order' } }, cells: { terms: { field: 'cells.of' } } },
    },
  });
  const { deals: kept, cells } = (body as { aggregations: Record<string, { value: number; buckets: object[] }> })
    .aggregations as Record<'deals' | 'cells', { value: number; buckets: object[] }>;
  t.is(kept.value, 120);
  t.deepEqual(cells.buckets, [
    { key: 'riyadh/city', doc_count: 1 },
    { key: 'riyadh/neighborhoods', doc_count: 1 },
  ]);
  const { rows } = await ground.pool.query('select count(*) as n from transactions');
  t.is(rows[0].n, 120);
});

test('a workbook yields the same rows as its CSV version; formulas are rejected', async (t) => {
  const deals = dealsOf({ quarter: '2022-Q1', count: 60, random, from: 1, districts: DISTRICTS });
  const write = async (name: string, formula: boolean): Promise<string> => {
    const path = `${ground.dir}/${name}`;
    const rows = deals.map((deal, at): WorkbookCell[] => {
      const price = formula && at < 3 ? { formula: `J${at}*2`, result: deal.price } : deal.price;
      const serial = Date.parse(deal.day) / 86_400_000 + 25_569;
      const place = `${deal.city_ar}/ ${deal.district_ar} `;
      return ['منطقة الرياض', deal.city_ar, place, deal.reference, serial, null, deal.class_ar, 1, price, deal.area];
    });
    const header = DEAL_HEADER.split(',').map((name) => name.replace('السعر', 'الســعر'));
    await writeWorkbook(path, [['صفقات الربع الأول'], header, ...rows]);
    return path;
  };
  t.is((await ground.importFile('a.csv', dealsCsv(deals))).status, 'imported');
  const [same] = await ground.import(await write('a.xlsx', false));
  t.like(same, { status: 'repeated', rows: 60, taken: 60 });
  const [formulas] = await ground.import(await write('b.xlsx', true));
  t.like(formulas, { status: 'imported', taken: 57, rejected: { formula: 3 } });
  const whole = await readFile(`${ground.dir}/a.xlsx`);
  for (const part of [0.1, 0.6, 0.999]) {
    await writeFile(`${ground.dir}/cut.xlsx`, whole.subarray(0, Math.floor(whole.length * part)));
    const [cut] = await ground.import(`${ground.dir}/cut.xlsx`);
    t.is(cut?.status, 'refused');
    t.regex(cut?.detail ?? '', /cut or broken/);
  }
  // Changes one compressed byte, so that the shared strings or the sheet no longer match their checksum.
  const broken = Buffer.from(whole);
  const at = whole.indexOf('sheet1.xml') + 200;
  broken[at] = (broken[at] ?? 0) ^ 0xff;
  t.is((await ground.importFile('broken.xlsx', broken)).status, 'refused');
  t.is((await served('2022-01', '2022-03')).length, 57);
});

test('a quarter that shrinks by more than 30% is held until it is released', async (t) => {
  const { releaseLoad, heldLoads } = await import('#ingest/official/held.ts');
  const deals = dealsOf({ quarter: '2025-Q2', count: 100, random, from: 1, districts: DISTRICTS });
  await ground.importFile('a.csv', dealsCsv(deals));
  t.is((await ground.importFile('less.csv', dealsCsv(deals.slice(0, 70)))).status, 'imported');
  await ground.importFile('a.csv', dealsCsv(deals), { again: true });
  const held = await ground.importFile('b.csv', dealsCsv(deals.slice(0, 69)));
  t.is(held.status, 'held');
  t.is((await served('2025-04', '2025-06')).length, 100);
  const [load] = await heldLoads(ground.pool);
  t.like(load, { kind: 'transactions', quarter: '2025-Q2', rows: 69 });
  // If a crash or a datastore failure interrupts the release of a held import, the import stays on hold.
  const failing = {
    ...ground.context,
    onProgress: (step: string) => {
      if (step.startsWith('indexed')) throw new Error('interrupted');
    },
  };
  await t.throwsAsync(releaseLoad(failing, load?.id ?? 0), { message: 'interrupted' });
  t.is((await heldLoads(ground.pool))[0]?.id, load?.id);
  const [repeated] = await ground.import(`${ground.dir}/b.csv`);
  t.is(repeated?.status, 'repeated');
  t.like((await heldLoads(ground.pool))[0], { id: load?.id, detail: load?.detail });
  t.is((await served('2025-04', '2025-06')).length, 100);
  await releaseLoad(ground.context, load?.id ?? 0);
  t.is((await served('2025-04', '2025-06')).length, 69);
  const { record, source } = (await readRegistry(ground.pool)).get('transactions') ?? {};
  t.like(await readAliased(ground.context.opensearch, 'transactions'), { documents: record?.documents });
  t.is(record?.run, source?.version);
  t.deepEqual(await heldLoads(ground.pool), []);
  await t.throwsAsync(releaseLoad(ground.context, 4711), { message: /4711/ });
});

test('the rent unit is determined by property type, and a quarter that fits neither unit is held', async (t) => {
  const { releaseLoad, heldLoads } = await import('#ingest/official/held.ts');
  const header = 'السنة,الربع,المنطقة,المدينة,نوع العقار,مجموع الصفقات,المتوسط';
  const file = (rows: readonly (readonly [quarter: number, town: string, type: string, mean: number])[]) =>
    `${[header, ...rows.map(([quarter, town, type, mean]) => `2018,${quarter},الرياض,${town},${type},50,${mean}`)].join('\n')}\n`;
  const [office, flat] = ['مكتب - تجاري', 'شقة - سكني'];
  const totals = async (quarter: number) => {
    const path = `/v1/market/registered-rents?city=riyadh&period=2018-Q${quarter}`;
    const { body } = await ground.app.request(path, { key: ground.key });
    return Object.fromEntries(
      (body.data?.city_totals ?? []).map((total: Record<string, unknown>) => [
        total.property_type,
        [total.mean_rent_sar, total.mean_rent_per_sqm_sar],
      ]),
    );
  };
  const towns = ['الخرج', 'المجمعة', 'الدوادمي', 'عفيف', 'شقراء', 'الزلفي'];
  const read = await ground.importFile(
    'rents.csv',
    file([
      [1, 'الرياض', office, 800],
      [1, 'الرياض', flat, 20_000],
      ...towns.map((town) => [1, town, office, town === 'عفيف' ? 22_500 : 300] as const),
      // Monthly rents.
      [2, 'الرياض', flat, 1_700],
      [2, 'الرياض', office, 800],
    ]),
  );
  t.like(read, { status: 'held', rejected: { implausible_rent: 1 } });
  t.deepEqual(
    read.quarters.map(({ quarter, state }) => [quarter, state]),
    [
      ['2018-Q1', 'current'],
      ['2018-Q2', 'held'],
    ],
  );
  t.deepEqual(await totals(1), { apartment: [20_000, null], office: [null, 800] });
  t.deepEqual(await totals(2), {});
  const [load] = await heldLoads(ground.pool);
  t.regex(load?.detail ?? '', /apartment \(median 1700\)/);
  await releaseLoad(ground.context, load?.id ?? 0);
  t.deepEqual(await totals(2), { apartment: [1_700, null], office: [null, 800] });
});

test('excluded rows do not cause a quarter to be held and do not count toward its coverage', async (t) => {
  const make = (count: number, from: number, day: string) =>
    dealsOf({ quarter: '2026-Q2', count, random, from, districts: DISTRICTS }).map((deal) => ({ ...deal, day }));
  // The last day that the rules include.
  const early = make(40, 1, '2026-05-18');
  const late = make(120, 1_000, '2026-06-29');
  const first = await ground.importFile('a.csv', dealsCsv([...early, ...late]));
  t.like(first, { status: 'imported', taken: 160 });
  t.is((await served('2026-04', '2026-06')).length, 40);
  // If the late deals in Riyadh counted, the quarter would be complete for Jeddah.
  const { rows } = await ground.pool.query(
    `select rows, served, to_char(last_day, 'YYYY-MM-DD') as last_day from official_loads where quarter = 2026 * 4 + 1`,
  );
  t.deepEqual(rows, [{ rows: 160, served: 40, last_day: '2026-05-18' }]);
  t.is((await ground.importFile('b.csv', dealsCsv(early.slice(0, 28)))).status, 'imported');
  t.is((await ground.importFile('c.csv', dealsCsv([...early.slice(0, 10), ...late]))).status, 'held');
  // Excluded deals do not affect which deals count as outside the quarter of a file.
  const small = [...make(150, 1, '2026-04-20'), ...make(1, 5_000, '2016-02-01')];
  const mixed = await ground.importFile('e.csv', dealsCsv([...small, ...late]));
  t.like(mixed, { status: 'imported', taken: 271 });
  t.deepEqual(mixed.rejected, {});
  // A city's only quarter cannot be compared with another quarter: it is imported, but not served.
  t.is((await ground.importFile('d.csv', dealsCsv(make(30, 1, '2026-08-01')))).status, 'imported');
  const path = '/v1/market/land-prices?city=jeddah&quarter_from=2026-Q3&quarter_to=2026-Q3';
  const { body } = await ground.app.request(path, { key: ground.key });
  t.is(body.error?.code, 'period_not_found');
});

test('unmatched districts are listed by number of deals, separately from directional parts of a city', async (t) => {
  const names = ['شرق الرياض', 'شرق الرياض', 'النسيم', 'الملقا', 'شرق الرياض', 'النسيم'];
  const deals = dealsOf({ quarter: '2017-Q1', count: 60, random, from: 1, districts: DISTRICTS }).map((deal, at) => ({
    ...deal,
    district_ar: names[at % 6] as string,
  }));
  const before = await unmatchedDistricts(ground.pool, { city: 'riyadh', limit: 2 });
  await ground.importFile('a.csv', dealsCsv(deals));
  const found = await unmatchedDistricts(ground.pool, { city: 'riyadh', limit: 2 });
  t.deepEqual(
    found.names.map(({ name, deals: count }) => [name, count]),
    [
      ['شرق الرياض', 30],
      ['النسيم', 20],
    ],
  );
  t.is(found.sides - before.sides, 30);
  t.is(found.named - before.named, 60);
  t.is(found.matched - before.matched, 10);
});

test('a missing file is reported, and the others are imported', async (t) => {
  const folder = `${ground.dir}/going`;
  await mkdir(`${folder}/closed`, { recursive: true });
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    const deals = dealsOf({ quarter: `2018-Q${at + 1}`, count: 25, random, from: 1 + 100 * at, districts: DISTRICTS });
    await ground.write(`going/${name}.csv`, dealsCsv(deals));
    const day = new Date(Date.UTC(2026, 0, 1 + at));
    await utimes(`${folder}/${name}.csv`, day, day);
  }
  const text = await readFile(`${folder}/b.csv`);
  const reports = await ground.import(folder, {
    onFile: ({ name }) => name === 'a.csv' && unlinkSync(`${folder}/b.csv`),
  });
  t.deepEqual(
    reports.map(({ name, status }) => [name, status]),
    [
      ['a.csv', 'imported'],
      ['b.csv', 'unreadable'],
      ['c.csv', 'imported'],
    ],
  );
  t.regex(reports[1]?.detail ?? '', /ENOENT/);
  // A missing file is not rejected permanently: it is imported once it exists again, whatever its time.
  await writeFile(`${folder}/b.csv`, text);
  const ahead = new Date(Date.now() + 3_600_000);
  await utimes(`${folder}/b.csv`, ahead, ahead);
  const again = await ground.import(folder);
  t.deepEqual(again.map(({ status }) => status).sort(), ['imported', 'repeated', 'repeated']);
  // Nor is a workbook that cannot be opened rejected permanently.
  const path = `${ground.dir}/gone.xlsx`;
  await writeWorkbook(path, [DEAL_HEADER.split(',')]);
  const table = await openTable(path, AbortSignal.timeout(60_000));
  unlinkSync(path);
  await t.throwsAsync(table.batches().next(), { code: 'ENOENT' });
});

test('a lost index is rebuilt without partial results becoming visible', async (t) => {
  const { opensearch } = ground.app.services;
  const all = (await served('2000-01', '2030-12')).length;
  t.true(all > 0);
  const index = `${ground.prefix}transactions`;
  // By name, because servers may refuse wildcards.
  const { body } = await opensearch.indices.get({ index: `${index}-*` });
  await opensearch.indices.delete({ index: Object.keys(body) });
  await prepareOwnIndexes(opensearch, ['transactions']);
  const looks: Promise<number>[] = [];
  const look = async (): Promise<number> => {
    await opensearch.send('POST', `/${index}/_refresh`);
    const body = { query: { term: { 'filter.city': 'riyadh' } } };
    return (await opensearch.send<{ count: number }>('GET', `/${index}/_count`, { body })).count;
  };
  await prepareOfficial({ ...ground.context, onProgress: () => void looks.push(look()) });
  const seen = await Promise.all(looks);
  t.true(seen.length > 2);
  t.deepEqual(
    seen.filter((count) => count !== 0 && count !== all),
    [],
  );
  await ground.app.services.indexGuard.refresh();
  t.is((await served('2000-01', '2030-12')).length, all);
});

test('files for two cities coexist; a nationwide file takes precedence over both', async (t) => {
  const make = (count: number, from: number, city_ar?: string) =>
    dealsOf({ quarter: '2019-Q1', count, random, from, districts: DISTRICTS, ...(city_ar ? { city_ar } : {}) });
  const riyadh = make(60, 1);
  // Jeddah's file ends with January.
  const jeddah = make(40, 1, 'جدة').map((deal) => ({ ...deal, day: '2019-01-20' }));
  const counts = async () => [
    (await served('2019-01', '2019-03')).length,
    (await served('2019-01', '2019-03', 'jeddah')).length,
  ];
  const flags = async (city: string): Promise<string[]> => {
    const path = `/v1/market/transactions?city=${city}&quarter_from=2019-Q1&quarter_to=2019-Q1`;
    const { body } = await ground.app.request(path, { key: ground.key });
    return [...new Set<string>(body.data?.cells.map((cell: { coverage_flag: string }) => cell.coverage_flag) ?? [])];
  };
  /** Returns the land price points and the notes on land-use classes. */
  const landPrices = async () => {
    const path = '/v1/market/land-prices?city=riyadh&quarter_from=2019-Q1&quarter_to=2019-Q1';
    const { data } = (await ground.app.request(path, { key: ground.key })).body;
    const notes = data.coverage.notes.filter((note: string) => note.includes('land-use class'));
    return { points: data.series[0].points.length, notes };
  };
  const first = await ground.importFile('deals_riyadh.csv', cityCsv(riyadh));
  t.like(first, { status: 'imported', layout: 'justice_city' });
  t.deepEqual(await counts(), [60, 0]);
  // Files with this layout have no land-use classes: no point is served, instead of a point with 0 deals.
  const withoutClasses = await landPrices();
  t.is(withoutClasses.points, 0);
  t.regex(withoutClasses.notes.join(), /2019-Q1/);
  const unknown = await ground.app.request(
    '/v1/market/land-prices?city=jeddah&quarter_from=2019-Q1&quarter_to=2019-Q1',
    { key: ground.key },
  );
  t.is(unknown.body.error?.code, 'period_not_found', 'a file of one city says nothing of another');
  t.is((await ground.importFile('deals_jeddah.csv', cityCsv(jeddah))).status, 'imported');
  t.deepEqual(await counts(), [60, 40]);
  t.deepEqual([await flags('riyadh'), await flags('jeddah')], [['full'], ['incomplete']]);
  // A correction of one city does not affect the other; half of its deals are held.
  t.is((await ground.importFile('deals_jeddah.csv', cityCsv(jeddah.slice(0, 10)))).status, 'held');
  // A file of the whole country is held if it has fewer than half of the deals of all cities, and otherwise replaces them.
  const country = [...make(45, 1_000), ...make(30, 2_000, 'جدة')];
  t.is((await ground.importFile('few.csv', dealsCsv(country.slice(0, 45)))).status, 'held');
  t.deepEqual(await counts(), [60, 40]);
  t.is((await ground.importFile('country.csv', dealsCsv(country))).status, 'imported');
  t.deepEqual(await counts(), [45, 30]);
  t.deepEqual(await flags('jeddah'), ['full']);
  const withClasses = await landPrices();
  t.is(withClasses.points, 1);
  t.notRegex(withClasses.notes.join(), /2019-Q1/);
  const late = await ground.importFile('deals_riyadh.csv', cityCsv(make(70, 5_000)));
  t.is(late.status, 'refused');
  t.regex(late.detail ?? '', /whole country/);
  t.deepEqual(await counts(), [45, 30]);
  const { rows } = await ground.pool.query(`select scope, state from official_loads where quarter = 2019 * 4`);
  t.deepEqual(rows, [{ scope: '', state: 'current' }]);
});

test('files that are cut, or have other columns, cells, encodings or orders of columns, are read or refused with a reason', async (t) => {
  const deals = dealsOf({ quarter: '2025-Q3', count: 80, random, from: 1, districts: DISTRICTS });
  const csv = dealsCsv(deals);
  const reversed = csv
    .split('\r\n')
    .filter(Boolean)
    .map((line) => [...splitLine(line.replace('\ufeff', ''))].reverse().join(','))
    .join('\n');
  const formulas = ['=HYPERLINK(0)', '@SUM(1)', '+cmd|x', ' -1+cmd'];
  const older = dealsOf({ quarter: '2018-Q4', count: 80, random, from: 1, districts: DISTRICTS });
  const withFormulas = older.map((deal, at) => ({ ...deal, district_ar: formulas[at] ?? deal.district_ar }));
  const wrong = csv.replace('السعر,المساحة', 'تصنيف العقار,المساحة').replace('تصنيف العقار,عدد', 'السعر,عدد');
  for (const [name, content, expected, reason = /./] of [
    ['water.csv', 'Year,Water\n2000,66\n', { status: 'refused' }, /Year, Water/],
    ['empty.csv', '', { status: 'refused' }],
    [
      'swapped.csv',
      csv.replace('السعر,المساحة', 'المساحة,السعر'),
      { status: 'refused' },
      /columns of price and area may be swapped/,
    ],
    // Cells under the wrong column names.
    ['wrong.csv', wrong, { status: 'refused' }, /unreadable_price: 80/],
    ['deals.csv', cityCsv(deals), { status: 'refused' }, /--city/],
    // None of the file is served.
    [
      'cut.csv',
      csv.slice(0, csv.lastIndexOf('\r\n', csv.length - 3) + 60),
      { status: 'held', taken: 79, rejected: { malformed_row: 1 } },
    ],
    ['reversed.csv', `${reversed}\n`, { status: 'imported', taken: 80 }, null],
    ['windows.csv', toWindows1256(csv.replace('\ufeff', '')), { status: 'repeated', taken: 80 }, null],
    ['deals_riyadh.csv', cityCsv(withFormulas), { status: 'imported', taken: 77, rejected: { formula: 3 } }, null],
  ] as const) {
    const report = await ground.importFile(name, content);
    t.like(report, expected, name);
    if (reason) t.regex(`${report.detail} ${report.quarters.map(({ detail }) => detail).join()}`, reason, name);
  }
  t.is((await served('2025-07', '2025-09')).length, 80);
  const { rows } = await ground.pool.query(
    'select distinct ministry_district_ar as name from transactions where quarter = 2018 * 4 + 3',
  );
  t.deepEqual(
    rows.filter(({ name }) => name !== null && !DISTRICTS.includes(name)),
    [],
  );
});

function splitLine(line: string): string[] {
  return (
    line
      .match(/("[^"]*"|[^,]*)(?:,|$)/g)
      ?.slice(0, 10)
      .map((cell) => cell.replace(/,$/, '')) ?? []
  );
}

/** Encodes Windows-1256, which Node decodes but does not encode. */
function toWindows1256(text: string): Uint8Array {
  const decoder = new TextDecoder('windows-1256');
  const codes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text], (char) => codes.get(char) ?? 63);
}

test('numbers, dates and rows are parsed in every publisher format', async (t) => {
  const lines = [
    // A row with Arabic digits and marks, a Hijri date only, tatweel and stray spaces.
    'منطقة الرياض,الريـاض,الرياض/ حى  الملقا ,١٠١,,١٤٤٧/٠٧/١٢,سكنى,١,"١٬٢٥٠٬٠٠٠",٣١٢٫٥',
    // A row in which the Gregorian and Hijri dates are swapped.
    'منطقة الرياض,الرياض,الرياض/الملقا,102,1447/07/12,2026/01/01,تجاري,1,"900,000",300',
    'منطقة الرياض,الرياض,الرياض/الملقا,103,2026/02/30,,سكني,1,1,1',
    'منطقة الرياض,الرياض,الرياض/الملقا,104,2026/01/01,1447/09/12,سكني,1,500000,300',
    'منطقة الرياض,الرياض,الرياض/الملقا,105,2026/01/01,,سكني,1,,300',
    // A duplicate row, and a different deal with the same reference number.
    'منطقة الرياض,الرياض,الرياض/الملقا,102,1447/07/12,2026/01/01,تجاري,1,"900,000",300',
    'منطقة الرياض,الرياض,الرياض/الملقا,102,1447/07/12,2026/01/01,تجاري,1,"950,000",300',
  ];
  const report = await ground.importFile('a.csv', `${DEAL_HEADER}\n${lines.join('\n')}\n`);
  t.deepEqual(report.rejected, { bad_date: 1, dates_disagree: 1, no_price: 1, repeated_row: 1 });
  const { rows } = await ground.pool.query(
    `select to_char(day, 'YYYY-MM-DD') as day, price_sar, area_sqm, land_use_class, neighborhood_id from transactions where quarter = ${2026 * 4} order by price_sar`,
  );
  t.deepEqual(rows, [
    { day: '2026-01-01', price_sar: 900_000, area_sqm: 300, land_use_class: 'commercial', neighborhood_id: 1001 },
    { day: '2026-01-01', price_sar: 950_000, area_sqm: 300, land_use_class: 'commercial', neighborhood_id: 1001 },
    { day: '2026-01-01', price_sar: 1_250_000, area_sqm: 312.5, land_use_class: 'residential', neighborhood_id: 1001 },
  ]);
  const { rows: rejects } = await ground.pool.query(
    'select line, reason from official_rejects where file_id = $1 order by line',
    [report.id],
  );
  t.deepEqual(
    rejects.map(({ line }) => line),
    [4, 5, 6, 7],
  );
});

test('plans, parcels, deeds and reference numbers are stored nowhere', async (t) => {
  const secret = '7391846205';
  const header =
    'Neighbourhood,Plannedـtransactionـdetails,Detailsـtransaction,Date,transactionـnumber,Total_price,Area,Price_per_meter,رقم الصك';
  const rows = Array.from({ length: 48 }, (_, at) => {
    const place = [
      'الملقا',
      `مخطط ${secret}`,
      `الياسمين قطعة ${secret}`,
      `${secret} فى/ 28/ 7/ 142…`,
      `الملقا (مخطط ${secret} قطعة 176)`,
      `المصيف في محافظة القطيف صك ${secret}`,
    ][at % 6];
    const date = at === 47 ? `صك ${secret}` : '"Thursday, 13 January 2021 "';
    const price = at === 46 ? `رقم ${secret}` : 1_000 * (500 + at);
    return `${place},مخطط/${secret},قطعة ${secret},${date},${secret}${at},${price}.00,500,${2 * (500 + at)},${secret}`;
  });
  const path = await ground.write('deals_riyadh.csv', `${header}\n${rows.join('\n')}\n`);
  const [report] = await ground.import(path);
  t.like(report, { status: 'imported', layout: 'justice_city', taken: 46 });
  // Files that state the city or region in different places, and a file without its start and header.
  const numbered = dealsOf({ quarter: '2021-Q2', count: 30, random, from: 1, districts: DISTRICTS }).map((deal) => ({
    ...deal,
    city_ar: `الرياض صك ${secret}`,
    district_ar: `${deal.district_ar} قطعة ${secret}`,
  }));
  const csv = dealsCsv(numbered).replaceAll('منطقة الرياض,', `منطقة الرياض (${secret}),`);
  const named = await ground.importFile('named.csv', csv);
  t.like(named, { status: 'imported', taken: 30 });
  const rents = `السنة,الربع,المنطقة,المدينة,الحي,نوع العقار,مجموع الصفقات,المتوسط
2021,2,منطقة الرياض ${secret},الرياض مخطط ${secret},الملقا صك ${secret},شقة,10,30000\n`;
  const rented = await ground.importFile('rents.csv', rents);
  t.like(rented, { status: 'imported', taken: 1 });
  const headless = await ground.importFile('headless_riyadh.csv', `${rows.join('\n')}\n`);
  t.is(headless.status, 'refused');
  t.false(JSON.stringify([report, named, rented, headless]).includes(secret));
  t.is((await served('2021-04', '2021-06')).length, 30);
  const { rows: tables } = await ground.pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const { rows: found } = await ground.pool.query(
      `select 1 from "${name}" t where t::text like '%${secret}%' limit 1`,
    );
    t.deepEqual(found, [], name);
  }
  const { body } = await ground.app.services.opensearch.transport.request({
    method: 'POST',
    path: `/${ground.prefix}transactions/_search`,
    body: { size: 100, query: { terms: { 'filter.quarter': [2021 * 4, 2021 * 4 + 1] } } },
  });
  t.false(JSON.stringify(body).includes(secret));
  t.is((body as { hits: { hits: unknown[] } }).hits.hits.length, 76);
});

test('a killed import leaves the old or the new data, and a repeated import gives the same result as an uninterrupted one', async (t) => {
  const low = ['2024-Q3', '2024-Q4'].flatMap((quarter, at) =>
    dealsOf({ quarter, count: 100, random, from: at * 1_000, districts: DISTRICTS }),
  );
  const high = low.map((deal) => ({ ...deal, price: deal.price + 100_000_000 }));
  const folders = { low: `${ground.dir}/low`, high: `${ground.dir}/high` };
  for (const folder of Object.values(folders)) await mkdir(folder);
  await writeFile(`${folders.low}/a.csv`, dealsCsv(low));
  await writeFile(`${folders.high}/b.csv`, dealsCsv(high));
  /** Deals, and the statistics of their quarters, whose cells must be of the same load. */
  const now = async () => {
    const path = '/v1/market/transactions?city=riyadh&quarter_from=2024-Q3&quarter_to=2024-Q4';
    const { body } = await ground.app.request(path, { key: ground.key });
    return { deals: await served('2024-07', '2024-12'), cells: body.data.cells };
  };
  type Served = Awaited<ReturnType<typeof now>>;
  const rows = {} as { low: Served; high: Served };
  await ground.import(folders.low);
  rows.low = await now();
  const { steps } = await runImport(folders.high, null);
  // The statistics of the load before are cached until the app notices the import of another process.
  await eventually(async () => {
    await ground.app.services.indexGuard.refresh();
    rows.high = await now();
    return !isDeepStrictEqual(rows.high.cells, rows.low.cells);
  });
  const idsOf = ({ deals }: Served) => deals.map(({ id }) => id).sort();
  t.is(rows.low.deals.length, 200);
  t.deepEqual(idsOf(rows.high), idsOf(rows.low));
  t.true(steps.length >= 5, steps.join());
  let next: keyof typeof rows = 'low';
  let killed = 0;
  for (let at = 0; at < steps.length; at++) {
    // Invalidates the digests of all files, so that the next attempt reads the file again.
    await ground.pool.query('update official_files set digest = id::text');
    const { completed } = await runImport(folders[next], at);
    if (!completed) killed++;
    const found = await settled(now);
    const dear = found.deals.filter(({ price_sar }) => price_sar > 100_000_000).length;
    const step = `killed at ${steps[at]}: ${dear} of ${found.deals.length}`;
    t.deepEqual(found.deals, (dear === 0 ? rows.low : rows.high).deals, step);
    // Cached statistics may be those of the load before, but of one load.
    t.true(
      [rows.low, rows.high].some(({ cells }) => isDeepStrictEqual(cells, found.cells)),
      step,
    );
    await ground.import(folders[next]);
    t.deepEqual((await now()).deals, rows[next].deals, step);
    next = next === 'low' ? 'high' : 'low';
  }
  t.true(killed >= 3, `${killed} of ${steps.length}`);
});

/** Reads until two reads are equal: the engine may still be processing the last request of a killed process. */
async function settled<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let before = await read(); ; ) {
    const after = await read();
    if (isDeepStrictEqual(before, after)) return after;
    before = after;
  }
}

const CHILD = new URL('./one-import.ts', import.meta.url).pathname;

/** Imports in a separate process and kills the process at the nth step. */
async function runImport(path: string, killAt: number | null): Promise<{ completed: boolean; steps: string[] }> {
  const args = [CHILD, ground.databaseUrl, testEnv().OPENSEARCH_URL, ground.prefix, path];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const steps: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (steps.length === killAt) child.kill('SIGKILL');
    steps.push(line);
  }
  await ended;
  return { completed: steps.at(-1) === 'completed', steps: steps.filter((step) => step !== 'completed') };
}

/** Renders deals as CSV in the layout of single-city files, which have no city column. */
function cityCsv(deals: readonly Deal[]): string {
  const lines = deals.map(({ reference, day, district_ar, price, area }) =>
    [district_ar, '', '', day, reference, price, area, price / area].join(','),
  );
  const header =
    'Neighbourhood,Plannedـtransactionـdetails,Detailsـtransaction,Date,transactionـnumber,Total_price,Area,Price_per_meter';
  return `${[header, ...lines].join('\n')}\n`;
}
