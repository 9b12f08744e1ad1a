import { DISTRIBUTION_PERCENTS, QUARTILE_PERCENTS, TAILS } from '#domain/statistics/percents.ts';
import {
  exactQuartiles,
  percentileOf,
  quantile,
  quartilesOf,
  snapToRoundWithin,
} from '#domain/statistics/quantiles.ts';
import { test } from '#test/test.ts';

/**
 * Ranks of the values that the engine returns for a percentile: from a digest with separate values, and from a histogram.
 */
const ENGINES = {
  digest: (size: number, percent: number) => Math.min(Math.floor((percent / 100) * size), size - 1),
  histogram: (size: number, percent: number) => Math.max(Math.ceil((percent / 100) * size), 1) - 1,
};

const SIZES = [...Array.from({ length: 900 }, (_, index) => index + 1), 5_001, 30_002, 60_003, 99_996];

for (const [name, rank] of Object.entries(ENGINES)) {
  test(`quartiles and tail percentiles computed from the ranks of a ${name} are exact in samples of every size`, (t) => {
    const wrong: string[] = [];
    for (const size of SIZES) {
      const values = Array.from({ length: size }, (_, index) => (index + 1) ** 2);
      const answerOf = (percents: readonly number[]) => ({
        values: percents.map((key) => ({ key, value: values[rank(size, key)] as number })),
      });
      const quartiles = quartilesOf(answerOf(QUARTILE_PERCENTS), size);
      const exactly = exactQuartiles(values);
      for (const part of ['p25', 'median', 'p75'] as const)
        if (Math.abs((quartiles?.[part] ?? 0) - exactly[part]) > 1e-9)
          wrong.push(`${part} of ${size}: ${quartiles?.[part]}, not ${exactly[part]}`);
      const answer = answerOf(DISTRIBUTION_PERCENTS);
      for (const percent of [...TAILS, 25, 75]) {
        const found = percentileOf(answer, percent, size, (value) => value) ?? 0;
        const exact = quantile(values, percent / 100);
        // Shares such as 0.95 have no exact binary form.
        if (Math.abs(found - exact) > 1e-9 * exact) wrong.push(`p${percent} of ${size}: ${found}, not ${exact}`);
      }
    }
    t.deepEqual(wrong, []);
  });
}

test('a value is rounded to the roundest number within 0.1%', (t) => {
  const snapToRound = snapToRoundWithin(0, Number.POSITIVE_INFINITY);
  t.is(snapToRound(45_023), 45_000);
  t.is(snapToRound(181_888), 182_000);
  t.is(snapToRound(1_274_800), 1_275_000);
  t.is(snapToRound(119.95), 120);
  t.is(snapToRoundWithin(41_237, 41_237)(41_247), 41_237);
  t.is(snapToRoundWithin(41_237, 41_237)(41_217), 41_237);
});
