import { contentHasher, isSameRow } from '#ingest/fetch/content-hash.ts';
import { test } from '#test/test.ts';

test('a row is recognized under other parsers and boundaries', (t) => {
  const row = { source_listing_id: '1', price: '850.000' };
  const other = { ...row, price: '860.000' };
  const boundaries = { digest: 'a' };
  const hash = contentHasher('ads');
  const earlier = contentHasher('projects')(row, boundaries);
  t.is(hash(row, boundaries), hash({ ...row }, boundaries));
  for (const changed of [earlier, hash(row, { digest: 'b' })]) {
    t.not(changed, hash(row, boundaries));
    t.true(isSameRow(changed, row));
    t.false(isSameRow(changed, other));
  }
});
