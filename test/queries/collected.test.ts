import fc from 'fast-check';
import { QUARTILE_PERCENTS } from '#domain/statistics/percents.ts';
import { exactQuartiles, quartilesOf } from '#domain/statistics/quantiles.ts';
import { ascending, exactPercentiles } from '#queries/market/collected.ts';
import { test } from '#test/test.ts';

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
