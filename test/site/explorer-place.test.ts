import test from 'ava';
import { readBox, readPosition } from '#site/explorer-place.ts';

test('an area is parsed from four ordered numbers, and any other text is rejected', (t) => {
  t.deepEqual(readBox('46.5,24.5,46.9,24.9'), [46.5, 24.5, 46.9, 24.9]);
  for (const text of [null, '', '46.5,24.5,46.9', '46.9,24.5,46.5,24.9', '46.5,24.5,46.9,95', '1,2,3,4,5', 'a,b,c,d'])
    t.is(readBox(text), null, String(text));
});

test('parsing a scroll position never throws, for any value in a history entry', (t) => {
  t.deepEqual(readPosition({ pages: 3, y: 120.5 }), { pages: 3, y: 120.5 });
  for (const state of [null, undefined, 5, {}, { pages: 0, y: -1 }, { pages: 'x', y: 'y' }])
    t.deepEqual(readPosition(state), { pages: 1, y: 0 });
  t.is(readPosition({ pages: 1_000 }).pages, 10);
});
