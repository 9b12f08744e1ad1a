import fc from 'fast-check';
import { coverageOf, historyFrom } from '#domain/coverage.ts';
import { monthLabel, monthOf, monthStart } from '#domain/months.ts';
import { test } from '#test/test.ts';

test('months are numbered consecutively in UTC', (t) => {
  t.is(monthOf(Date.parse('2026-12-31T23:59:59Z')) + 1, monthOf(Date.parse('2027-01-01T00:00:00Z')));
  fc.assert(
    fc.property(fc.integer({ min: 2000 * 12, max: 2700 * 12 }), (month) => {
      t.is(monthOf(monthStart(month)), month);
      t.is(monthOf(monthStart(month + 1) - 1), month);
    }),
  );
  t.is(monthLabel(monthOf(Date.parse('2026-03-09T12:00:00Z'))), '2026-03');
});

test('coverage distinguishes months before the history, its first month, complete months and the current month', (t) => {
  const now = Date.parse('2026-07-20T12:00:00Z');
  const of = (day: string, start: string): string => coverageOf(monthOf(Date.parse(day)), historyFrom(start), now);
  t.is(of('2026-02-28', '2026-03-09'), 'no_history');
  t.is(of('2026-03-01', '2026-03-09'), 'history_start');
  t.is(of('2026-04-01', '2026-03-09'), 'complete');
  t.is(of('2026-06-30', '2026-03-09'), 'complete');
  t.is(of('2026-07-01', '2026-03-09'), 'in_progress');
  t.is(of('2026-03-15', '2026-03-01'), 'complete');
  t.is(of('2026-07-15', '2026-07-09'), 'in_progress');
  t.is(of('2026-07-15', '2026-08-01'), 'no_history');
});
