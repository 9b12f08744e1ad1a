import test from 'ava';
import fc from 'fast-check';
import { clustersOf } from '#site/clusters.ts';

const place = fc.record({
  x: fc.integer({ min: -200, max: 900 }),
  y: fc.integer({ min: -200, max: 700 }),
  count: fc.integer({ min: 0, max: 2_000 }),
});
const BOX = { width: 60, height: 40 };

test('every place is in one cluster, and the cluster counts its places', (t) => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 60 }), (places) => {
      const clusters = clustersOf(places, BOX);
      const members = clusters.flatMap((cluster) => cluster.members);
      t.is(members.length, places.length);
      t.is(new Set(members).size, places.length);
      for (const { members: own, count, x, y } of clusters) {
        t.is(
          count,
          own.reduce((sum, each) => sum + each.count, 0),
        );
        t.is(own[0].count, Math.max(...own.map((each) => each.count)));
        t.deepEqual([x, y], [own[0].x, own[0].y]);
        for (const each of own)
          t.true(Math.abs(each.x - own[0].x) < BOX.width && Math.abs(each.y - own[0].y) < BOX.height);
      }
    }),
    { numRuns: 200 },
  );
});

test('clusters do not overlap, and the first cluster is centered on the largest place', (t) => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 60 }), (places) => {
      const clusters = clustersOf(places, BOX);
      for (const [at, a] of clusters.entries())
        for (const b of clusters.slice(at + 1))
          t.true(Math.abs(a.x - b.x) >= BOX.width || Math.abs(a.y - b.y) >= BOX.height);
      t.is(clusters[0]?.members[0].count, Math.max(...places.map(({ count }) => count)));
    }),
    { numRuns: 100 },
  );
});
