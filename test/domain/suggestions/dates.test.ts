import { lostPlus, momentsOf, periodsOf } from '#domain/suggestions/dates.ts';
import { test } from '#test/test.ts';

test('times in notations other than RFC 3339 are recognized and converted', (t) => {
  for (const [given, expected] of [
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026/1/31', '2026-01-31T00:00:00Z'],
    ['2026-01-31T08:05', '2026-01-31T08:05:00Z'],
    ['2026-01-31 8:05:09.25', '2026-01-31T08:05:09.25Z'],
    ['2026-01-31T08:05:09 UTC', '2026-01-31T08:05:09Z'],
    ['2026-01-31T08:05:09+0300', '2026-01-31T08:05:09+03:00'],
    ['2026-01-31T08:05:09 03:00', '2026-01-31T08:05:09+03:00'],
    ['2026-01-31T08:05-03', '2026-01-31T08:05:00-03:00'],
    ['1767225600', '2026-01-01T00:00:00Z'],
    ['1767225600123', '2026-01-01T00:00:00Z'],
  ] as const)
    t.is(momentsOf(given)[0], expected, given);
  for (const given of ['', 'yesterday', '31/01/2026', '12', '2026-01-31T']) t.deepEqual(momentsOf(given), [], given);
});

test('an offset whose plus sign was decoded as a space is detected', (t) => {
  t.true(lostPlus('2026-01-01T00:00:00 03:00'));
  t.true(lostPlus('2026-01-01T00:00:00.5 0300'));
  for (const text of ['2026-01-01 00:00:00', '2026-01-01T00:00:00-03:00', '2026-01-01T00:00:00Z'])
    t.false(lostPlus(text));
});

test('quarters and months in notations other than 2025-Q3 and 2025-07 are recognized', (t) => {
  for (const [given, expected] of [
    ['2025Q3', '2025-Q3'],
    ['q3 2025', '2025-Q3'],
    ['2025/3', '2025-Q3'],
    ['202507', '2025-07'],
    ['7/2025', '2025-07'],
    ['2025-7', '2025-07'],
    ['2025-07-15', '2025-Q3'],
    ['2025', '2025-Q1'],
  ] as const)
    t.true(periodsOf(given).includes(expected), given);
  for (const given of ['', 'last', 'Q5 2025']) t.deepEqual(periodsOf(given), [], given);
});
