import fc from 'fast-check';
import { classOfPrice, groupByCity, priceLimits, spread } from '#site/server/clusters.ts';
import { test } from '#test/test.ts';

const BOX = { width: 60, height: 40 };

test('circles of any size and number are moved or joined so that none overlap, and every count is in one of them', (t) => {
  const controls = { x: 370, y: 60, width: 36, height: 80 };
  const sized = fc.record({
    x: fc.integer({ min: 0, max: 390 }),
    y: fc.integer({ min: 0, max: 430 }),
    count: fc.integer({ min: 0, max: 2_000 }),
    width: fc.integer({ min: 40, max: 130 }),
    height: fc.integer({ min: 24, max: 70 }),
  });
  fc.assert(
    fc.property(
      fc.array(sized, { minLength: 1, maxLength: 60, size: 'max' }),
      fc.constantFrom(0, 30, 150),
      (items, farthest) => {
        // Within 30 pixels, there may be no space beside the controls.
        const obstacles = farthest === 150 ? [controls] : [];
        const placed = spread(items, farthest, obstacles);
        t.is(new Set(placed.flatMap(({ members }) => members)).size, items.length);
        for (const { count, members, x, y } of placed) {
          t.is(members[0].count, Math.max(...members.map((each) => each.count)));
          t.is(
            count,
            members.reduce((sum, each) => sum + each.count, 0),
          );
          t.true(Math.hypot(x - members[0].x, y - members[0].y) <= farthest + 1);
        }
        const boxes = placed;
        const all = [...obstacles, ...boxes];
        for (const [at, a] of all.entries())
          for (const b of all.slice(at + 1))
            t.true(
              Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2,
              JSON.stringify([a, b]),
            );
      },
    ),
    { numRuns: 100 },
  );
});

test('the circle with the highest count keeps its place, others move to the nearest space or join the nearest circle', (t) => {
  const [small, large] = [
    { x: 90, y: 100, count: 1, ...BOX },
    { x: 100, y: 100, count: 9, ...BOX },
  ];
  const [first, second] = spread([small, large], 150);
  t.deepEqual(first, { x: 100, y: 100, ...BOX, count: 9, members: [large] });
  t.is(second?.members[0], small);
  t.deepEqual(spread([small, large], 0), [{ x: 100, y: 100, ...BOX, count: 10, members: [large, small] }]);
});

test('price classes have about the same number of listings, and their limits have two significant digits', (t) => {
  const priced = Array.from({ length: 100 }, (_, at) => ({ price: 1_000 * (at + 1), count: 1 }));
  const limits = priceLimits(priced);
  t.deepEqual(limits, [26_000, 51_000, 76_000]);
  for (const at of [0, 1, 2, 3])
    t.is(priced.filter(({ price }) => classOfPrice(price, limits) === at).length, 25, String(at));
  // A cell counts as often as it has listings.
  t.deepEqual(priceLimits([...priced, { price: 60_000, count: 900 }]), [60_000]);
});

test('equal prices have no class limits, and cells without a price are ignored', (t) => {
  t.deepEqual(priceLimits([]), []);
  t.deepEqual(
    priceLimits([
      { price: 5_000, count: 3 },
      { price: null, count: 9 },
      { price: 5_000, count: 1 },
    ]),
    [],
  );
});

test('map cells are grouped by the cities inside or the nearest city, and cities that share a cell form one group', (t) => {
  const [a, b, c] = [
    { name: 'a', lat: 24, lng: 46 },
    { name: 'b', lat: 24, lng: 47 },
    { name: 'c', lat: 20, lng: 40 },
  ];
  const cell = (west: number, east: number, count: number) =>
    ({ lat: 24, lng: (west + east) / 2, count, bbox: [west, 23, east, 25] }) as const;
  t.deepEqual(groupByCity([cell(45, 48, 5), cell(48, 49, 2), cell(30, 38, 4)], [a, b, c]), [
    { cities: [a, b], count: 7 },
    { cities: [c], count: 4 },
  ]);
  t.deepEqual(groupByCity([cell(45, 46.5, 1), cell(46.5, 48, 2), cell(45, 48, 4)], [a, b, c]), [
    { cities: [a, b], count: 7 },
  ]);
});
