import test from 'ava';
import fc from 'fast-check';
import { type Cell, type Chain, type ChainRules, chainOf } from '#domain/property-index/chain.ts';
import { randomFrom } from '#domain/statistics/random.ts';

const RULES: ChainRules = { minCell: 5, minClusters: 3, maxRelative: 2 };
const chain = (cells: readonly Cell[], rounds = 1): Chain => chainOf(cells, RULES, { random: randomFrom('a'), rounds });
const indexes = (found: Chain): [number, number][] => found.points.map(({ period, index }) => [period, index]);
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** A market of 4 to 8 strata over 2 to 6 periods, any of which may be missing or too small. */
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
        }),
      ),
    ),
  );

test('no price changes: 100 throughout, however the mix changes', (t) => {
  fc.assert(
    fc.property(markets, (cells) => {
      const level = new Map(cells.map(({ stratum, price }) => [stratum, price]));
      const flat = cells.map((cell) => ({ ...cell, price: level.get(cell.stratum) as number }));
      for (const [, index] of indexes(chain(flat))) t.true(near(index, 100));
    }),
  );
});

test('all prices of a period by one factor: its index by that factor, and the others as they were', (t) => {
  fc.assert(
    fc.property(
      markets,
      fc.integer({ min: 1, max: 5 }),
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      (cells, at, by) => {
        const before = indexes(chain(cells));
        const after = indexes(
          chain(cells.map((cell) => (cell.period === at ? { ...cell, price: cell.price * by } : cell))),
        );
        t.is(after.length, before.length);
        const first = before[0]?.[0] === at;
        for (const [place, [period, index]] of before.entries()) {
          const factor = period === at || first ? (period === at && first ? 1 : first ? 1 / by : by) : 1;
          t.true(near(after[place]?.[1] as number, index * factor));
        }
      },
    ),
  );
});

test('the order of cells changes not a bit, intervals and all', (t) => {
  fc.assert(
    fc.property(
      markets.chain((cells) => fc.tuple(fc.constant(cells), fc.shuffledSubarray(cells, { minLength: cells.length }))),
      ([cells, shuffled]) => {
        t.deepEqual(chain(shuffled, 20), chain(cells, 20));
      },
    ),
    { numRuns: 30 },
  );
});

test('time reversal: with time run backward the index is turned over', (t) => {
  fc.assert(
    fc.property(markets, (cells) => {
      // Where a period cannot be linked, forward and backward would part at different places.
      const whole = cells.map((cell) => ({ ...cell, count: cell.count + 5 }));
      const forward = chain(whole).points;
      const back = chain(whole.map((cell) => ({ ...cell, period: -cell.period }))).points;
      t.is(back.length, forward.length);
      const end = forward.at(-1)?.index as number;
      for (const [at, { index }] of forward.entries())
        t.true(near(back[back.length - 1 - at]?.index as number, (100 * index) / end));
    }),
  );
});

test('a neighborhood that comes, or goes, moves nothing by itself', (t) => {
  fc.assert(
    fc.property(
      markets,
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 5, max: 500 }),
      fc.double({ min: 1, max: 1e6, noNaN: true }),
      (cells, at, count, price) => {
        const visitor = { stratum: 'new', cluster: 'new', period: at, count, price };
        const with_ = chain([...cells, visitor]);
        // It may make a period one that others can be linked to, but has no relative of its own.
        const same = new Map(indexes(chain(cells)));
        if (with_.points[0]?.period !== [...same.keys()][0]) return;
        for (const [period, index] of indexes(with_)) t.true(near(index, same.get(period) as number));
      },
    ),
  );
});

test('an index between the least and the greatest relative, every link', (t) => {
  fc.assert(
    fc.property(markets, (cells) => {
      const points = chain(cells).points;
      for (const [at, { from, period, index }] of points.entries()) {
        if (from === null) continue;
        const relatives = cells.flatMap((cell) => {
          const before = cells.find(({ stratum, period }) => stratum === cell.stratum && period === from);
          return cell.period === period && before ? [cell.price / before.price] : [];
        });
        const link = index / (points[at - 1]?.index as number);
        t.true(link >= Math.min(...relatives) * (1 - 1e-9) && link <= Math.max(...relatives) * (1 + 1e-9));
      }
    }),
  );
});

test('as plain code has it', (t) => {
  fc.assert(
    fc.property(markets, (cells) => {
      const found = indexes(chain(cells));
      const expected = plain(cells);
      t.is(found.length, expected.length);
      for (const [at, [period, index]] of expected.entries()) {
        t.is(found[at]?.[0], period);
        t.true(near(found[at]?.[1] as number, index));
      }
    }),
  );
});

/** The method over again: products of powers instead of sums of logarithms, and no structure shared. */
function plain(cells: readonly Cell[]): [number, number][] {
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
    const before = pairs.reduce((sum, pair) => sum + worth(pair.before), 0);
    const after = pairs.reduce((sum, pair) => sum + worth(pair.after), 0);
    let link = 1;
    for (const pair of pairs) link *= pair.ratio ** ((worth(pair.before) / before + worth(pair.after) / after) / 2);
    found.push([period, (found.at(-1)?.[1] as number) * link]);
    last = period;
  }
  return found;
}

test('a period that cannot be linked has no point, and the next is linked past it', (t) => {
  const strata = ['a', 'b', 'c'];
  const at = (period: number, price: number, count = 9): Cell[] =>
    strata.map((stratum) => ({ stratum, cluster: stratum, period, count, price }));
  const { points } = chain([...at(1, 100), ...at(2, 300, 4), ...at(4, 121)]);
  t.deepEqual(
    points.map(({ period, from }) => [period, from]),
    [
      [1, null],
      [4, 1],
    ],
  );
  t.true(near(points[1]?.index as number, 121));
  t.deepEqual(chain([]), { points: [], drift: null });
});

test('a wild relative is left out, up or down', (t) => {
  const strata = ['a', 'b', 'c', 'd'];
  const at = (period: number, prices: number[]): Cell[] =>
    strata.map((stratum, place) => ({ stratum, cluster: stratum, period, count: 9, price: prices[place] as number }));
  for (const wild of [10, 1_000]) {
    const { points } = chain([...at(1, [100, 100, 100, 100]), ...at(2, [110, 110, 110, wild])]);
    t.true(near(points[1]?.index as number, 110));
    t.is(points[1]?.strata, 3);
  }
});

/** Deals of a city of `size` neighborhoods whose prices follow `trend`, each around it by itself. */
function simulate(
  random: () => number,
  size: number,
  trend: readonly number[],
  dealsOf: (neighborhood: number, period: number) => number,
) {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const cells: Cell[] = [];
  const medians = trend.map((level, period) => {
    const all: number[] = [];
    for (let neighborhood = 0; neighborhood < size; neighborhood++) {
      // Dear neighborhoods are three times as dear as cheap ones.
      const own = 3_000 * 3 ** (neighborhood / size) * Math.exp(normal() * 0.03);
      const count = dealsOf(neighborhood, period);
      const prices = Array.from({ length: count }, () => own * level * Math.exp(normal() * 0.25)).sort((a, b) => a - b);
      all.push(...prices);
      if (count > 0) {
        const name = `n${neighborhood}`;
        cells.push({ stratum: name, cluster: name, period, count, price: prices[Math.floor(count / 2)] as number });
      }
    }
    all.sort((a, b) => a - b);
    return all[Math.floor(all.length / 2)] as number;
  });
  return { cells, medians };
}

test('a market whose mix moves outward: the index finds the trend, where a plain median tells of a fall', (t) => {
  const random = randomFrom('a growing city');
  const trend = Array.from({ length: 12 }, (_, period) => 1.02 ** period);
  // Deals go from the dear middle to the cheap edge.
  const deals = (neighborhood: number, period: number): number => {
    const dear = neighborhood / 60;
    return Math.round(8 + 40 * (dear * (1 - period / 11) + (1 - dear) * (period / 11)));
  };
  const { cells, medians } = simulate(random, 60, trend, deals);
  const { points, drift } = chain(cells, 300);
  const truth = (trend.at(-1) as number) * 100;
  const found = points.at(-1)?.index as number;
  const plainMedian = ((medians.at(-1) as number) / (medians[0] as number)) * 100;
  t.log(`truth ${truth.toFixed(1)}, index ${found.toFixed(1)}, median ${plainMedian.toFixed(1)}, drift ${drift}`);
  t.true(Math.abs(found - truth) < 3);
  t.true(plainMedian < 112, 'a rise of a quarter is all but gone from the median');
  t.true(Math.abs((drift as number) - 1) < 0.03);
});

test('the 95% interval holds the true index of a link in 92 to 97 of 100 markets', (t) => {
  const random = randomFrom('markets of a known trend');
  let [held, all] = [0, 0];
  for (let market = 0; market < 500; market++) {
    const size = 12 + (market % 2) * 24;
    const { cells } = simulate(random, size, [1, 1.04], () => 6 + Math.floor(random() * 30));
    const { points } = chainOf(cells, RULES, { random, rounds: 300 });
    const interval = points[1]?.linkInterval;
    if (!interval) continue;
    all++;
    if (interval.low <= 1.04 && 1.04 <= interval.high) held++;
  }
  t.log(`${held} of ${all}`);
  t.true(held / all >= 0.92 && held / all <= 0.97);
});
