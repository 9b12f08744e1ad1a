import fc from 'fast-check';
import { type Boundary, centerOf, type Position, readBoundary } from '#domain/geography/boundary.ts';
import { test } from '#test/test.ts';

const polygon = (...ring: Position[]) => ({ type: 'Polygon', coordinates: [ring] });
const POINT = { lat: 24.75, lng: 46.65 };
const at = (east: number, north: number): Position => [46.65 + east / 1_000, 24.75 + north / 1_000];
const SQUARE = [at(0, 0), at(2, 0), at(2, 2), at(0, 2)] as const;
const HOLE = [at(0.5, 0.5), at(1, 0.5), at(1, 1), at(0.5, 1)];

test('a boundary is accepted open or closed, in both directions, as GeoJSON, its text, a feature and WKT', (t) => {
  const value = polygon(...SQUARE);
  const wkt = `POLYGON ((${[...SQUARE, SQUARE[0]].map((each) => each?.join(' ')).join(', ')}))`;
  const backward = polygon(...[...SQUARE].reverse(), at(0, 2));
  for (const given of [value, JSON.stringify(value), { type: 'Feature', geometry: value }, wkt, backward]) {
    const result = readBoundary(given, POINT) as { boundary: Boundary };
    const [ring = []] = result.boundary.coordinates;
    t.deepEqual(ring[0], ring.at(-1));
    t.deepEqual(new Set(ring.map(String)), new Set(SQUARE.map(String)));
    const { lat, lng } = centerOf(result.boundary);
    t.true(Math.abs(lat - 24.751) < 1e-6 && Math.abs(lng - 46.651) < 1e-6);
  }
});

test('an invalid boundary is refused with a reason', (t) => {
  const outcome = (given: unknown, point = POINT) => {
    const result = readBoundary(given, point);
    return result.ok || result.reason;
  };
  for (const given of ['POINT(1 2)', '{"type":', 7, { type: 'Polygon' }, { type: 'Polygon', coordinates: [['a']] }])
    t.is(outcome(given), 'unreadable');
  t.is(outcome(polygon(at(0, 0), at(1, 1))), 'too_few_positions');
  for (const ring of [
    [at(0, 0), at(1, 0), at(2, 0)],
    [at(0, 0), at(2, 2), at(2, 0), at(0, 2)],
    // A small loop at one corner.
    [at(0, 0), at(2, 0), at(2, 2), at(0.2, 2), at(-0.1, 2.1), at(-0.1, 1.9), at(0.1, 2.1), at(0, 1.8)],
    // Twice through one position.
    [at(0, 0), at(1, 1), at(2, 0), at(2, 2), at(1, 1), at(0, 2)],
  ])
    t.is(outcome(polygon(...ring)), 'crosses_itself');
  t.is(outcome(polygon([200, 24], [46, 24], [46, 25])), 'out_of_range');
  t.is(outcome(polygon([46, 24], [47, 24], [47, 25])), 'too_large');
  t.is(outcome(polygon(...SQUARE), { lat: 21.5, lng: 39.2 }), 'away_from_point');
  t.is(outcome(polygon(...Array.from({ length: 600 }, (_, each) => at(each, each)))), 'too_many_positions');
});

const area = (ring: readonly Position[]): number =>
  ring.slice(1).reduce((sum, [x, y], index) => {
    const [beforeX, beforeY] = ring[index] as Position;
    return sum + beforeX * y - x * beforeY;
  }, 0);

test('a served boundary is closed, runs counterclockwise, its holes clockwise, and does not cross itself, for any input', (t) => {
  const position = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -20, max: 20 }));
  fc.assert(
    fc.property(fc.array(position, { minLength: 3, maxLength: 9 }), (drawn) => {
      const outer = drawn.map(([east, north]) => at(east / 10, north / 10));
      const result = readBoundary({ type: 'Polygon', coordinates: [outer, HOLE] }, POINT);
      if (!result.ok) return;
      for (const [index, ring] of result.boundary.coordinates.entries()) {
        t.deepEqual(ring[0], ring.at(-1));
        const [baseX, baseY] = ring[0] as Position;
        t.is(area(ring.map(([x, y]): Position => [x - baseX, y - baseY])) > 0, index === 0);
      }
      // Parsing the served boundary again does not change it.
      t.deepEqual(readBoundary(result.boundary, POINT), result);
    }),
    // The ring passes one of its corners by less than its coordinates are rounded.
    {
      numRuns: 500,
      examples: [
        [
          [
            [20, 13],
            [-12, 1],
            [0, 0],
            [-20, -2],
          ],
        ],
      ],
    },
  );
});
