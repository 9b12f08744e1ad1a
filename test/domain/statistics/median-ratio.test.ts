import { LEVEL_PERCENTS, levelOfMean, levelOfMeans, medianLevel, ratioOf } from '#domain/statistics/median-ratio.ts';
import { exactPercentiles } from '#queries/market/collected.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

const levelOf = (values: readonly number[]) =>
  medianLevel(exactPercentiles(Float64Array.from(values).sort(), LEVEL_PERCENTS), values.length);

const random = seeded(53);
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** Prices per square meter: one level, or a heavy upper tail. */
const even = () => 4_000 * Math.exp(0.3 * normal());
const tailed = () => 4_000 * Math.exp(0.2 * normal() + (random() < 0.1 ? 1 : 0));
const sample = (size: number, market: () => number): number[] => Array.from({ length: size }, market);

test('the error of a median is the distance of two ranks in standard deviations of the rank', (t) => {
  // The ranks at 25 and 75% of 16 values are 4 and 12: two standard deviations of the rank below and above.
  const { value, error } = levelOf([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  t.is(value, 17.5);
  t.is(error, Math.log(21 / 13) / 4);
  t.is(levelOf([5, 5, 5, 5, 5]).error, 0);
});

test('95% intervals contain the ratio of the medians of two markets in 92 to 99% of samples', (t) => {
  for (const [one, other] of [[even, even] as const, [tailed, even] as const]) {
    const exact = levelOf(sample(100_001, one)).value / levelOf(sample(100_001, other)).value;
    for (const sizes of [
      [5, 50],
      [10, 10],
      [40, 200],
      [300, 300],
    ] as const) {
      const rounds = 600;
      let contained = 0;
      for (let round = 0; round < rounds; round++) {
        const [asking, registered] = [sample(sizes[0], one), sample(sizes[1], other)];
        const { interval } = ratioOf(levelOf(asking), levelOf(registered));
        if (interval.low <= exact && exact <= interval.high) contained++;
      }
      t.true(contained > rounds * 0.92 && contained < rounds * 0.995, `${sizes}: ${contained}`);
    }
  }
});

test('a published mean has at most the error of half its range; of means, the weighted median is taken', (t) => {
  const mean = (count: number, value: number) => ({ count, mean: value, low: value * 0.8, high: value * 1.2 });
  t.deepEqual(levelOfMean(mean(25, 5_000)), { value: 5_000, error: Math.log(1.5) / 10 });
  t.is(levelOfMeans([mean(5, 9_000), mean(20, 4_000), mean(6, 5_000)]).value, 4_000);
  t.is(levelOfMeans([mean(10, 4_000), mean(4, 5_000), mean(6, 9_000)]).value, 4_500);
  const { ratio, interval } = ratioOf({ value: 11, error: 0.03 }, { value: 10, error: 0.04 });
  t.is(ratio, 1.1);
  t.true(Math.abs(Math.log(interval.high / interval.low) - 2 * 1.959964 * 0.05) < 1e-9);
});
