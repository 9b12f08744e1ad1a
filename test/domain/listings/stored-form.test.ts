import { storedDigest, writeDeal, writeListing } from '#domain/listings/stored-form.ts';
import type { Comparison } from '#domain/statistics/deals.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

test('a change of a stored field changes the digest, and a change of an index-only field does not', (t) => {
  const stored = makeListing({ id: 7 }, { first_seen: 1_780_000_000 });
  const changed = [
    stored,
    makeListing({ id: 7, bedrooms: 4 }, { first_seen: 1_780_000_000 }),
    makeListing({ id: 7 }, { first_seen: 1_780_000_001 }),
    makeListing({ id: 7 }, { first_seen: 1_780_000_000, photos: [] }),
  ];
  t.is(new Set(changed.map(storedDigest)).size, changed.length);
  for (const digest of changed.map(storedDigest)) t.is(BigInt.asIntN(64, BigInt(digest)), BigInt(digest));
  t.is(storedDigest(JSON.parse(JSON.stringify(stored))), storedDigest(stored), 'read back and written again');
});

test('index-only fields follow the stored fields in a document', (t) => {
  const stored = makeListing({ title: 'a "quoted" \\ title' });
  const kept = JSON.stringify({ private: stored.private, display: stored.display });
  t.true(writeListing(stored).startsWith(`${kept.slice(0, -1)},"filter":{`));
  t.is(
    writeDeal(stored, {} as Comparison, { filter: {} }),
    `{"private":${JSON.stringify({ ...stored.private, deal: {} })},"display":${JSON.stringify(stored.display)},"filter":{}}`,
  );
});
