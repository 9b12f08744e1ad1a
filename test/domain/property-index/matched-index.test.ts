import fc from 'fast-check';
import { quarterLabel } from '#domain/official/quarters.ts';
import { type Cell, type IndexRules, indexOf } from '#domain/property-index/matched-index.ts';
import { SERIES_KINDS } from '#domain/property-index/series.ts';
import { quantile } from '#domain/statistics/quantiles.ts';
import { randomFrom } from '#domain/statistics/random.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { repeat } from '../../src/endpoints/official/repeat-property-index.ts';

const { rules: MULTILATERAL } = SERIES_KINDS.residential_land_registered.version;
const { rules: CHAINED } = SERIES_KINDS.home_registered.version;
const FIRST = 2023 * 4 + 1;

type Deal = Parameters<typeof repeat>[0][number];
const middle = (values: readonly number[], share = 0.5): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    share,
  );

/** Prices of deals in 10 to 40 neighborhoods of very different size over 2 to 5 quarters, some of them without data. */
function pricesOf(seed: number) {
  const random = seeded(seed);
  const [strata, periods] = [10 + Math.floor(random() * 30), 2 + Math.floor(random() * 4)];
  return Array.from({ length: strata * periods }, (_, at) => {
    const spread = random() < 0.1 ? 2.5 : 0.8;
    const count = Math.floor(random() < 0.1 ? random() * 8 : 5 + random() ** 8 * 400);
    const level = 1_000 * (1 + (at % strata)) * (random() < 0.03 ? 3 : 1 + random() * 0.2);
    return {
      neighborhood: at % strata,
      period: FIRST + Math.floor(at / strata),
      prices: Array.from({ length: count }, () => level * Math.exp((random() - 0.5) * spread)),
    };
  });
}

test('the index of plots matches the independent implementation of its documentation', (t) => {
  let points = 0;
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const all = pricesOf(seed);
      const deals = all.flatMap(({ neighborhood, period, prices }) =>
        prices.map((price): Deal => {
          const registration_month = `${Math.floor(period / 4)}-${String((period % 4) * 3 + 2).padStart(2, '0')}`;
          const place = { city: 'jeddah', neighborhood_id: neighborhood };
          const named = { ministry_city_ar: null, ministry_district_ar: null };
          return { registration_month, ...place, ...named, price_per_sqm_sar: price };
        }),
      );
      const cells = all
        .filter(({ prices }) => prices.length > 0)
        .map(({ neighborhood, period, prices }): Cell => {
          const name = String(neighborhood);
          const spread = middle(prices, 0.9) / middle(prices, 0.1);
          return { stratum: name, cluster: name, period, count: prices.length, price: middle(prices), spread };
        });
      const found = indexOf(cells, MULTILATERAL, { random: randomFrom('a'), rounds: 1 }).points;
      const expected = repeat(deals, '9999-Q4');
      t.deepEqual(
        found.map(({ period }) => quarterLabel(period)),
        expected.map(({ period }) => period),
      );
      for (const [at, { index }] of expected.entries()) t.true(Math.abs((found[at]?.index ?? 0) / index - 1) < 1e-8);
      points += found.length;
    }),
    { numRuns: 40 },
  );
  t.true(points > 80, `${points} points`);
});

test('the chained index multiplies the links of consecutive periods, and its drift compares the first with the last', (t) => {
  const at = (period: number, prices: readonly number[]): Cell[] =>
    prices.map((price, place) => ({
      ...{ stratum: `s${place}`, cluster: `s${place}`, period, count: 9, price, spread: null },
    }));
  const rules: IndexRules = { ...CHAINED, minClusters: 3 };
  // In the third period, another four neighborhoods have deals.
  const cells = [
    ...at(1, [100, 100, 100]),
    ...at(2, [110, 110, 110, 200, 200, 200]),
    ...at(3, [Number.NaN, Number.NaN, Number.NaN, 300, 300, 300]),
    ...at(4, [130, 130, 130, 390, 390, 390]),
  ];
  const { points, drift } = indexOf(cells, rules, { random: randomFrom('a'), rounds: 1 });
  const indexes = points.map(({ period, from, index }) => [period, from, Math.round(index * 100) / 100]);
  t.deepEqual(indexes, [
    [1, null, 100],
    [2, 1, 110],
    [3, 2, 165],
    [4, 3, 214.5],
  ]);
  t.true(Math.abs((drift ?? 0) - 2.145 / 1.3) < 1e-9);
});

/** Simulates deals of a city with `size` neighborhoods whose prices follow `trend`, each with independent noise. */
function simulate(random: () => number, size: number, trend: readonly number[]): Cell[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return trend.flatMap((level, period) =>
    Array.from({ length: size }, (_, neighborhood) => {
      // The most expensive neighborhoods cost three times as much as the least expensive.
      const own = 3_000 * 3 ** (neighborhood / size) * Math.exp(normal() * 0.03);
      const count = 6 + Math.floor(random() * 30);
      const prices = Array.from({ length: count }, () => own * level * Math.exp(normal() * 0.25));
      const name = `n${neighborhood}`;
      return { stratum: name, cluster: name, period, count, price: middle(prices), spread: null };
    }),
  );
}

for (const [name, rules, trend] of [
  ['chained', CHAINED, [1, 1.04]],
  ['multilateral', { ...MULTILATERAL, maxSpread: Number.POSITIVE_INFINITY }, [1, 1.04, 1.02, 1.08, 1.1]],
] as const)
  test(`the 95% interval of a ${name} index covers the true index in 92% to 97% of markets`, (t) => {
    const random = randomFrom(`${name} markets of a known trend`);
    const truth = 100 * (trend.at(-1) ?? 1);
    let [held, all] = [0, 0];
    for (let market = 0; market < 400; market++) {
      const cells = simulate(random, 12 + (market % 2) * 24, trend);
      const interval = indexOf(cells, rules, { random, rounds: 300 }).points.at(-1)?.interval;
      if (!interval) continue;
      all++;
      if (interval.low <= truth && truth <= interval.high) held++;
    }
    t.log(`${held} of ${all}`);
    t.true(all > 300 && held / all >= 0.92 && held / all <= 0.97);
  });
