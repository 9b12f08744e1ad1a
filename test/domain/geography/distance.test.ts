import fc from 'fast-check';
import { flatMeters, metersBetween } from '#domain/geography/distance.ts';
import { sphericalMeters } from '#test/distance.ts';
import { test } from '#test/test.ts';

const point = fc.record({
  lat: fc.double({ min: 12, max: 36, noNaN: true }),
  lng: fc.double({ min: 30, max: 60, noNaN: true }),
});
const step = fc.double({ min: -0.3, max: 0.3, noNaN: true });

test('great-circle distances, and up to 50 km flat-map distances, match the reference implementation', (t) => {
  fc.assert(
    fc.property(point, step, step, (from, north, east) => {
      const to = { lat: from.lat + north, lng: from.lng + east };
      const meters = sphericalMeters(from, to);
      const close = (found: number, share: number) => Math.abs(found - meters) <= meters * share + 1e-3;
      t.true(close(metersBetween(from, to), 1e-6) && close(flatMeters(from, to), 1e-4));
    }),
    { numRuns: 1_000 },
  );
});
