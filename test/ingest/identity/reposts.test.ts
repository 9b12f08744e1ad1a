import { findReposts, type PostedAd } from '#ingest/identity/reposts.ts';
import { textSignature } from '#ingest/normalize/signature.ts';
import { test } from '#test/test.ts';
import { ad, ads, pipelineOfFile, testSource } from '../run/pipeline.ts';

const pipeline = pipelineOfFile('ingest-reposts');

const POSTED: PostedAd = {
  id: 1,
  state: 'withdrawn',
  kind: 'home',
  area: 143,
  textArea: Number.NaN,
  price: 900_000,
  bedrooms: 3,
  floor: '2',
  unit: null,
  signature: textSignature('شقة دور ثاني تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج'),
  photos: [],
  photoList: '',
};
const otherText = { signature: textSignature('للبيع شقة مدخل خاص قرب الحديقة') };
const photos = { photos: ['a', 'b'], photoList: 'x' };
const unit = { unit: '7' };

test('an ad reposted with its text, photos or unit keeps its listing, and one with other facts is a new listing', (t) => {
  for (const [isRepost, changes, first = {}] of [
    [true, {}],
    [true, { price: 850_000, floor: null }],
    [false, otherText],
    [true, { ...otherText, ...photos }, photos],
    [true, { ...otherText, ...unit }, unit],
    [false, { unit: '8' }, unit],
    [false, { floor: '3' }],
    [false, { area: 144 }],
    [false, { price: 1_200_000 }],
    [false, { bedrooms: 5 }],
    [false, { kind: 'office' as const }],
  ] as const) {
    const found = findReposts([
      { ...POSTED, ...first },
      { ...POSTED, id: 2, state: 'new', ...changes },
    ]);
    t.deepEqual([...found], isRepost ? [[2, 1]] : [], JSON.stringify(changes));
  }
  // An ad that matches two withdrawn, new or live ads is a new listing.
  for (const state of ['withdrawn', 'new', 'live'] as const)
    t.deepEqual([...findReposts([POSTED, { ...POSTED, id: 2, state: 'new' }, { ...POSTED, id: 3, state }])], [], state);
});

test('a repost keeps id, first_seen_at and prices, and creates a listing event', async (t) => {
  const source = testSource('reposts');
  const stock = ads(6, 'stock');
  const description = 'شقة دور ثاني تشطيب ممتاز مع بلكونة تطل على الوادي ومستودع تحت الدرج';
  const home = { title: 'شقة للإيجار', description, advertiser_key: 'office', area: 143, price: 61_000, bedrooms: 3 };
  const run = (day: string) => pipeline.run([source], `2026-04-${day}T03:00:00Z`);
  source.feed = [...stock, ad('first', home)];
  await run('02');
  const before = await pipeline.listing('reposts', 'first');
  source.feed = stock;
  await run('03');
  source.feed = [...stock, ad('second', { ...home, price: 59_000 })];
  const report = await run('10');
  t.deepEqual(report.events, { 'listing.created': 1 });
  const after = await pipeline.listing('reposts', 'second');
  t.is(after.id, before.id);
  t.deepEqual(after.first_seen_at, before.first_seen_at);
  t.true(after.relisted);
  const { rows } = await pipeline.pool.query(
    'select price_yearly_sar from listing_prices where listing_id = $1 order by at',
    [before.id],
  );
  t.deepEqual(rows, [{ price_yearly_sar: 61_000 }, { price_yearly_sar: 59_000 }]);
  t.deepEqual((await run('11')).events, {});
  // After the repost window, the ad is a new listing.
  source.feed = stock;
  await run('12');
  source.feed = [...stock, ad('third', home)];
  await pipeline.run([source], '2026-07-01T03:00:00Z');
  t.not((await pipeline.listing('reposts', 'third')).id, before.id);
});
