import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileReport } from '#ingest/official/report.ts';
import { generateOfficialSample } from '#sample/official.ts';
import { type OfficialGround, officialGround } from '#test/official.ts';
import { test } from '#test/test.ts';

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
