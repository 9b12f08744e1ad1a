import test from 'ava';
import fc from 'fast-check';
import { coverageOf, historyFrom } from '#domain/coverage.ts';
import { monthLabel, monthOf, monthStart } from '#domain/months.ts';
import { replay, type Sighting } from '#ingest/history/replay.ts';

test('months are counted one after the other, in UTC', (t) => {
  t.is(monthOf(Date.parse('2026-12-31T23:59:59Z')) + 1, monthOf(Date.parse('2027-01-01T00:00:00Z')));
  fc.assert(
    fc.property(fc.integer({ min: 2000 * 12, max: 2700 * 12 }), (month) => {
      t.is(monthOf(monthStart(month)), month);
      t.is(monthOf(monthStart(month + 1) - 1), month);
    }),
  );
  t.is(monthLabel(monthOf(Date.parse('2026-03-09T12:00:00Z'))), '2026-03');
});

test('coverage of months around the beginning and the end of the history', (t) => {
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

/** The price a listing is counted at in a month, said plainly: that of the last moment it was live in it. */
function priceIn(month: number, sightings: readonly Sighting[]): { price: number | null } | null {
  let found: { price: number | null } | null = null;
  for (const [index, { at, served, price }] of sightings.entries()) {
    const until = sightings[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    if (served && at < monthStart(month + 1) && until > monthStart(month)) found = { price };
  }
  return found;
}

test('stretches of months say what sightings say, whatever order things happen in', (t) => {
  const first = monthOf(Date.parse('2026-03-01T00:00:00Z'));
  // Every fourth falls on the very moment that a month begins.
  const moment = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: monthStart(first), max: monthStart(first + 5) }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }).map((months) => monthStart(first + months)) },
  );
  const sighting = fc.record({
    at: moment,
    served: fc.boolean(),
    listingType: fc.constant('rent'),
    price: fc.constantFrom(null, 1, 2),
  });
  fc.assert(
    fc.property(fc.uniqueArray(sighting, { selector: ({ at }) => at, maxLength: 12 }), (unsorted) => {
      const sightings = unsorted.sort((a, b) => a.at - b.at);
      const rows = replay(sightings);
      for (let month = first - 1; month < first + 7; month++) {
        const row = rows.filter(({ first: from, last }) => from <= month && month <= last);
        t.true(row.length <= 1);
        t.deepEqual(row[0] ? { price: row[0].price } : null, priceIn(month, sightings));
      }
    }),
    { numRuns: 2_000 },
  );
});
