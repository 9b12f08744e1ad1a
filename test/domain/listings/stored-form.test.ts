import fc from 'fast-check';
import type { StoredListing } from '#domain/listings/listing.ts';
import {
  cutDeal,
  cutDigestedHits,
  cutFound,
  cutHits,
  cutPrivate,
  parseDisplay,
  storedDigest,
  writeDeal,
  writeListing,
} from '#domain/listings/stored-form.ts';
import type { Comparison } from '#domain/statistics/deals.ts';
import { makeListing } from '#test/factories.ts';
import { hostileText } from '#test/hostile-text.ts';
import { test } from '#test/test.ts';

const comparison = fc.record({
  gap_pct: fc.double({ noNaN: true, noDefaultInfinity: true }),
  criteria: fc.record({ same_bedrooms: fc.boolean(), max_distance_m: fc.nat() }),
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Comparison>;

const listing: fc.Arbitrary<StoredListing> = fc
  .record({
    id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    title: fc.option(hostileText),
    description: hostileText,
    compound_name: fc.option(hostileText),
    source: hostileText,
    source_listing_id: hostileText,
    advertiser: fc.option(hostileText),
    photos: fc.array(fc.stringMatching(/^[a-z0-9]{2}\/[a-z0-9-]{1,20}\.jpg$/), { maxLength: 3 }),
    first_seen: fc.nat(),
    last_seen: fc.nat(),
  })
  .map(({ source, source_listing_id, advertiser, photos, first_seen, last_seen, ...display }) => {
    const stored = makeListing(display, { source, source_listing_id, advertiser, photos, first_seen, last_seen });
    // The fields are reversed, because the written form does not depend on their order.
    return { ...stored, private: Object.fromEntries(Object.entries(stored.private).reverse()) as never };
  });

/** Returns a search response of the engine with the written documents, without their index-only blocks. */
function answerOf(documents: readonly { id: number; json: string }[]): Buffer {
  const hits = documents.map(({ id, json }) => {
    const { private: block, display } = JSON.parse(json) as Record<string, unknown>;
    const source = JSON.stringify({ private: block, display });
    return `{"_index":"listings-v1","_id":"${id}","_score":null,"_source":${source},"sort":["riyadh","rent",${id},7.5]}`;
  });
  return Buffer.from(`{"took":1,"hits":{"max_score":null,"hits":[${hits.join(',')}]}}`);
}

test('the hits extracted from a search response contain the stored documents with unchanged bytes', (t) => {
  fc.assert(
    fc.property(fc.array(listing, { maxLength: 4 }), fc.nat(5), (all, limit) => {
      const answer = answerOf(all.map((stored) => ({ id: stored.display.id, json: writeListing(stored) })));
      const { hits, more } = cutHits(answer, limit);
      const expected = all.slice(0, limit);
      t.is(hits.length, expected.length);
      t.is(more, all.length > limit);
      for (const [index, { display, private: written }] of expected.entries()) {
        const hit = hits[index] as (typeof hits)[number];
        t.is(hit.id, String(display.id));
        t.is(hit.sort, `"riyadh","rent",${display.id},7.5`);
        t.is(`${hit.display.toString('utf8')}}`, JSON.stringify(display));
        t.deepEqual(parseDisplay(hit.display), JSON.parse(JSON.stringify(display)));
        t.deepEqual(JSON.parse(hit.private), written);
        const { source, sourceListingId, photos, firstSeen, lastSeen } = cutPrivate(hit.private);
        t.is(source, JSON.stringify(written.source));
        t.is(sourceListingId, JSON.stringify(written.source_listing_id));
        t.is(`[${photos}]`, JSON.stringify(written.photos));
        t.is(firstSeen, written.first_seen);
        t.is(lastSeen, written.last_seen);
      }
    }),
  );
});

/** Returns two responses of the engine to a digest search: with and without the bytes of the documents. */
function digestAnswersOf(documents: readonly StoredListing[]): [Buffer, Buffer] {
  const answer = (source: (id: number, kept: string) => string) => {
    const hits = documents.map((stored) => {
      const { id } = stored.display;
      const { private: block, display, digest: _, ...rest } = JSON.parse(writeListing(stored));
      const [, digest] = /,"digest":(-?\d+)}$/.exec(writeListing(stored)) as unknown as [string, string];
      if (Object.keys(rest).join() !== 'filter,text,stats') throw new Error('not the document');
      const kept = JSON.stringify({ private: block, display });
      return `{"_index":"listings-v1"${source(id, kept)},"fields":{"digest":[${digest}]},"sort":["riyadh",7.5,${id}]}`;
    });
    return Buffer.from(`{"took":1,"hits":{"max_score":null,"hits":[${hits.join(',')}]}}`);
  };
  return [answer((id, kept) => `,"_id":"${id}","_score":null,"_source":${kept}`), answer(() => ',"_score":null')];
}

test('digests are extracted from search responses with and without documents', (t) => {
  fc.assert(
    fc.property(fc.array(listing, { maxLength: 4 }), (all) => {
      const [digested, found] = digestAnswersOf(all);
      const expected = all.map((stored) => ({
        id: String(stored.display.id),
        digest: storedDigest(stored),
        sort: `"riyadh",7.5,${stored.display.id}`,
      }));
      t.deepEqual(cutFound(found), expected);
      const hits = cutDigestedHits(digested);
      t.deepEqual(
        hits.map(({ id, digest, sort }) => ({ id, digest, sort })),
        expected,
      );
      for (const [index, { display }] of all.entries())
        t.is(`${hits[index]?.display.toString('utf8')}}`, JSON.stringify(display));
    }),
  );
});

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

test('a hit without a digest throws an error instead of being skipped', (t) => {
  const [digested, found] = digestAnswersOf([makeListing(), makeListing(), makeListing()]);
  const digests = [...found.toString().matchAll(/,"fields":{"digest":\[-?\d+\]}/g)].map(([text]) => text);
  for (const digest of digests) {
    const without = (answer: Buffer) => Buffer.from(answer.toString().replace(digest, ''));
    t.throws(() => cutFound(without(found)), { message: /not in the form/ });
    t.throws(() => cutDigestedHits(without(digested)), { message: /not in the form/ });
  }
});

test('deals are extracted like listings, and the bytes of their comparisons are unchanged', (t) => {
  fc.assert(
    fc.property(listing, comparison, (stored, deal) => {
      const { id } = stored.display;
      const answer = answerOf([{ id, json: writeDeal(stored, deal, { filter: { id } }) }]);
      const { hits } = cutHits(answer, 1);
      const [hit] = hits as [(typeof hits)[number]];
      t.is(`${hit.display.toString('utf8')}}`, JSON.stringify(stored.display));
      t.is(cutPrivate(hit.private).source, JSON.stringify(stored.private.source));
      t.is(cutDeal(hit.private), JSON.stringify(deal));
      t.deepEqual(JSON.parse(hit.private), { ...stored.private, deal: JSON.parse(JSON.stringify(deal)) });
    }),
  );
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

test('a private block with an unexpected structure throws an error', (t) => {
  const block = JSON.stringify(makeListing().private);
  for (const key of ['source', 'source_listing_id', 'photos', 'first_seen', 'last_seen'])
    t.throws(() => cutPrivate(block.replace(`"${key}":`, `"${key}_":`)), { message: /not in the form/ });
  t.throws(() => cutDeal(block), { message: /no deal/ });
});
