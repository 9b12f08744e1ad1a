import fc from 'fast-check';
import { spread } from '#site/server/clusters.ts';
import { test } from '#test/test.ts';

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
        // Within 30 pixels, there may be no space next to the controls.
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
        const all = [...obstacles, ...placed];
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
