import { readFile } from 'node:fs/promises';
import type { ExecutionContext } from 'ava';
import { parseQuarter } from '#domain/official/quarters.ts';
import { heldDifference, heldLoads, releaseLoad } from '#ingest/official/held.ts';
import type { OfficialGround } from '#test/official.ts';

/** Returns the lines of a file without line breaks, header first. */
const linesOf = async (path: string): Promise<string[]> => (await readFile(path, 'utf8')).split('\r\n').filter(Boolean);
const joined = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n`;

/** Changes cells in every row for which `picked` returns true. */
const withCells = (
  lines: readonly string[],
  change: (cells: string[], row: number) => string[],
  picked = (_row: number) => true,
): string[] => lines.map((line, at) => (at === 0 || !picked(at) ? line : change(line.split(','), at).join(',')));

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
  ['cut in a row', (lines) => joined(lines).slice(0, joined(lines).length * 0.8), /last row is not closed/],
  ['cut in the last number', (lines) => joined(lines).slice(0, -3), /last row is not closed/],
  ['a third of its rows', (lines) => joined(lines.slice(0, lines.length / 3)), /rows where \d+ are served/],
  ['means times ten', (lines) => joined(withCells(lines, times(MEAN, 10))), /above their maximum/],
  [
    'means and bounds times ten',
    (lines) => joined(withCells(lines, (cells) => times(MEAN, 10)(times(MAX, 10)(times(MAX + 1, 10)(cells))))),
    /times the mean price/,
  ],
  ['mean and maximum swapped', (lines) => joined(withCells(lines, swapped(MEAN, MAX))), /above their maximum/],
  [
    'value and area swapped',
    (lines) => joined(withCells(lines, swapped(VALUE, AREA))),
    /times the mean price|nearest quarter/,
  ],
  ['values times ten', (lines) => joined(withCells(lines, times(VALUE, 10))), /times the mean price|nearest quarter/],
  ['values in halalas', (lines) => joined(withCells(lines, times(VALUE, 100))), /nearest quarter|times the mean price/],
  [
    'areas in square feet',
    (lines) => joined(withCells(lines, times(AREA, 10.764))),
    /nearest quarter|times the mean price/,
  ],
  [
    'values of a third of the rows times twenty',
    (lines) => joined(withCells(lines, times(VALUE, 20), (row) => row % 3 === 0)),
    /strata are under a quarter|nearest quarter/,
  ],
  ['the year 2031', (lines) => joined(withCells(lines, set(YEAR, '2031'))), /2031-Q2 has not begun/],
  ['every row twice', (lines) => joined([...lines, ...lines.slice(1)]), /rows repeat another one/],
  [
    'a tenth of the rows twice',
    (lines) => joined([...lines, ...lines.slice(1, lines.length / 10)]),
    /rows repeat another one/,
  ],
  [
    'negative deeds in 22% of the rows',
    (lines) => joined(withCells(lines, times(DEEDS, -1), (row) => row % 9 < 2)),
    /negative count/,
  ],
  [
    'one negative count',
    (lines) => joined(withCells(lines, times(DEEDS, -1), (row) => row === 7)),
    /1 rows have a negative/,
  ],
  [
    'deeds a tenth',
    (lines) => joined(withCells(lines, (cells) => set(DEEDS, String(Math.ceil(Number(cells[DEEDS]) / 10)))(cells))),
    /deeds where \d+ are served/,
  ],
  [
    'no numbers in a tenth of the rows',
    (lines) => joined(withCells(lines, set(VALUE, '#REF!'), (row) => row % 10 === 0)),
    /rows cannot be taken/,
  ],
  [
    'another region in between',
    (lines) => joined(withCells(lines, set(6, 'قصر'), (row) => row % 8 === 0)),
    /rows cannot be taken/,
  ],
];

/**
 * Checks that sales indicators with each planted fault are held or refused, that the served quarter remains, and that an
 * operator can release the last one. The file has the layout of 2025, and its quarter and another one are served.
 */
export async function checkFaults(
  t: ExecutionContext,
  ground: OfficialGround,
  { path, quarter }: { path: string; quarter: string },
): Promise<void> {
  const served = async () => {
    const { rows } = await ground.pool.query(
      `select count(*)::integer as rows, sum(deed_count)::integer as deeds, round(sum(value_sar)::numeric) as value from sales_indicators
        where load_id in (select id from official_loads where kind = 'sales_indicators' and state = 'current' and quarter = $1)`,
      [parseQuarter(quarter)],
    );
    return rows[0];
  };
  const lines = await linesOf(path);
  const before = await served();
  t.true(before.rows >= lines.length - 1);
  const missed: string[] = [];
  for (const [what, broken, reason] of FAULTS) {
    const { status, detail, quarters } = await ground.importFile('broken.csv', broken(lines));
    const details = `${detail ?? ''} ${quarters.map((one) => one.detail).join(' ')}`;
    if (!['held', 'refused'].includes(status) || !reason.test(details)) missed.push(`${what}: ${status} ${details}`);
    t.deepEqual(await served(), before, what);
  }
  t.deepEqual(missed, []);
  const held = await heldLoads(ground.pool);
  const last = held.find(({ quarter: label }) => label === quarter);
  const difference = await heldDifference(ground.pool, last?.id ?? 0);
  t.is(difference.served.rows, lines.length - 1);
  t.true(difference.held.rows > 0.8 * lines.length);
  t.true(difference.strata.gone > 0 && difference.moves.length <= 10);
  await releaseLoad(ground.context, last?.id ?? 0);
  t.notDeepEqual(await served(), before);
}

/** Checks that no quarter of a file is served if the file is truncated at any byte of its last row. */
export async function checkCutRows(t: ExecutionContext, ground: OfficialGround, path: string): Promise<void> {
  const whole = await readFile(path);
  const start = whole.subarray(0, -2).lastIndexOf('\n') + 1;
  for (let end = start + 1; end < whole.length - 1; end += 3) {
    const { quarters } = await ground.importFile('cut.csv', whole.subarray(0, end));
    t.true(
      quarters.every(({ state }) => state !== 'current'),
      `${end - start} bytes of the last row`,
    );
  }
}
