import test from 'ava';
import { readBox, readPosition } from '#site/explorer-place.ts';

test('an area is read from four numbers in order, and nothing else is an area', (t) => {
  t.deepEqual(readBox('46.5,24.5,46.9,24.9'), [46.5, 24.5, 46.9, 24.9]);
  for (const text of [null, '', '46.5,24.5,46.9', '46.9,24.5,46.5,24.9', '46.5,24.5,46.9,95', '1,2,3,4,5', 'a,b,c,d'])
    t.is(readBox(text), null, String(text));
});

test('a position is read from whatever a history entry holds', (t) => {
  t.deepEqual(readPosition({ pages: 3, y: 120.5 }), { pages: 3, y: 120.5 });
  for (const state of [null, undefined, 5, {}, { pages: 0, y: -1 }, { pages: 'x', y: 'y' }])
    t.deepEqual(readPosition(state), { pages: 1, y: 0 });
  t.is(readPosition({ pages: 1_000 }).pages, 10);
});
