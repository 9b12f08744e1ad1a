import fc from 'fast-check';
import { boxOfTile, countTiles } from '#domain/geography/tiles.ts';
import { test } from '#test/test.ts';

test('the number of tiles that cover a box depends on the zoom level', (t) => {
  t.is(countTiles([-180, -90, 180, 90], 0), 1);
  t.is(countTiles([-180, -90, 180, 90], 4), 256);
  t.is(countTiles([46.7, 24.7, 46.70001, 24.70001], 12), 1);
  t.is(countTiles([-1, -1, 1, 1], 1), 4);
});

test('the interior of a tile lies in one tile, and its bounding box touches only that tile and its neighbors', (t) => {
  t.deepEqual(boxOfTile('0/0/0'), [-180, -85.051129, 180, 85.051129]);
  t.deepEqual(boxOfTile('1/1/0'), [0, 0, 180, 85.051129]);
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 20 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (zoom, share) => {
      const at = Math.floor(share * 2 ** zoom);
      const [west, south, east, north] = boxOfTile(`${zoom}/${at}/${at}`);
      const inner = [west + 0.00001, south + 0.00001, east - 0.00001, north - 0.00001] as const;
      return countTiles(inner, zoom) === 1 && countTiles([west, south, east, north], zoom) <= 9;
    }),
  );
});
