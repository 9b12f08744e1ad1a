import fc from 'fast-check';
import {
  firstModified,
  type IndexedState,
  isModified,
  type LastPublishedState,
  MODIFIED_STEP,
  type PublishedState,
  publishedState,
  rebuiltModified,
} from '#domain/listings/modified.ts';
import { isoMicros, parseMicros } from '#domain/timestamps.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

test('a rebuild keeps a value unless a client that has read up to the watermark would miss a change', (t) => {
  const FIRST = 5;
  const now = { content: 'a', shown: 3 };
  const same = { ...now, modified: 10 };
  const state = (
    watermark: number | null,
    modified: number | null | undefined,
    restored = false,
    shown = 3,
  ): IndexedState => ({
    watermark,
    indexed: modified == null ? modified : { modified, shown },
    restored,
  });
  type Case = [string, LastPublishedState | null, IndexedState, number | null, PublishedState?];
  for (const [title, before, given, expected, served = now] of [
    ['the index shows the value', same, state(20, 10), 10],
    ['nothing was published', same, state(null, undefined), 10],
    ['there is no previous index', same, state(20, undefined), 10],
    ['no client has read the value', same, state(9, null), 10],
    ['a restore left the listing as the index shows it', same, state(20, 10, true), 10],
    ['the index lacks the listing', same, state(20, null), null],
    ['the index shows another value', same, state(20, 15), null],
    ['a lost run has hidden the listing', same, state(20, 10, true, 0), null],
    ['a lost run has hidden it from searches by type', same, state(20, 10, true, 2), null],
    ['only the index shows it', { ...same, shown: 0 }, state(20, 10), 10, { ...now, shown: 0 }],
    ['no client has read the value of a hidden listing', same, state(9, 10, false, 0), 10],
    ['the watermark is the value', same, state(10, null), null],
    ['a restore without a previous index', same, state(20, undefined, true), null],
    ['the content changed', { ...same, content: 'b' }, state(20, 10), null],
    ['searches newly show it', { ...same, shown: 1 }, state(20, 10), null],
    ['a first listing', null, state(null, undefined), FIRST],
    ['a new listing', null, state(20, null), null],
    ['a new listing after a restore', null, state(20, 10, true), null],
  ] as Case[])
    t.is(rebuiltModified(before, served, FIRST, given), expected, title);
});

test('changes of served or searched fields count as modifications, changes of observation times do not', (t) => {
  const listing = makeListing();
  const { display, private: hidden } = listing;
  const state = publishedState(listing);
  const same = [
    { display: { ...display, updated_at: '2026-11-23T00:00:00Z' }, private: hidden },
    { display, private: { ...hidden, last_seen: hidden.last_seen + 1, modified: 12, advertiser: 'someone' } },
  ];
  for (const other of same) t.deepEqual(publishedState(other), state);
  const different = [
    { display: { ...display, also_listed_on: ['other'] }, private: hidden },
    { display: { ...display, price: { ...display.price, yearly_sar: 1 } }, private: hidden },
    { display, private: { ...hidden, photos: [] } },
    { display, private: { ...hidden, quality: ['sold' as const] } },
    { display, private: { ...hidden, advertiser_ref: 'adv_1' } },
  ];
  for (const other of different) t.true(isModified(state, publishedState(other)));
  const hiddenNow = publishedState({ display, private: { ...hidden, plausible_pooled: false } });
  t.false(isModified(state, hiddenNow));
  t.true(isModified(hiddenNow, state));
  t.true(isModified({ content: null, shown: 0 }, state));
});

test('initial modification times increase with listing ids, and microseconds survive formatting and parsing', (t) => {
  t.is(firstModified(1_700_000_000, 8) - firstModified(1_700_000_000, 7), MODIFIED_STEP);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 7_258_118_400_000_000 }), (micros) => {
      t.is(parseMicros(isoMicros(micros)), micros);
    }),
  );
  t.is(isoMicros(parseMicros('2026-01-31T03:00:00.5+03:00')), '2026-01-31T00:00:00.500000Z');
});
