import fc from 'fast-check';
import { readBoundaries } from '#domain/geography/boundaries.ts';
import { type Position, readBoundary, simplify } from '#domain/geography/boundary.ts';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { outlinesOf } from '#domain/geography/outlines.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { isInside } from '#domain/geography/shapes.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { test } from '#test/test.ts';

const MALQA = 1001;
const YASMIN = 1002;
const nameOf = (id: number): Neighborhood => NEIGHBORHOODS.find((each) => each.id === id) as Neighborhood;
/** A square with two swapped corners. */
const BOW = {
  ...square(24.8, 46.6),
  coordinates: square(24.8, 46.6).coordinates.map(([a, b, c, d, e]) => [a, c, b, d, e]),
};
const CIRCLE = {
  type: 'Polygon' as const,
  coordinates: [
    Array.from({ length: 401 }, (_, at): Position => {
      const angle = (2 * Math.PI * (at % 400)) / 400;
      return [46.6 + 0.01 * Math.cos(angle), 24.8 + 0.01 * Math.sin(angle)];
    }),
  ],
};
const read = (...features: unknown[]) => readBoundaries(fileOf(...features));

test('a point inside several boundaries or inside a hole has no neighborhood', (t) => {
  const hole = square(24.83, 46.64, 0.002).coordinates[0];
  const boundaries = read(
    featureOf({ neighborhood_id: MALQA }, square(24.8, 46.6)),
    featureOf({ neighborhood_id: YASMIN }, square(24.804, 46.604)),
    featureOf(
      { neighborhood_id: YASMIN },
      { type: 'Polygon', coordinates: [...square(24.83, 46.64).coordinates, hole] },
    ),
  );
  t.is(boundaries.neighborhoodAt({ lat: 24.797, lng: 46.597 })?.id, MALQA);
  t.is(boundaries.neighborhoodAt({ lat: 24.801, lng: 46.601 }), null);
  t.is(boundaries.neighborhoodAt({ lat: 24.834, lng: 46.644 })?.id, YASMIN);
  t.is(boundaries.neighborhoodAt({ lat: 24.83, lng: 46.64 }), null);
});

test('an invalid boundary file is refused with the position, name and remedy of every invalid feature', (t) => {
  for (const [text, message] of [
    ['no JSON', /It is not JSON/],
    ['{"type":"Feature"}', /no GeoJSON FeatureCollection/],
    [fileOf(), /No feature is a known neighborhood/],
    [fileOf(featureOf({ name: 'A' }, { type: 'Point', coordinates: [46, 24] })), /Feature 1 \(A\) is no Polygon/],
    [fileOf(featureOf({}, square(24.8, 46.6))), /Feature 1 \(no name\) has no name\. State `neighborhood_id`/],
    [fileOf(featureOf({ district_id: 1 }, square(24.8, 46.6))), /Feature 1 \(1\) has only a district_id/],
    [fileOf(featureOf({ neighborhood_id: 1 }, square(24.8, 46.6))), /unknown neighborhood_id, 1\. GET \/cities/],
    [
      fileOf(featureOf({ neighborhood_id: MALQA }, square(21.5, 39.2))),
      /is \d+ km from neighborhood_id 1001, Al Malqa/,
    ],
    [fileOf(featureOf({ name: 'A', city: 'Atlantis' }, square(24.8, 46.6))), /unknown city, Atlantis/],
    [
      fileOf(featureOf({ neighborhood_id: MALQA }, square(46.6, 24.8))),
      /is outside Saudi Arabia at .*longitude, latitude/,
    ],
    [fileOf(featureOf({ neighborhood_id: MALQA }, square(24.8, 46.6, 0.4))), /is larger than half a degree/],
    [fileOf(featureOf({ neighborhood_id: MALQA }, BOW)), /Feature 1 \(1001\) crosses itself/],
    [
      fileOf(...Array.from({ length: 30 }, () => featureOf({ neighborhood_id: 1 }, square(24.8, 46.6)))),
      /Feature 20 [\s\S]*10 more errors\.$/,
    ],
  ] as const)
    t.regex(t.throws(() => readBoundaries(text))?.message ?? '', message);
});

test('the grid finds the same neighborhoods as a search of all boundaries', (t) => {
  const place = fc.record({
    id: fc.constantFrom(MALQA, YASMIN, 1003, 1004),
    lat: fc.double({ min: 24.7, max: 24.9, noNaN: true }),
    lng: fc.double({ min: 46.5, max: 46.7, noNaN: true }),
    half: fc.double({ min: 0.001, max: 0.03, noNaN: true }),
  });
  const point = fc.record({
    lat: fc.double({ min: 24.65, max: 24.95, noNaN: true }),
    lng: fc.double({ min: 46.45, max: 46.75, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(place, { minLength: 1, maxLength: 8 }),
      fc.array(point, { maxLength: 20 }),
      (places, points) => {
        const boundaries = read(
          ...places.map(({ id, lat, lng, half }) => featureOf({ neighborhood_id: id }, square(lat, lng, half))),
        );
        for (const { lat, lng } of points) {
          // Coordinates of a file are rounded to 0.1 m.
          const near = places.some(
            (each) =>
              Math.abs(Math.abs(lat - each.lat) - each.half) < 1e-5 ||
              Math.abs(Math.abs(lng - each.lng) - each.half) < 1e-5,
          );
          if (near) continue;
          const inside = places.filter(
            (each) => Math.abs(lat - each.lat) < each.half && Math.abs(lng - each.lng) < each.half,
          );
          const ids = new Set(inside.map(({ id }) => id));
          const expected = ids.size === 1 ? [...ids][0] : undefined;
          t.is(boundaries.neighborhoodAt({ lat, lng })?.id, expected);
        }
      },
    ),
  );
});

test('the outline of a neighborhood is its surveyed boundary or its estimated cell, and null without a center', (t) => {
  const boundaries = read(featureOf({ neighborhood_id: MALQA }, square(24.8, 46.6)));
  const unknown = { ...nameOf(1003), id: 9, center: null };
  const [malqa, yasmin, without] = outlinesOf([nameOf(MALQA), nameOf(YASMIN), unknown], boundaries, false);
  t.deepEqual(malqa?.geometry?.coordinates, [square(24.8, 46.6).coordinates]);
  t.false(malqa?.properties.approximate);
  t.true(yasmin?.properties.approximate);
  t.deepEqual(yasmin?.geometry?.coordinates[0]?.[0]?.at(0), yasmin?.geometry?.coordinates[0]?.[0]?.at(-1));
  t.like(without, { geometry: null, properties: { approximate: true } });
  const corners = (isSimplified: boolean) =>
    outlinesOf([nameOf(MALQA)], read(featureOf({ neighborhood_id: MALQA }, CIRCLE)), isSimplified)[0]?.geometry
      ?.coordinates[0]?.[0]?.length ?? 0;
  t.true(corners(true) < corners(false) / 4);
});

/** Corners around a center, one for each angle, so that the outline never crosses itself. */
const outline = fc.array(fc.integer({ min: 20, max: 100 }), { minLength: 3, maxLength: 24 }).map((radii) =>
  radii.map((radius, at): Position => {
    const angle = (at / radii.length) * 2 * Math.PI;
    return [46.6 + (radius / 1e4) * Math.cos(angle), 24.8 + (radius / 1e4) * Math.sin(angle)];
  }),
);
const point = fc.record({
  lng: fc.integer({ min: -120, max: 120 }).map((east) => 46.6 + east / 1e4),
  lat: fc.integer({ min: -120, max: 120 }).map((north) => 24.8 + north / 1e4),
});
const closed = (ring: readonly Position[]): Position[] => [...ring, ring[0] as Position];

test('a point is inside an outline exactly if a triangle of the center and one edge contains it', (t) => {
  const center: Position = [46.6, 24.8];
  const side = ([ax, ay]: Position, [bx, by]: Position, { lng, lat }: { lng: number; lat: number }) =>
    (bx - ax) * (lat - ay) - (by - ay) * (lng - ax);
  fc.assert(
    fc.property(outline, point, (corners, at) => {
      const triangles = corners.map((corner, index) => [
        center,
        corner,
        corners[(index + 1) % corners.length] as Position,
      ]);
      const sides = triangles.map(([a, b, c]) => [
        side(a as Position, b as Position, at),
        side(b as Position, c as Position, at),
        side(c as Position, a as Position, at),
      ]);
      // Rounding decides about points on edges.
      if (sides.flat().some((each) => Math.abs(each) < 1e-12)) return;
      const expected = sides.some((three) => three.every((each) => each > 0));
      t.is(isInside([closed(corners)], at), expected);
      t.is(isInside([closed(corners).reverse()], at), expected, 'in the other direction');
    }),
    { numRuns: 2_000 },
  );
});

test('if two polygons divide an outline, each point inside it is in exactly one of them, even on their border', (t) => {
  fc.assert(
    fc.property(outline, point, fc.nat(), fc.integer({ min: 0, max: 100 }), (corners, anywhere, cut, percent) => {
      const middle = 1 + (cut % (corners.length - 1));
      const [lng, lat] = corners[middle] as Position;
      const onBorder = { lng: 46.6 + ((lng - 46.6) * percent) / 101, lat: 24.8 + ((lat - 24.8) * percent) / 101 };
      const halves = [corners.slice(0, middle + 1), [...corners.slice(middle), corners[0] as Position]];
      for (const at of [anywhere, onBorder]) {
        const inside = halves.map((half) => isInside([closed([...half, [46.6, 24.8] as Position])], at));
        t.is(inside.filter(Boolean).length, isInside([closed(corners)], at) ? 1 : 0);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('a simplified boundary consists of original positions, and each removed one is within the tolerance of its edges', (t) => {
  const tolerance = 0.001;
  const away = ([x, y]: Position, [ax, ay]: Position, [bx, by]: Position): number => {
    const [dx, dy] = [bx - ax, by - ay];
    const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
    return Math.hypot(x - ax - share * dx, y - ay - share * dy);
  };
  let removed = 0;
  fc.assert(
    fc.property(outline, (corners) => {
      const full = { type: 'Polygon' as const, coordinates: [closed(corners)] };
      const [ring = []] = simplify(full, tolerance).coordinates;
      const originals = new Set(closed(corners).map(String));
      t.true(ring.every((position) => originals.has(String(position))));
      t.deepEqual(ring[0], ring.at(-1));
      t.true(ring.length >= 4 && ring.length <= corners.length + 1);
      removed += corners.length + 1 - ring.length;
      for (const corner of corners)
        t.true(ring.slice(1).some((to, index) => away(corner, ring[index] as Position, to) <= tolerance + 1e-12));
      t.true(readBoundary(simplify(full, tolerance), null).ok);
    }),
    { numRuns: 500 },
  );
  t.true(removed > 500, `${removed} positions removed`);
});
test('a boundary is assigned to the neighborhood with its id, or with its name in each form of public files', (t) => {
  const [malqa, yasmin] = [nameOf(MALQA), nameOf(YASMIN)];
  for (const name of [
    (place: Neighborhood) => ({ district_id: 10100003001, city_id: 3, name_ar: `حي ${place.name_ar}`, region_id: 1 }),
    (place: Neighborhood) => ({ district_id: 10100003001, name_en: `${place.name_en} Dist.`, name_ar: null }),
    (place: Neighborhood) => ({ name: place.name_en, name_ar: place.name_ar }),
    (place: Neighborhood) => ({ neighborhood_id: place.id }),
    (place: Neighborhood) => ({ name_ar: `حي ${place.name_ar}`, city: 'riyadh' }),
  ]) {
    const boundaries = read(
      featureOf(name(malqa), square(24.8, 46.6)),
      featureOf({ name_en: 'Nowhere Park' }, square(24.7, 46.7)),
      // Exports of maps have more digits than are retained.
      featureOf(name(yasmin), square(24.830000000000041, 46.640000000000043)),
    );
    t.is(boundaries.size, 2);
    t.deepEqual(boundaries.skipped, ['Nowhere Park']);
    t.is(boundaries.neighborhoodAt({ lat: 24.8, lng: 46.6 })?.id, MALQA);
    t.is(boundaries.neighborhoodAt({ lat: 24.7, lng: 46.7 }), null);
    t.is(boundaries.neighborhoodAt({ lat: 24.83, lng: 46.64 })?.id, YASMIN);
  }
});
