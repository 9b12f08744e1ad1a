import fc from 'fast-check';
import type { LatLng } from '#domain/geography/places.ts';
import { parsePolygon, polygonFault } from '#domain/geography/shapes.ts';
import { test } from '#test/test.ts';

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const point = fc.record({ lat: degrees(17, 32), lng: degrees(35, 55) });
/** Corners in the order of their direction from a center, so that no edges cross. */
const star = fc
  .tuple(point, fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 4, maxLength: 40 }), fc.nat())
  .filter(([, angles]) => widestGap(angles) < 180)
  .map(([center, angles, seed]) =>
    angles
      .toSorted((a, b) => a - b)
      .map((angle, index): LatLng => {
        const radius = 0.1 + ((seed + index * 37) % 50) / 100;
        const direction = (angle * Math.PI) / 180;
        return { lat: center.lat + radius * Math.sin(direction), lng: center.lng + radius * Math.cos(direction) };
      }),
  );

function widestGap(angles: readonly number[]): number {
  const sorted = angles.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((angle, index) => (angle - (sorted.at(index - 1) ?? 0) + 360) % 360));
}

test('polygons that enclose no area, or touch or cross themselves, are not simple', (t) => {
  const faultOf = (text: string) => polygonFault(parsePolygon(text) ?? []);
  t.is(faultOf('24,46;25,47;26,48'), 'no area');
  t.is(faultOf('24,46;24,46;25,46;25,47'), null, 'a repeated point counts once');
  t.is(faultOf('24,46;24,46.5;24,47;25,47'), null, 'a corner may lie on a straight edge');
  for (const text of [
    '24,46;24,48;24,47;25,47',
    '24,46;24,48;25,48;24,47;25,46',
    '24,46;25,47;26,46;26,48;25,47;24,48',
  ])
    t.true(Array.isArray(faultOf(text)), text);
});

test('a polygon, with or without two swapped corners, is refused exactly if its edges cross, in both directions', (t) => {
  fc.assert(
    fc.property(star, fc.nat(), fc.boolean(), (corners, at, isSwapped) => {
      const first = at % corners.length;
      const second = (first + 1) % corners.length;
      const drawn = [...corners];
      if (isSwapped) [drawn[first], drawn[second]] = [corners[second] as LatLng, corners[first] as LatLng];
      for (const each of [drawn, drawn.toReversed()]) t.is(polygonFault(each) === null, !crossesSomewhere(drawn));
    }),
  );
});

/** Returns whether any two edges without a common corner cross, by their parametric intersection. */
function crossesSomewhere(corners: readonly LatLng[]): boolean {
  const count = corners.length;
  const corner = (index: number): LatLng => corners[index % count] as LatLng;
  for (let i = 0; i < count; i++)
    for (let j = i + 2; j < count; j++) {
      if (i === 0 && j === count - 1) continue;
      const [a, b, c, d] = [corner(i), corner(i + 1), corner(j), corner(j + 1)];
      const [ux, uy, vx, vy] = [b.lng - a.lng, b.lat - a.lat, d.lng - c.lng, d.lat - c.lat];
      const determinant = ux * vy - uy * vx;
      const s = ((c.lng - a.lng) * vy - (c.lat - a.lat) * vx) / determinant;
      const r = ((c.lng - a.lng) * uy - (c.lat - a.lat) * ux) / determinant;
      if (s >= 0 && s <= 1 && r >= 0 && r <= 1) return true;
    }
  return false;
}
