import fc from 'fast-check';
import { type Cell, type IndexRules, indexOf, type PriceIndex } from '#domain/property-index/matched-index.ts';
import { randomFrom } from '#domain/statistics/random.ts';
import { test } from '#test/test.ts';

const RULES: IndexRules = {
  minCell: 5,
  minClusters: 3,
  maxRelative: 2,
  links: 'adjacent',
  maxSpread: 4,
  maxShare: 1,
  minWorth: 0,
};
const MULTILATERAL: IndexRules = { ...RULES, links: 'all', maxShare: 0.4 };

const build = (rules: IndexRules, cells: readonly Cell[], rounds = 1): PriceIndex =>
  indexOf(cells, rules, { random: randomFrom('a'), rounds });
const chain = (cells: readonly Cell[], rounds = 1): PriceIndex => build(RULES, cells, rounds);
const indexes = (found: PriceIndex): [number, number][] => found.points.map(({ period, index }) => [period, index]);
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** Markets of 4 to 8 strata over 2 to 6 periods. Any cell may have too few deals to be used. */
const markets = fc
  .record({ strata: fc.integer({ min: 4, max: 8 }), periods: fc.integer({ min: 2, max: 6 }) })
  .chain(({ strata, periods }) =>
    fc.tuple(
      ...Array.from({ length: strata * periods }, (_, at) =>
        fc.record({
          stratum: fc.constant(`s${at % strata}`),
          cluster: fc.constant(`c${at % strata}`),
          period: fc.constant(Math.floor(at / strata)),
          count: fc.integer({ min: 3, max: 60 }),
          price: fc.double({ min: 2_000, max: 3_900, noNaN: true }),
          spread: fc.constant(null),
        }),
      ),
    ),
  );

test('the chained index matches the result of the reference implementation', (t) => {
  fc.assert(
    fc.property(markets, (cells) => {
      const { drift, ...chained } = chain(cells);
      const found = indexes({ drift, ...chained });
      const expected = plain(cells);
      t.is(found.length, expected.length);
      const [first, last] = [expected[0], expected.at(-1)];
      const ends = cells.filter(({ period }) => period === first?.[0] || period === last?.[0]);
      const direct = plain(ends)[1]?.[1];
      if (drift !== null && direct !== undefined) t.true(near(drift, (last?.[1] as number) / direct));
      for (const [at, [period, index]] of expected.entries()) {
        t.is(found[at]?.[0], period);
        t.is(chained.points[at]?.from, expected[at - 1]?.[0] ?? null);
        t.true(near(found[at]?.[1] as number, index));
      }
    }),
  );
});

/**
 * Returns the share of each worth, capped repeatedly until no share exceeds the cap. The excess is distributed to the other
 * shares in proportion.
 */
function capped(worths: number[], maxShare: number): number[] {
  if (maxShare * worths.length <= 1) return worths.map(() => 1 / worths.length);
  const isCut = worths.map(() => false);
  for (;;) {
    const free = worths.reduce((sum, worth, at) => (isCut[at] ? sum : sum + worth), 0);
    const left = 1 - isCut.filter(Boolean).length * maxShare;
    const shares = worths.map((worth, at) => (isCut[at] ? maxShare : (worth / free) * left));
    const above = shares.findIndex((share, at) => !isCut[at] && share > maxShare * (1 + 1e-12));
    if (above === -1) return shares;
    isCut[above] = true;
  }
}

/**
 * Reference implementation: multiplies powers instead of adding logarithms, and shares no code with the tested index.
 */
function plain(cells: readonly Cell[], maxShare = 1): [number, number][] {
  const usable = cells.filter(({ count }) => count >= 5);
  const at = (period: number): Cell[] => usable.filter((cell) => cell.period === period);
  const all = [...new Set(usable.map(({ period }) => period))].sort((a, b) => a - b);
  while (all.length > 0 && at(all[0] as number).length < 3) all.shift();
  let last = all.shift();
  if (last === undefined) return [];
  const found: [number, number][] = [[last, 100]];
  for (const period of all) {
    const earlier = last;
    let pairs = at(period).flatMap((after) => {
      const before = at(earlier as number).find(({ stratum }) => stratum === after.stratum);
      return before ? [{ before, after, ratio: after.price / before.price }] : [];
    });
    const ratios = pairs.map(({ ratio }) => ratio).sort((a, b) => a - b);
    const half = ratios.length / 2;
    const middle =
      ratios.length % 2 === 1
        ? (ratios[Math.floor(half)] as number)
        : Math.sqrt((ratios[half - 1] as number) * (ratios[half] as number));
    pairs = pairs.filter(({ ratio }) => ratio / middle <= 2 && middle / ratio <= 2);
    if (pairs.length < 3) continue;
    const worth = ({ count, price }: Cell): number => count * price;
    const before = capped(
      pairs.map((pair) => worth(pair.before)),
      maxShare,
    );
    const after = capped(
      pairs.map((pair) => worth(pair.after)),
      maxShare,
    );
    let link = 1;
    for (const [at, pair] of pairs.entries())
      link *= pair.ratio ** (((before[at] as number) + (after[at] as number)) / 2);
    found.push([period, (found.at(-1)?.[1] as number) * link]);
    last = period;
  }
  return found;
}

/** Returns cells of a period by their prices. @param first changes of the first cell */
const at = (period: number, prices: readonly number[], first: Partial<Cell> = {}): Cell[] =>
  prices.map((price, place) => {
    const name = `s${place}`;
    return { stratum: name, cluster: name, period, count: 9, price, spread: null, ...(place === 0 && first) };
  });
const last = (rules: IndexRules, cells: readonly Cell[]) => build(rules, cells).points.at(-1);

/** Simulates deals of a city with `size` neighborhoods whose prices follow `trend`, each with independent noise. */
function simulate(random: () => number, size: number, trend: readonly number[]): Cell[] {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return trend.flatMap((level, period) =>
    Array.from({ length: size }, (_, neighborhood) => {
      // The most expensive neighborhoods cost three times as much as the least expensive.
      const own = 3_000 * 3 ** (neighborhood / size) * Math.exp(normal() * 0.03);
      const count = 6 + Math.floor(random() * 30);
      const prices = Array.from({ length: count }, () => own * level * Math.exp(normal() * 0.25)).sort((a, b) => a - b);
      const name = `n${neighborhood}`;
      const price = prices[Math.floor(count / 2)] as number;
      return { stratum: name, cluster: name, period, count, price, spread: null };
    }),
  );
}

test('the 95% interval of a link covers the true index in 92% to 97% of markets', (t) => {
  const random = randomFrom('markets of a known trend');
  let [held, all] = [0, 0];
  for (let market = 0; market < 500; market++) {
    const size = 12 + (market % 2) * 24;
    const { points } = indexOf(simulate(random, size, [1, 1.04]), RULES, { random, rounds: 300 });
    const interval = points[1]?.linkInterval;
    if (!interval) continue;
    all++;
    if (interval.low <= 1.04 && 1.04 <= interval.high) held++;
  }
  t.log(`${held} of ${all}`);
  t.true(held / all >= 0.92 && held / all <= 0.97);
});

/**
 * Reference implementation of GEKS: the geometric mean of the indirect links through every period. Only for markets whose
 * periods are all linked.
 */
function plainMultilateral(cells: readonly Cell[]): [number, number][] {
  const periods = [...new Set(cells.map(({ period }) => period))].sort((a, b) => a - b);
  const direct = (from: number, to: number): number => {
    if (from === to) return 1;
    if (from > to) return 1 / direct(to, from);
    return (
      (plain(
        cells.filter(({ period }) => period === from || period === to),
        0.4,
      )[1]?.[1] as number) / 100
    );
  };
  return periods.map((period) => [
    period,
    100 *
      periods.reduce(
        (product, by) => product * (direct(periods[0] as number, by) * direct(by, period)) ** (1 / periods.length),
        1,
      ),
  ]);
}

test('the multilateral index is the geometric mean of the indirect links through every period', (t) => {
  fc.assert(
    fc.property(markets, (cells) => {
      const whole = cells.map((cell) => ({ ...cell, count: cell.count + 5 }));
      const found = indexes(build(MULTILATERAL, whole));
      for (const [at, [period, index]] of plainMultilateral(whole).entries()) {
        t.is(found[at]?.[0], period);
        t.true(near(found[at]?.[1] as number, index));
      }
    }),
  );
});

test('the weight of a stratum does not exceed the cap', (t) => {
  const others = Array.from({ length: 29 }, () => 100);
  const market = [...at(1, [100, ...others], { count: 5_000 }), ...at(2, [150, ...others], { count: 5_000 })];
  const index = (maxShare: number): number => last({ ...MULTILATERAL, maxShare }, market)?.index as number;
  t.true(index(1) > 140);
  t.true(near(index(0.05), 100 * 1.5 ** 0.05));
  t.true(near(index(0.01), 100 * 1.5 ** (1 / 30)), 'too few for the cap: all weigh the same');
});

test('a cell is excluded from the index if its price spread exceeds the maximum', (t) => {
  const index = (spread: number): number =>
    last(RULES, [...at(1, [100, 100, 100, 100]), ...at(2, [150, 110, 110, 110], { spread })])?.index as number;
  t.true(near(index(4.1), 110));
  t.true(index(4) > 115);
});

test('periods whose common strata cover too little of the total value are not linked, and without a link have no point', (t) => {
  const at = (period: number, names: string[], count = 9): Cell[] =>
    names.map((name) => ({ stratum: name, cluster: name, period, count, price: 100, spread: null }));
  const shared = ['a', 'b', 'c'];
  const market = [
    ...at(1, shared),
    ...at(1, ['x', 'y', 'z'], 900),
    ...at(2, shared),
    ...at(3, [...shared, 'x', 'y', 'z']),
  ];
  const periods = (minWorth: number): number[] =>
    build({ ...MULTILATERAL, minWorth }, market).points.map(({ period }) => period);
  t.deepEqual(periods(0), [1, 2, 3]);
  t.deepEqual(periods(0.5), [1, 2, 3], 'the second is linked to the third');
  t.deepEqual(periods(0.8), [1, 3]);
});

test('the 95% interval of a multilateral index covers the true index in 92% to 97% of markets', (t) => {
  const random = randomFrom('markets of five quarters');
  let [held, all] = [0, 0];
  for (let market = 0; market < 300; market++) {
    const trend = [1, 1.04, 1.02, 1.08, 1.1];
    const interval = indexOf(
      simulate(random, 24, trend),
      { ...MULTILATERAL, maxShare: 0.05 },
      { random, rounds: 300 },
    ).points.at(-1)?.interval;
    if (!interval) continue;
    all++;
    if (interval.low <= 110 && 110 <= interval.high) held++;
  }
  t.log(`${held} of ${all}`);
  t.true(held / all >= 0.92 && held / all <= 0.97);
});
