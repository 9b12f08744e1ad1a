import fc from 'fast-check';
import {
  EARTH_RADIUS_M,
  flatMeters,
  METERS_PER_DEGREE,
  metersBetween,
  squaredChord,
  unitVector,
} from '#domain/geography/distance.ts';
import type { LatLng } from '#domain/geography/places.ts';
import { test } from '#test/test.ts';

/** Points in and around the country. */
const point = fc.record({
  lat: fc.double({ min: 12, max: 36, noNaN: true }),
  lng: fc.double({ min: 30, max: 60, noNaN: true }),
});
const step = fc.double({ min: -0.3, max: 0.3, noNaN: true });
const near = fc
  .tuple(point, step, step)
  .map(([from, north, east]): [LatLng, LatLng] => [from, { lat: from.lat + north, lng: from.lng + east }]);

/** Returns the great-circle distance in meters, computed from the chord between two unit vectors. */
function byVectors(a: LatLng, b: LatLng): number {
  const [first, second] = [unitVector(a), unitVector(b)];
  const squared = first.reduce((sum, value, axis) => sum + (value - (second[axis] as number)) ** 2, 0);
  return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(squared) / 2);
}

test('the length of a degree of latitude and the distance from Riyadh to Jeddah are correct', (t) => {
  t.true(Math.abs(metersBetween({ lat: 24, lng: 46 }, { lat: 25, lng: 46 }) - METERS_PER_DEGREE) < 1e-6);
  const kilometers = metersBetween({ lat: 24.7136, lng: 46.6753 }, { lat: 21.4858, lng: 39.1925 }) / 1000;
  t.true(Math.abs(kilometers - 847) < 3, String(kilometers));
});

test('great-circle, chord and (up to 50 km) flat-map distances agree and are symmetric', (t) => {
  fc.assert(
    fc.property(near, ([a, b]) => {
      const meters = metersBetween(a, b);
      const close = (found: number, share: number) => Math.abs(found - meters) <= meters * share + 1e-6;
      return (
        close(byVectors(a, b), 1e-9) &&
        close(flatMeters(a, b), 1e-4) &&
        flatMeters(a, b) === flatMeters(b, a) &&
        metersBetween(b, a) === meters
      );
    }),
    { numRuns: 2_000 },
  );
  t.is(metersBetween({ lat: 24.7, lng: 46.7 }, { lat: 24.7, lng: 46.7 }), 0);
});

test('a squared chord converts back to its distance', (t) => {
  for (const meters of [0, 1, 500, 5_000, 1_000_000])
    t.true(Math.abs(2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(squaredChord(meters)) / 2) - meters) < 1e-6);
});
