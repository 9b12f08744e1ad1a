import { countTiles } from '#domain/geography/tiles.ts';
import { test } from '#test/test.ts';

test('the number of tiles that cover a box depends on the zoom level', (t) => {
  t.is(countTiles([-180, -90, 180, 90], 0), 1);
  t.is(countTiles([-180, -90, 180, 90], 4), 256);
  t.is(countTiles([46.7, 24.7, 46.70001, 24.70001], 12), 1);
  t.is(countTiles([-1, -1, 1, 1], 1), 4);
});
