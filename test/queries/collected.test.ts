import fc from 'fast-check';
import { QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import { exactQuartiles, quartilesOf } from '#domain/statistics/quantiles.ts';
import { aggregateValues, ascending, exactPercentiles, valuesBody } from '#queries/market/collected.ts';
import { neighborhoodsBody, summaryBody } from '#queries/market/statistics.ts';
import { hourOf } from '#queries/market/window.ts';
import { test } from '#test/test.ts';

const rent = { city: 'riyadh', listing_type: 'rent' };
const hour = hourOf(Date.parse('2026-06-01T12:34:00Z'));

test('quartiles computed from values are exact for any sample', (t) => {
  const price = fc.double({ min: 1, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.option(price), { maxLength: 400 }), (values) => {
      const sorted = ascending(values);
      // Exact values are not rounded.
      const found = quartilesOf(exactPercentiles(sorted, QUARTILE_PERCENTS), sorted.length, () => Number.NaN);
      if (sorted.length === 0) return t.is(found, null);
      const exact = exactQuartiles(sorted);
      for (const part of ['p25', 'median', 'p75'] as const)
        t.true(Math.abs((found?.[part] ?? 0) - exact[part]) <= 1e-9 * exact[part], `${part} of ${sorted.length}`);
    }),
  );
});

test('statistics per bucket are computed from collected values, statistics of a single sample are not', (t) => {
  t.is(valuesBody(summaryBody(rent, hour)), null);
  const body = neighborhoodsBody(rent, hour);
  t.not(valuesBody(body), null);
  const bucket = (key: string, prices: number[], perSqm: (number | null)[]) => ({
    key,
    doc_count: prices.length,
    collected: { value: [null, [prices, perSqm]] },
  });
  const answer = {
    hits: { total: { value: 5 } },
    aggregations: {
      neighborhoods: { buckets: [bucket('1', [30, 10, 20], [null, 1, 3]), bucket('2', [7, 8], [null, null])] },
    },
  };
  type Found = { aggregations: { neighborhoods: { buckets: { key: string; price: never; price_per_sqm: never }[] } } };
  const found = aggregateValues(body, answer) as unknown as Found;
  const [first, second] = found.aggregations.neighborhoods.buckets;
  t.deepEqual(quartilesOf(first?.price as never, 3), { p25: 15, median: 20, p75: 25 });
  t.deepEqual(quartilesOf(second?.price as never, 2), { p25: 7.25, median: 7.5, p75: 7.75 });
  t.deepEqual(Object.keys(first ?? {}), ['key', 'doc_count', 'price', 'price_per_sqm']);
  t.is(aggregateValues(body, { ...answer, terminated_early: true }), null);
});
