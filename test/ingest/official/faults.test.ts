import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quarterLabel } from '#domain/official/quarters.ts';
import type { FileReport } from '#ingest/official/file-report.ts';
import { quartersIn } from '#ingest/official/stated-quarters.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { type OfficialGround, officialGround } from '#test/official.ts';
import { test } from '#test/test.ts';
import { writeWorkbook } from './workbook.ts';

const QUARTER = '2025-Q2';
const REGULATOR_FILES: readonly (readonly [folder: string, names: RegExp])[] = [
  // Two years have different layouts.
  ['indicators', /-(riyadh|makkah)-(2024-Q4|2025-Q[12])\.csv$/],
  ['rents', /-(riyadh|makkah|hail)\.csv$/],
];

let ground: OfficialGround;
/** Folder of invented files in the layouts of the publishers. */
let root: string;
const reports: FileReport[] = [];
test.before(async () => {
  ground = await officialGround('faults');
  root = await generateOfficialSample({ dir: ground.dir, seed: 3, deals: 600 });
  for (const [folder, names] of REGULATOR_FILES)
    for (const name of await readdir(join(root, folder)))
      if (names.test(name)) reports.push(...(await ground.import(join(root, folder, name))));
});
test.after(() => ground?.close());

const joined = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`;

/** Changes cells in every row for which `picked` returns true. */
const withCells = (
  lines: readonly string[],
  change: (cells: string[], row: number) => string[],
  picked = (_row: number) => true,
): string => joined(lines.map((line, at) => (at === 0 || !picked(at) ? line : change(line.split(','), at).join(','))));

const swapped =
  (one: number, other: number) =>
  (cells: string[]): string[] =>
    cells.map((cell, at) => (at === one ? cells[other] : at === other ? cells[one] : cell) as string);
const times = (column: number, factor: number) => (cells: string[]) =>
  cells.map((cell, at) => (at === column && Number(cell) ? String(Number(cell) * factor) : cell));
const set = (column: number, value: string) => (cells: string[]) =>
  cells.map((cell, at) => (at === column ? value : cell));

/** Columns of the regulator's file of 2025: year, quarter, quarter name, region, town, district, type, class, then these. */
const [YEAR, DEEDS, VALUE, AREA, MEAN, MAX] = [0, 8, 9, 10, 11, 12];

/** Planted faults and the expected messages. */
const FAULTS: readonly (readonly [string, (lines: readonly string[]) => string, RegExp])[] = [
  ['mean and maximum swapped', (lines) => withCells(lines, swapped(MEAN, MAX)), /above their maximum/],
  ['value and area swapped', (lines) => withCells(lines, swapped(VALUE, AREA)), /times the mean price|nearest quarter/],
  [
    'values of a third of the rows times twenty',
    (lines) => withCells(lines, times(VALUE, 20), (row) => row % 3 === 0),
    /strata are under a quarter|nearest quarter/,
  ],
  ['the year 2031', (lines) => withCells(lines, set(YEAR, '2031')), /2031-Q2 has not begun/],
  [
    'a tenth of the rows twice',
    (lines) => joined([...lines, ...lines.slice(1, lines.length / 10)]),
    /rows repeat another one/,
  ],
  ['one negative count', (lines) => withCells(lines, times(DEEDS, -1), (row) => row === 7), /1 rows have a negative/],
  [
    'deeds a tenth',
    (lines) => withCells(lines, (cells) => set(DEEDS, String(Math.ceil(Number(cells[DEEDS]) / 10)))(cells)),
    /deeds where \d+ are served/,
  ],
  [
    'no numbers in a tenth of the rows',
    (lines) => withCells(lines, set(VALUE, '#REF!'), (row) => row % 10 === 0),
    /rows cannot be taken/,
  ],
];

test('faulty files are held or refused, and valid ones are not', async (t) => {
  t.is(reports.length, 9);
  t.deepEqual(
    reports.filter(({ status }) => status !== 'imported'),
    [],
  );
  const served = async () => {
    const { rows } = await ground.pool.query(
      `select count(*)::integer as rows, sum(deed_count)::integer as deeds, round(sum(value_sar)::numeric) as value from sales_indicators
        where load_id in (select id from official_loads where kind = 'sales_indicators' and state = 'current' and quarter = 2025 * 4 + 1)`,
    );
    return rows[0];
  };
  const path = join(root, 'indicators', `Sales-indicators-riyadh-${QUARTER}.csv`);
  const lines = (await readFile(path, 'utf8')).split('\r\n').filter(Boolean);
  const before = await served();
  const missed: string[] = [];
  for (const [what, broken, reason] of FAULTS) {
    const { status, detail, quarters } = await ground.importFile('broken.csv', broken(lines));
    const details = `${detail ?? ''} ${quarters.map((one) => one.detail).join(' ')}`;
    if (!['held', 'refused'].includes(status) || !reason.test(details)) missed.push(`${what}: ${status} ${details}`);
    t.deepEqual(await served(), before, what);
  }
  t.deepEqual(missed, []);
});

test('a file whose name, sheet, title or columns contradict its rows is held with the contradiction and a remedy', async (t) => {
  const path = join(root, 'indicators', `Sales-indicators-riyadh-${QUARTER}.csv`);
  const lines = (await readFile(path, 'utf8')).replace('\ufeff', '').split('\r\n').filter(Boolean);
  // Of another quarter and region than the served ones.
  const rows = lines.map((line) => line.replace('2025,2,', '2025,3,').split(','));
  const region = (cells: string[], at: number) => (at === 0 ? cells : set(3, 'حائل')(set(2, 'الربع الثالث')(cells)));
  const hail = rows.map(region);
  const csv = (of: readonly string[][]) => joined(of.map((cells) => cells.join(',')));
  const workbook = async (name: string, sheet: string, title: readonly string[][] = []) => {
    await writeWorkbook(join(ground.dir, name), [...title, ...hail], sheet);
    return (await ground.import(join(ground.dir, name)))[0] as FileReport;
  };
  const held = [
    [await ground.importFile('Sales-indicators-Hail-2nd-Q-2025.csv', csv(hail)), 'the file name states 2025-Q2'],
    [await workbook('a.xlsx', 'حائل- الربع الثاني2025'), 'the sheet name states 2025-Q2'],
    [await workbook('hail-Q2-2025.xlsx', 'الربع ٢ لعام ٢٠٢٥'), 'the file name and the sheet name state 2025-Q2'],
    [await workbook('b.xlsx', 'Q3 2025', [['مؤشرات الربع الأول 2025']]), 'the title states 2025-Q1'],
  ] as const;
  const remedy = 'Correct the file or its name, and import it again, or release it if its rows are right.';
  for (const [{ status, quarters }, reason] of held) {
    t.deepEqual([status, quarters.length], ['held', 1], reason);
    t.is(quarters[0]?.detail, `${reason}, its rows are of 2025-Q3. ${remedy}`);
  }
  const other = hail.map((cells, at) => (at === 0 ? cells : set(2, 'الربع الثاني')(cells)));
  const ambiguous = await ground.importFile('hail.csv', csv(other));
  t.is(ambiguous.quarters[0]?.detail, `${rows.length - 1} rows state two values of quarter. ${remedy}`);
  const smaller = await ground.importFile('riyadh-Q1-2025.csv', joined(lines.slice(0, lines.length / 2)));
  t.regex(smaller.quarters[0]?.detail ?? '', /states 2025-Q1.*rows where \d+ are served/);
  t.false(smaller.quarters[0]?.detail?.includes('Compare'), 'a comparison does not mend a contradiction');
  const corrected = await ground.importFile('Sales-indicators-Hail-3rd-Q-2025.csv', csv(hail));
  t.deepEqual([corrected.status, corrected.quarters[0]?.quarter], ['imported', '2025-Q3'], 'under a corrected name');
});

test('quarters are read from the spellings of file names, sheets and titles, and nothing else is', (t) => {
  for (const [text, ...quarters] of [
    ['Sales-transaction-indicators-in-Madinah-1stQ-2024.csv', '2024-Q1'],
    ['in-EP-3rd-Q-2025.xlsx', '2025-Q3'],
    ['REPI-2023-Q4.csv', '2023-Q4'],
    ['rents_2025Q3', '2025-Q3'],
    ['third quarter of 2025', '2025-Q3'],
    ['Q1 2025 to Q2 2025', '2025-Q1', '2025-Q2'],
    ['حائل- الربع الثالث2025', '2025-Q3'],
    ['2025 - الربع الثالث', '2025-Q3'],
    ['مؤشرات الربع الرابع من عام ٢٠٢٤م', '2024-Q4'],
    ['in-the-EP-Q-2024.csv'],
    ['deals_riyadh_2025-03-01.csv'],
    ['الربع الخالي 2025'],
    ['Sheet1'],
  ] as const)
    t.deepEqual(quartersIn(text).map(quarterLabel), quarters, text);
});

test('a file truncated at any byte of its last row is held', async (t) => {
  const whole = await readFile(join(root, 'rents', 'Rental-indicators-hail.csv'));
  const start = whole.subarray(0, -2).lastIndexOf('\n') + 1;
  for (let end = start + 1; end < whole.length - 1; end += 3) {
    const { quarters } = await ground.importFile('cut.csv', whole.subarray(0, end));
    t.true(
      quarters.every(({ state }) => state !== 'current'),
      `${end - start} bytes of the last row`,
    );
  }
});
