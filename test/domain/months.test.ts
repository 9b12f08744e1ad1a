import fc from 'fast-check';
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
