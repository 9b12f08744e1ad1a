import { medianLevel, ratioOf } from '#domain/statistics/median-ratio.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

const levelOf = (values: readonly number[]) =>
  medianLevel({ ascending: Float64Array.from(values).sort() }, values.length);

const random = seeded(53);
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** Prices per square meter: one level, or a heavy upper tail. */
const even = () => 4_000 * Math.exp(0.3 * normal());
const tailed = () => 4_000 * Math.exp(0.2 * normal() + (random() < 0.1 ? 1 : 0));
const sample = (size: number, market: () => number): number[] => Array.from({ length: size }, market);

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
