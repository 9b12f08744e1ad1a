import { contentHasher, isSameRow, readingOf } from '#ingest/fetch/content-hash.ts';
import { shortHash } from '#ingest/hash.ts';
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

test('a row is recognized under other parsers and boundaries, and in the hashes of the previous release', (t) => {
  const row = { source_listing_id: '1', price: '850.000' };
  const other = { ...row, price: '860.000' };
  const boundaries = { digest: 'a' };
  const hash = contentHasher([]);
  const earlier = contentHasher([new URL('content-hash.test.ts', import.meta.url)])(row, boundaries);
  t.is(hash(row, boundaries), hash({ ...row }, boundaries));
  for (const changed of [earlier, hash(row, { digest: 'b' })]) {
    t.not(changed, hash(row, boundaries));
    t.true(isSameRow(changed, row, boundaries));
    t.false(isSameRow(changed, other, boundaries));
  }
  const unseparated = shortHash(`wJ4O-EG8Ohlavs4kjpczWPa${JSON.stringify(row)}`);
  t.true(isSameRow(unseparated, row, boundaries));
  t.false(isSameRow(unseparated, other, boundaries));
});
