import { readingOf } from '#ingest/fetch/content-hash.ts';
import { test } from '#test/test.ts';

const SOURCE = `/** Words for a lift. */
export const LIFT = 'lift, مصعد';
// Of cities.
export const CITY = { lat: 24.7 };
`;

test('a changed word, number or rule changes the digest of a parser; a comment or a line break does not', (t) => {
  const reading = readingOf([SOURCE, 'export const A = 1;']);
  t.is(readingOf([SOURCE, 'export const A = 1;']), reading);
  t.is(readingOf([SOURCE.replace('Words for a lift', 'What lifts are called'), 'export const A =\n  1;']), reading);
  t.is(readingOf([SOURCE.replace('// Of cities.', '// Places.'), 'export const A = 1;']), reading);
  for (const changed of [SOURCE.replace('مصعد', 'اصنصير'), SOURCE.replace('24.7', '24.8'), ''])
    t.not(readingOf([changed, 'export const A = 1;']), reading);
  t.not(readingOf([SOURCE, 'export const A = 2;']), reading);
});
