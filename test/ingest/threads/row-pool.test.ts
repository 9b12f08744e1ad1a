import { setTimeout as sleep } from 'node:timers/promises';
import { NO_BOUNDARIES } from '#domain/geography/boundaries.ts';
import { type RowFault, readRows } from '#ingest/threads/row-pool.ts';
import { test } from '#test/test.ts';
import type { FixtureRow } from './fixture-reader.ts';

const module = new URL('./fixture-reader.ts', import.meta.url);
const read = (rows: readonly FixtureRow[], signal = new AbortController().signal) =>
  readRows<number>(rows, { module, context: 2, boundaries: NO_BOUNDARIES, signal });

const reasonOf = (result: number | RowFault): number | string =>
  typeof result === 'number' ? result : `${result.reason}: ${result.detail}`;

test('rows are read in order, and a row that does not end, throws or ends its thread affects no other', async (t) => {
  const rows: FixtureRow[] = Array.from({ length: 500 }, (_, at) => at);
  const faults: Readonly<Record<number, [FixtureRow, RegExp]>> = {
    0: ['never ends', /^too_slow: .* 250 ms/],
    7: ['throws', /^malformed_row: .*not a number/],
    8: ['never ends', /^too_slow/],
    250: ['ends the thread', /^malformed_row/],
    499: [() => {}, /^malformed_row: .*clone/],
  };
  for (const [at, [row]] of Object.entries(faults)) rows[Number(at)] = row;
  const results = (await read(rows)).map(reasonOf);
  t.is(results.length, rows.length);
  for (const [at, result] of results.entries()) {
    const fault = faults[at]?.[1];
    if (fault === undefined) t.is(result, 2 * at);
    else t.regex(String(result), fault);
  }
});

test('a run that stops does not wait for a row that does not end, and the next run reads on', async (t) => {
  const stop = new AbortController();
  const reading = read([1, 'never ends'], stop.signal);
  await sleep(50);
  stop.abort(new Error('stopped'));
  await t.throwsAsync(reading, { message: 'stopped' });
  t.deepEqual(await read([3, 4]), [6, 8]);
});
