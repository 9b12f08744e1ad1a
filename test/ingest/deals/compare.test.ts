import test from 'ava';
import fc from 'fast-check';
import { findDeals } from '#ingest/deals/compare.ts';
import { Homes } from '#ingest/deals/homes.ts';
import { seeded } from '#test/market.ts';
import { distance, type PlainDeal, type PlainHome, plainDeals } from './oracle.ts';

const HOMES = (homes: readonly PlainHome[]): Homes =>
  new Homes(homes.map((home) => ({ ...home, bedrooms: home.bedrooms ?? -1 })));

function found(homes: readonly PlainHome[]) {
  return [...findDeals(HOMES(homes))]
    .map(({ id, comparison }) => ({
      id,
      gap: comparison.gap_pct,
      sample: comparison.sample_size,
      median: comparison.median_price_sar,
      radius: comparison.criteria.max_distance_m,
      sameBedrooms: comparison.criteria.same_bedrooms,
    }))
    .sort((a, b) => b.gap - a.gap || b.id - a.id);
}

/** A city of some size with homes of all kinds. */
function city(count: number, seed: number, span: number, south = 24.5): PlainHome[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, index) => {
    const bedrooms = random() < 0.1 ? null : 1 + Math.floor(random() * 4);
    const area = 60 + Math.floor(random() * 200);
    return {
      id: index + 1,
      lat: south + random() * span,
      lng: 46.5 + random() ** 2 * span,
      price: Math.round((area * 300 * Math.exp((random() - 0.5) * 1.6)) / 2) * 2,
      area,
      bedrooms,
    };
  });
}

/** Without those at the very bound, and without the gaps, whose last digit rounding decides. */
const settled = (deals: readonly PlainDeal[]) =>
  deals
    .filter(({ gap }) => gap > 20.02)
    .map(({ gap, ...deal }) => deal)
    .sort((a, b) => a.id - b.id);

/** Whether a pair lies so near the edge of a circle that the last bit of a sine decides. */
const onEdge = (homes: readonly PlainHome[]): boolean =>
  homes.some((a) =>
    homes.some((b) => [500, 1_000, 2_000, 5_000].some((radius) => Math.abs(distance(a, b) - radius) < 1e-4)),
  );

test('deals are those that plain code finds, in cities dense and wide, far south and north', (t) => {
  let seen = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 1e6 }),
      fc.constantFrom(0, 0.002, 0.02, 0.1, 0.5),
      fc.constantFrom(24.5, -33, 0, 64),
      (count, seed, span, south) => {
        const homes = city(count, seed, span, south);
        fc.pre(!onEdge(homes));
        const expected = plainDeals(homes);
        seen += expected.length;
        const deals = found(homes);
        t.deepEqual(settled(deals), settled(expected));
        for (const { id, gap } of expected) {
          const same = deals.find((deal) => deal.id === id);
          t.true(same ? Math.abs(same.gap - gap) < 0.011 : gap < 20.02);
        }
      },
    ),
    { numRuns: 40 },
  );
  t.true(seen > 100);
});

test('the order of the homes makes no difference', (t) => {
  const homes = city(200, 3, 0.03);
  const expected = found(homes);
  t.true(expected.length > 5);
  t.deepEqual(found([...homes].reverse()), expected);
});

test('doubling every price leaves every gap as it was', (t) => {
  const homes = city(300, 4, 0.03);
  const doubled = found(homes.map((home) => ({ ...home, price: home.price * 2 })));
  t.deepEqual(
    doubled,
    found(homes).map((deal) => ({ ...deal, median: deal.median * 2 })),
  );
});

test('a feed that puts a whole city on one point takes no time that grows with its square', (t) => {
  const homes = city(60_000, 5, 0).map((home) => ({ ...home, bedrooms: 3 }));
  const begun = performance.now();
  const deals = found(homes);
  const seconds = (performance.now() - begun) / 1000;
  t.log(`${deals.length} deals in ${seconds.toFixed(1)} s`);
  t.true(seconds < 60);
  // A sample of them, and a fair one.
  t.true(deals.every(({ sample }) => sample < 1_024));
  const middle = deals.map(({ sample }) => sample).sort((a, b) => a - b)[deals.length >> 1] as number;
  t.true(middle > 300);
});
