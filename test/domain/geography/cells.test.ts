import fc from 'fast-check';
import { cellsOf } from '#domain/geography/cells.ts';
import { test } from '#test/test.ts';

const centers = fc.uniqueArray(
  fc.record({ lat: fc.double({ min: 20, max: 28, noNaN: true }), lng: fc.double({ min: 38, max: 50, noNaN: true }) }),
  { minLength: 1, maxLength: 40, selector: ({ lat, lng }) => `${lat.toFixed(2)} ${lng.toFixed(2)}` },
);

test("a cell corner is never nearer to another cell's center than to the center of its cell", (t) => {
  fc.assert(
    fc.property(centers, (points) => {
      const placed = points.map((point, id) => ({ id, ...point }));
      const shrink = Math.cos(((placed[0]?.lat ?? 0) * Math.PI) / 180);
      const cells = cellsOf(placed);
      t.is(cells.length, placed.length);
      for (const { id, ring } of cells)
        for (const [lng, lat] of ring) {
          const distance = (to: { lat: number; lng: number }) => Math.hypot((to.lng - lng) * shrink, to.lat - lat);
          const own = distance(placed[id] as { lat: number; lng: number });
          t.true(placed.every((other) => distance(other) >= own - 1e-9));
        }
    }),
    // Regression: three points on one line had overlapping cells.
    { numRuns: 60, examples: [[[20.005, 20.015, 20].map((lat) => ({ lat, lng: 38 }))]] },
  );
});
