import { unlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { heldDifference, heldLoads, releaseLoad, unmatchedDistricts } from '#ingest/official/held-quarters.ts';
import type { ImportOptions } from '#ingest/official/import.ts';
import { testEnv } from '#test/env.ts';
import { getData } from '#test/market.ts';
import { DEAL_HEADER, type Deal, dealsCsv, dealsOf, type OfficialGround, officialGround } from '#test/official.ts';
import { allRows } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { type Kill, runKillable } from '../run/killable.ts';
import { type WorkbookCell, writeWorkbook } from './workbook.ts';

const DISTRICTS = ['الملقا', 'الياسمين', 'النرجس'];
const random = seeded(5);

// One shared setup, because creating it takes longer than most of these tests; each test uses its own quarter.
let ground: OfficialGround;
const CHILD = new URL('./one-import.ts', import.meta.url).pathname;
test.before(async () => {
  ground = await officialGround('import');
});
test.after(() => ground.close());

/** Returns all served deals in a city in a range of months. */
const served = (from: string, to: string, city = 'riyadh'): Promise<Row[]> =>
  allRows(ground.app, `/v1/transactions?city=${city}&month_from=${from}&month_to=${to}&limit=100`, ground.key);
interface Row {
  id: string;
  price_sar: number;
}
const byPrice = (rows: readonly Row[]) => new Map(rows.map((row) => [row.price_sar, row.id]));

test('equal content is imported once, equal rows count once, and ids remain when rows move or a price is corrected', async (t) => {
  const deals = dealsOf({ quarter: '2025-Q1', count: 120, random, from: 1, districts: DISTRICTS });
  const [some, priced] = [deals[3] as Deal, deals[7] as Deal];
  // A repeated row, and a different deal with the same reference number.
  const rows = [...deals, some, { ...some, price: 77_777 }];
  const first = await ground.importFile('a.csv', dealsCsv(rows));
  t.like(first, { status: 'imported', kind: 'transactions', layout: 'justice_quarterly', rows: 122, taken: 121 });
  t.deepEqual(first.rejected, { repeated_row: 1 });
  const before = byPrice(await served('2025-01', '2025-03'));
  t.is(before.size, 121);
  t.is((await ground.importFile('b.csv', dealsCsv(rows))).status, 'repeated');
  const moved = await ground.importFile('c.csv', dealsCsv([...rows].reverse()));
  t.is(moved.status, 'repeated');
  const corrected = rows.map((deal) => (deal === priced ? { ...deal, price: 123_456 } : deal)).reverse();
  t.is((await ground.importFile('d.csv', dealsCsv(corrected))).status, 'imported');
  const after = await served('2025-01', '2025-03');
  t.is(after.length, 121);
  t.deepEqual(
    byPrice(after),
    new Map([...before].map(([price, id]) => [price === priced.price ? 123_456 : price, id])),
  );
  const { rows: counted } = await ground.pool.query('select count(*) as n from transactions where quarter = 2025 * 4');
  t.is(counted[0].n, 121, 'replaced data is deleted');
});

test('a workbook yields the same rows as its CSV version; formulas are rejected', async (t) => {
  const deals = dealsOf({ quarter: '2022-Q1', count: 60, random, from: 1, districts: DISTRICTS });
  const rows = deals.map((deal, at): WorkbookCell[] => {
    const price = at < 3 ? { formula: `J${at}*2`, result: deal.price } : deal.price;
    const serial = Date.parse(deal.day) / 86_400_000 + 25_569;
    const place = `${deal.city_ar}/ ${deal.district_ar} `;
    return ['منطقة الرياض', deal.city_ar, place, deal.reference, serial, null, deal.class_ar, 1, price, deal.area];
  });
  const header = DEAL_HEADER.split(',').map((name) => name.replace('السعر', 'الســعر'));
  await writeWorkbook(`${ground.dir}/a.xlsx`, [['صفقات الربع الأول'], header, ...rows]);
  t.is((await ground.importFile('a.csv', dealsCsv(deals.slice(3)))).status, 'imported');
  const [same] = await ground.import(`${ground.dir}/a.xlsx`);
  t.like(same, { status: 'repeated', rows: 60, taken: 57, rejected: { formula: 3 } });
  const whole = await readFile(`${ground.dir}/a.xlsx`);
  const cut = await ground.importFile('cut.xlsx', whole.subarray(0, Math.floor(whole.length * 0.999)));
  t.is(cut.status, 'refused');
  t.regex(cut.detail ?? '', /cut or broken/);
  // Changes one compressed byte, so that the shared strings or the sheet no longer match their checksum.
  const broken = Buffer.from(whole);
  const at = whole.indexOf('sheet1.xml') + 200;
  broken[at] = (broken[at] ?? 0) ^ 0xff;
  t.is((await ground.importFile('broken.xlsx', broken)).status, 'refused');
  t.is((await served('2022-01', '2022-03')).length, 57);
});

test('a quarter that shrinks by more than 30% is held until it is released', async (t) => {
  const deals = dealsOf({ quarter: '2025-Q2', count: 100, random, from: 1, districts: DISTRICTS });
  await ground.importFile('a.csv', dealsCsv(deals));
  t.is((await ground.importFile('less.csv', dealsCsv(deals.slice(0, 70)))).status, 'imported');
  await ground.importFile('a.csv', dealsCsv(deals), { again: true });
  const held = await ground.importFile('b.csv', dealsCsv(deals.slice(0, 69)));
  t.is(held.status, 'held');
  t.is((await served('2025-04', '2025-06')).length, 100);
  const [load] = await heldLoads(ground.pool);
  t.like(load, { kind: 'transactions', quarter: '2025-Q2', rows: 69 });
  t.like(await heldDifference(ground.pool, load?.id ?? 0), { held: { rows: 69 }, served: { rows: 100 } });
  // If a crash or a datastore failure interrupts the release of a held import, the import remains held.
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
  t.deepEqual(await heldLoads(ground.pool), []);
});

test('excluded rows are not served, and count neither for the size of a quarter nor for its coverage', async (t) => {
  const make = (count: number, from: number, day: string) =>
    dealsOf({ quarter: '2026-Q2', count, random, from, districts: DISTRICTS }).map((deal) => ({ ...deal, day }));
  // The last day that the rules include.
  const early = make(40, 1, '2026-05-18');
  const late = make(120, 1_000, '2026-06-29');
  t.like(await ground.importFile('a.csv', dealsCsv([...early, ...late])), { status: 'imported', taken: 160 });
  t.is((await served('2026-04', '2026-06')).length, 40);
  // If the late deals in Riyadh counted, the quarter would be complete for Jeddah.
  const { rows } = await ground.pool.query(
    `select rows, served, to_char(last_day, 'YYYY-MM-DD') as last_day from official_loads where quarter = 2026 * 4 + 1`,
  );
  t.deepEqual(rows, [{ rows: 160, served: 40, last_day: '2026-05-18' }]);
  t.is((await ground.importFile('b.csv', dealsCsv([...early.slice(0, 10), ...late]))).status, 'held');
});

test('districts without a matching neighborhood are listed by their number of deals', async (t) => {
  const deals = dealsOf({ quarter: '2017-Q1', count: 30, random, from: 1, districts: ['شرق الرياض'] });
  await ground.importFile('a.csv', dealsCsv(deals));
  const found = await unmatchedDistricts(ground.pool, { city: 'riyadh', limit: 1 });
  t.like(found, { sides: 30, names: [{ city: 'riyadh', name: 'شرق الرياض', deals: 30 }] });
});

test('a file that is removed during an import is reported, and imported once it exists again', async (t) => {
  const folder = `${ground.dir}/going`;
  await mkdir(folder);
  for (const [at, name] of ['a', 'b'].entries()) {
    const deals = dealsOf({ quarter: `2018-Q${at + 1}`, count: 25, random, from: 1 + 100 * at, districts: DISTRICTS });
    await ground.write(`going/${name}.csv`, dealsCsv(deals));
  }
  const text = await readFile(`${folder}/b.csv`);
  const statuses = async (options?: ImportOptions) =>
    (await ground.import(folder, options)).map(({ name, status }) => `${name} ${status}`).sort();
  const onFile = ({ name }: { name: string }) => name === 'a.csv' && unlinkSync(`${folder}/b.csv`);
  t.deepEqual(await statuses({ onFile }), ['a.csv imported', 'b.csv unreadable']);
  await writeFile(`${folder}/b.csv`, text);
  t.deepEqual(await statuses(), ['a.csv repeated', 'b.csv imported']);
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
  const market = (name: string, city: string) =>
    getData(ground.app, ground.key, `/v1/market/${name}`, { city, quarter_from: '2019-Q1', quarter_to: '2019-Q1' });
  const flags = async (city: string): Promise<string[]> => [
    ...new Set<string>(
      (await market('transactions', city)).cells.map((cell: { coverage_flag: string }) => cell.coverage_flag),
    ),
  ];
  const landPrices = async () => (await market('land-prices', 'riyadh')).series[0].points.length;
  const first = await ground.importFile('deals_riyadh.csv', cityCsv(riyadh));
  t.like(first, { status: 'imported', layout: 'justice_city' });
  t.deepEqual(await counts(), [60, 0]);
  // Files with this layout have no land-use classes: no point is served, instead of a point with 0 deals.
  t.is(await landPrices(), 0);
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
  t.is(await landPrices(), 1);
  const late = await ground.importFile('deals_riyadh.csv', cityCsv(make(70, 5_000)));
  t.is(late.status, 'refused');
  t.regex(late.detail ?? '', /whole country/);
  t.deepEqual(await counts(), [45, 30]);
});

test('files with other columns, cells, quarters or units are read, held or refused with a reason', async (t) => {
  const deals = dealsOf({ quarter: '2025-Q3', count: 80, random, from: 1, districts: DISTRICTS });
  const csv = dealsCsv(deals);
  const formulas = ['=HYPERLINK(0)', '@SUM(1)', '+cmd|x', ' -1+cmd'];
  const older = dealsOf({ quarter: '2018-Q4', count: 80, random, from: 1, districts: DISTRICTS });
  const withFormulas = older.map((deal, at) => ({ ...deal, district_ar: formulas[at] ?? deal.district_ar }));
  const early = dealsOf({ quarter: '2020-Q4', count: 250, random, from: 1, districts: DISTRICTS });
  const rents = [
    ...[300, 310, 290, 305, 22_500, 280, 320].map((mean) => [1, 'مكتب - تجاري', mean]),
    [2, 'شقة - سكني', 1_700],
  ].map(([quarter, type, mean], at) => `2018,${quarter},الرياض,مدينة ${at},${type},50,${mean}`);
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
    ['windows.csv', toWindows1256(csv.replace('\ufeff', '')), { status: 'imported', taken: 80 }, null],
    ['deals_riyadh.csv', cityCsv(withFormulas), { status: 'imported', taken: 77, rejected: { formula: 3 } }, null],
    [
      'strays.csv',
      dealsCsv([...early, { ...(early[0] as Deal), day: '2016-02-01' }]),
      { status: 'imported', taken: 250, rejected: { outside_quarter: 1 } },
      null,
    ],
    // A single mean that does not fit is rejected, and monthly rents are held.
    [
      'rents.csv',
      `السنة,الربع,المنطقة,المدينة,نوع العقار,مجموع الصفقات,المتوسط\n${rents.join('\n')}\n`,
      { status: 'held', taken: 7, rejected: { implausible_rent: 1 } },
      /apartment \(median 1700\)/,
    ],
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

/** Encodes Windows-1256, which Node decodes but does not encode. */
function toWindows1256(text: string): Uint8Array {
  const decoder = new TextDecoder('windows-1256');
  const codes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text], (char) => codes.get(char) ?? 63);
}

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
  t.is((await served('2021-01', '2021-06')).length, 76);
  const { rows: tables } = await ground.pool.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  for (const { name } of tables) {
    const { rows: found } = await ground.pool.query(
      `select 1 from "${name}" t where t::text like '%${secret}%' limit 1`,
    );
    t.deepEqual(found, [], name);
  }
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
  const now = () => served('2024-07', '2024-12');
  const runImport = (path: string, kill: Kill | null) =>
    runKillable(CHILD, [ground.databaseUrl, testEnv().OPENSEARCH_URL, ground.prefix, path], kill);
  await ground.import(folders.low);
  const before = await now();
  const { completed, stages } = await runImport(folders.high, null);
  t.true(completed);
  const rows = { low: before, high: await now() };
  const idsOf = (deals: readonly Row[]) => deals.map(({ id }) => id).sort();
  t.is(rows.low.length, 200);
  t.deepEqual(idsOf(rows.high), idsOf(rows.low));
  const kills = [...stages].flatMap(([stage, count]) =>
    Array.from({ length: count }, (_, at) => ({ stage, nth: at + 1, delay: 0 })),
  );
  let next: keyof typeof rows = 'low';
  let killed = 0;
  for (const kill of kills) {
    // Invalidates the digests of all files, so that the next attempt reads the file again.
    await ground.pool.query('update official_files set digest = id::text');
    if (!(await runImport(folders[next], kill)).completed) killed++;
    const found = await settled(now);
    const dear = found.filter(({ price_sar }) => price_sar > 100_000_000).length;
    const step = `killed at ${kill.stage} ${kill.nth}: ${dear} of ${found.length}`;
    t.deepEqual(found, dear === 0 ? rows.low : rows.high, step);
    await ground.import(folders[next]);
    t.deepEqual(await now(), rows[next], step);
    next = next === 'low' ? 'high' : 'low';
  }
  t.true(killed >= 3, `${killed} of ${kills.length}`);
});

/** Reads until two reads are equal: the engine may still be processing the last request of a killed process. */
async function settled<Value>(read: () => Promise<Value>): Promise<Value> {
  for (let before = await read(); ; ) {
    const after = await read();
    if (isDeepStrictEqual(before, after)) return after;
    before = after;
  }
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
