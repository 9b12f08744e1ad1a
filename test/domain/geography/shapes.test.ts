import fc from 'fast-check';
import type { LatLng } from '#domain/geography/places.ts';
import { cornersOf, formatPolygon, isClosed, parsePolygon, polygonFault } from '#domain/geography/shapes.ts';
import { test } from '#test/test.ts';

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const point = fc.record({ lat: degrees(17, 32), lng: degrees(35, 55) });
/** Polygons without crossings: corners in the order of their direction from the center. */
const star = fc
  .tuple(point, fc.uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 3, maxLength: 40 }), fc.nat())
  .filter(([, angles]) => widestGap(angles) < 180)
  .map(([center, angles, seed]): LatLng[] =>
    angles
      .toSorted((a, b) => a - b)
      .map((angle, index) => {
        const radius = 0.1 + ((seed + index * 37) % 50) / 100;
        const direction = (angle * Math.PI) / 180;
        return { lat: center.lat + radius * Math.sin(direction), lng: center.lng + radius * Math.cos(direction) };
      }),
  );

function widestGap(angles: readonly number[]): number {
  const sorted = angles.toSorted((a, b) => a - b);
  return Math.max(...sorted.map((angle, index) => (angle - (sorted.at(index - 1) ?? 0) + 360) % 360));
}

test('a polygon is read from its text, open or closed, with spaces and Arabic digits', (t) => {
  const corners = [
    { lat: 24.7, lng: 46.6 },
    { lat: 24.7, lng: 46.75 },
    { lat: 24.85, lng: 46.7 },
  ];
  for (const text of [
    '24.7,46.6;24.7,46.75;24.85,46.7',
    '24.7,46.6;24.7,46.75;24.85,46.7;24.7,46.6',
    ' ٢٤.٧ , 46.6 ; 24.70,46.75 ;24.85,46.7',
  ])
    t.deepEqual(parsePolygon(text), corners);
  t.is(formatPolygon(corners), '24.7,46.6;24.7,46.75;24.85,46.7');
});

test('a GeoJSON ring is closed if it ends at its first position', (t) => {
  const ring = [
    [46.6, 24.7],
    [46.75, 24.7],
    [46.7, 24.85],
    [46.6, 24.7],
  ];
  t.true(isClosed({ type: 'Polygon', coordinates: [ring] }));
  t.false(isClosed({ type: 'Polygon', coordinates: [ring.slice(0, 3)] }));
  t.is(formatPolygon(cornersOf({ type: 'Polygon', coordinates: [ring] })), '24.7,46.6;24.7,46.75;24.85,46.7');
});

test('polygons that enclose no area, or touch or cross themselves, are not simple', (t) => {
  const faultOf = (text: string) => polygonFault(parsePolygon(text) ?? []);
  t.is(faultOf('24,46;25,47;26,48'), 'no area');
  t.is(faultOf('24,46;24,46;24,46;24,46.0'), null === parsePolygon('24,46;24,46;24,46;24,46.0') ? null : 'no area');
  t.is(faultOf('24,46;24,46;25,46;25,47'), null, 'a repeated point counts once');
  t.is(faultOf('24,46;24,46.5;24,47;25,47'), null, 'a corner may lie on a straight edge');
  for (const text of [
    '24,46;25,47;25,46;24,47',
    '24,46;24,48;24,47;25,47',
    '24,46;24,48;25,48;24,47;25,46',
    '24,46;25,47;26,46;26,48;25,47;24,48',
  ])
    t.true(Array.isArray(faultOf(text)), text);
});

test('a polygon without crossings is simple in both directions and from any first corner', (t) => {
  fc.assert(
    fc.property(star, fc.nat(), (corners, start) => {
      const from = start % corners.length;
      const turned = [...corners.slice(from), ...corners.slice(0, from)];
      for (const each of [corners, turned, turned.toReversed()]) t.is(polygonFault(each), null);
    }),
  );
});

test('a polygon with two swapped corners is refused exactly if its edges cross, in both directions', (t) => {
  fc.assert(
    fc.property(
      star.filter((corners) => corners.length > 3),
      fc.nat(),
      (corners, at) => {
        const first = at % corners.length;
        const second = (first + 1) % corners.length;
        const swapped = [...corners];
        [swapped[first], swapped[second]] = [corners[second] as LatLng, corners[first] as LatLng];
        t.is(polygonFault(swapped) === null, polygonFault(swapped.toReversed()) === null);
        t.is(polygonFault(swapped) === null, !crossesSomewhere(swapped));
      },
    ),
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
