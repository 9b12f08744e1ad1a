import fc from 'fast-check';
import { type Boundary, centerOf, type Position, readBoundary } from '#domain/geography/boundary.ts';
import { test } from '#test/test.ts';

const polygon = (...ring: Position[]) => ({ type: 'Polygon', coordinates: [ring] });
const POINT = { lat: 24.75, lng: 46.65 };
const at = (east: number, north: number): Position => [46.65 + east / 1_000, 24.75 + north / 1_000];
const SQUARE = [at(0, 0), at(2, 0), at(2, 2), at(0, 2)] as const;

function ringOf(given: unknown): Position[] {
  const result = readBoundary(given, POINT);
  if (!result.ok) throw new Error(result.reason);
  return result.boundary.coordinates[0] as Position[];
}

test('an open ring of a boundary is closed, and a clockwise ring is reversed', (t) => {
  const expected = [...SQUARE, SQUARE[0]];
  t.deepEqual(ringOf(polygon(...SQUARE)), expected as Position[]);
  const backward = [...SQUARE].reverse();
  const turned = ringOf(polygon(...backward, backward[0] as Position));
  t.is(turned.length, 5);
  t.deepEqual(new Set(turned.map(String)), new Set(expected.map(String)));
});

test('a boundary is accepted as GeoJSON, as GeoJSON text, in a GeoJSON feature and as WKT', (t) => {
  const value = polygon(...SQUARE);
  const wkt = `POLYGON ((${[...SQUARE, SQUARE[0]].map((each) => each?.join(' ')).join(', ')}))`;
  for (const given of [JSON.stringify(value), { type: 'Feature', geometry: value }, wkt])
    t.deepEqual(ringOf(given), ringOf(value));
});

test('a small drawing error in a boundary is removed and reported as a repair', (t) => {
  // A boundary with a small loop at one corner.
  const ring = [at(0, 0), at(2, 0), at(2, 2), at(0.2, 2), at(-0.1, 2.1), at(-0.1, 1.9), at(0.1, 2.1), at(0, 1.8)];
  const result = readBoundary(polygon(...ring), POINT);
  t.true(result.ok && result.repaired);
});

test('a boundary that crosses itself is refused if no part of it is clearly the intended one', (t) => {
  const bow = polygon(at(0, 0), at(2, 2), at(2, 0), at(0, 2));
  t.deepEqual(readBoundary(bow, POINT), { ok: false, reason: 'crosses_itself' });
  const throughOnePosition = polygon(at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(1, 1), at(0, 2));
  t.deepEqual(readBoundary(throughOnePosition, POINT), { ok: false, reason: 'crosses_itself' });
});

test('an invalid boundary is refused with a reason', (t) => {
  const refused = (given: unknown, point = POINT) => {
    const result = readBoundary(given, point);
    return result.ok ? null : result.reason;
  };
  for (const given of ['POINT(1 2)', '{"type":', 7, { type: 'Polygon' }, { type: 'Polygon', coordinates: [['a']] }])
    t.is(refused(given), 'unreadable');
  t.is(refused(polygon(at(0, 0), at(1, 1))), 'too_few_positions');
  t.is(refused(polygon(at(0, 0), at(1, 0), at(2, 0))), 'crosses_itself');
  t.is(refused(polygon([200, 24], [46, 24], [46, 25])), 'out_of_range');
  t.is(refused(polygon([46, 24], [47, 24], [47, 25])), 'too_large');
  t.is(refused(polygon(...SQUARE), { lat: 21.5, lng: 39.2 }), 'away_from_point');
  t.is(refused(polygon(...Array.from({ length: 600 }, (_, each) => at(each, each)))), 'too_many_positions');
});

test('a hole of a boundary runs clockwise', (t) => {
  const hole = [at(0.5, 0.5), at(1, 0.5), at(1, 1), at(0.5, 1)];
  const result = readBoundary({ type: 'Polygon', coordinates: [[...SQUARE], hole] }, POINT);
  const [, ring] = (result as { boundary: Boundary }).boundary.coordinates;
  t.true(area(ring as Position[]) < 0);
});

const area = (ring: readonly Position[]): number =>
  ring.slice(1).reduce((sum, [x, y], index) => {
    const [beforeX, beforeY] = ring[index] as Position;
    return sum + beforeX * y - x * beforeY;
  }, 0);

test('a served boundary is closed, runs counterclockwise and does not cross itself, for any input', (t) => {
  const position = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }));
  fc.assert(
    fc.property(fc.array(position, { minLength: 3, maxLength: 9 }), (drawn) => {
      const result = readBoundary(polygon(...drawn.map(([east, north]) => at(east / 10, north / 10))), POINT);
      if (!result.ok) return;
      const ring = result.boundary.coordinates[0] as Position[];
      t.deepEqual(ring[0], ring.at(-1));
      const [baseX, baseY] = ring[0] as Position;
      t.true(area(ring.map(([x, y]): Position => [x - baseX, y - baseY])) > 0);
      // Parsing the served boundary again does not change it.
      const again = readBoundary(result.boundary, POINT);
      t.true(again.ok && !again.repaired);
    }),
  );
});

test('the center of a square boundary is its middle', (t) => {
  const { lat, lng } = centerOf({ type: 'Polygon', coordinates: [ringOf(polygon(...SQUARE))] });
  t.true(Math.abs(lat - 24.751) < 1e-6 && Math.abs(lng - 46.651) < 1e-6);
});
