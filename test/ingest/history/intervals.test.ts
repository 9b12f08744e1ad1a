import fc from 'fast-check';
import { monthOf, monthStart } from '#domain/months.ts';
import { intervalsOf, type StateChange } from '#ingest/history/intervals.ts';
import { test } from '#test/test.ts';

/** Reference implementation: the price of a listing when it was last live in a month. */
function priceIn(month: number, changes: readonly StateChange[]): { price: number | null } | null {
  let found: { price: number | null } | null = null;
  for (const [index, { at, served, price }] of changes.entries()) {
    const until = changes[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    if (served && at < monthStart(month + 1) && until > monthStart(month)) found = { price };
  }
  return found;
}

test('month intervals match a replay of the changes, for any order of events', (t) => {
  const first = monthOf(Date.parse('2026-03-01T00:00:00Z'));
  // Every fourth timestamp is exactly the start of a month.
  const moment = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: monthStart(first), max: monthStart(first + 5) }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 5 }).map((months) => monthStart(first + months)) },
  );
  const change = fc.record({
    at: moment,
    served: fc.boolean(),
    listingType: fc.constant('rent'),
    price: fc.constantFrom(null, 1, 2),
  });
  fc.assert(
    fc.property(fc.uniqueArray(change, { selector: ({ at }) => at, maxLength: 12 }), (unsorted) => {
      const changes = unsorted.sort((a, b) => a.at - b.at);
      const stretches = intervalsOf(changes);
      for (let month = first - 1; month < first + 7; month++) {
        const found = stretches.filter(({ firstMonth, lastMonth }) => firstMonth <= month && month <= lastMonth);
        t.true(found.length <= 1);
        t.deepEqual(found[0] ? { price: found[0].price } : null, priceIn(month, changes));
      }
    }),
    { numRuns: 2_000 },
  );
});
