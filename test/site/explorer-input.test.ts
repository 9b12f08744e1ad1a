import { readAmount } from '#site/server/amounts.ts';
import { readBox, readMapPosition, readPoint, readPosition, searchedPart } from '#site/server/explorer-place.ts';
import { test } from '#test/test.ts';

test('areas, points, map positions and scroll positions are parsed, and other values are rejected', (t) => {
  t.deepEqual(readBox('46.5,24.5,46.9,24.9'), [46.5, 24.5, 46.9, 24.9]);
  for (const text of [null, '', '46.5,24.5,46.9', '46.9,24.5,46.5,24.9', '46.5,24.5,46.9,95', '1,2,3,4,5', 'a,b,c,d'])
    t.is(readBox(text), null, String(text));
  t.deepEqual(readPoint('24.7,46.7'), { lat: 24.7, lng: 46.7 });
  for (const text of [null, '', '24.7', '95,46.7', '24.7,46.7,1', 'a,b']) t.is(readPoint(text), null, String(text));
  t.deepEqual(readMapPosition('24.7,46.7,5'), { lat: 24.7, lng: 46.7, zoom: 5 });
  for (const text of ['', '24.7,46.7', '95,46,5', '24,46,30', '24,46,5,1', 'a,b,c'])
    t.is(readMapPosition(text), null, text);
  t.deepEqual(readPosition({ pages: 3, y: 120.5 }), { pages: 3, y: 120.5 });
  for (const state of [null, 5, {}, { pages: 0, y: -1 }, { pages: 'x', y: 'y' }])
    t.deepEqual(readPosition(state), { pages: 1, y: 0 });
  t.is(readPosition({ pages: 1_000 }).pages, 10);
});

test('the searched map area is limited to the country and to the bounding box of the search', (t) => {
  t.deepEqual(searchedPart([46, 24, 47, 25], null), [46, 24, 47, 25]);
  t.deepEqual(searchedPart([46, 24, 47, 25], [46.5, 24.5, 49, 24.8]), [46.5, 24.5, 47, 24.8]);
  // Listings on an edge of the search are within it. The visible part is widened.
  const edges = [46.586499, 24.788267, 46.612398, 24.81179] as const;
  t.deepEqual(searchedPart([46, 24, 47, 25], [...edges]), [...edges]);
  t.deepEqual(searchedPart([...edges], null), [46.5864, 24.7882, 46.6124, 24.8118]);
  t.deepEqual(searchedPart([-180, -85, 180, 85], null), [34.4, 16, 56, 32.5]);
  t.is(searchedPart([46, 24, 47, 25], [48, 24, 49, 25]), null);
  t.is(searchedPart([0, 40, 10, 50], null), null);
});

test('amounts are read as visitors type them, in both languages', (t) => {
  for (const [typed, amount] of [
    ['60000', '60000'],
    ['60,000', '60000'],
    ['60k', '60000'],
    ['1.5m', '1500000'],
    ['1.5 million', '1500000'],
    ['SAR 60,000', '60000'],
    ['٦٠ ألف', '60000'],
    ['٦٠٬٠٠٠', '60000'],
    ['1٫5 مليون', '1500000'],
    ['60 الف ريال', '60000'],
    ['2.5', '2.5'],
  ] as const)
    t.is(readAmount(typed), amount, typed);
  for (const typed of ['', 'cheap', '60-80', '-5', '1.2.3', 'k', '1e5']) t.is(readAmount(typed), null, typed);
});
