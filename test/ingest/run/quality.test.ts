import { explainListing } from '#ingest/quality/explain.ts';
import { test } from '#test/test.ts';
import { ad, ads, startPipeline, testSource } from './pipeline.ts';

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
test.before(async () => {
  pipeline = await startPipeline('ingest-quality-flags');
});
test.after(() => pipeline.close());

const photo = (name: string): string => `https://photos.example/${name}.jpg`;
const found = async (id: string) => {
  const { id: listing, price, area_sqm } = await pipeline.listing('flagged', id);
  const stored = await pipeline.document(listing);
  return { flags: stored?.private.quality ?? [], price, area: area_sqm, modified: stored?.private.modified };
};

test('text, photo, price and relisting flags are stored by the run that detects them', async (t) => {
  const source = testSource('flagged');
  const sale = { purpose: 'sale', price_period: null, price: 600_000, area: 150, title: 'شقة للبيع' };
  const plain = ads(30, 'plain');
  source.feed = [
    ...plain,
    ad('differing', { ...sale, description: 'السعر 850 ألف' }),
    ad('far', { ...sale, description: 'السعر 950 ألف' }),
    ad('land', { ...sale, bedrooms: null, description: 'قطعة أرض في موقع مميز' }),
    ad('part', { ...sale, description: 'الدفعة الأولى 600 الف والباقي أقساط' }),
    ad('from', { ...sale, description: 'الأسعار تبدأ من 600 الف' }),
    ad('gone', { ...sale, description: 'شقة واسعة\nتم البيع' }),
    ad('small', { ...sale, price: 900_000, area: 15, description: 'المساحة 150 متر' }),
    ad('rate', { ...sale, price: 6_000, description: 'سعر المتر 6000' }),
    ad('left', { photos: ['a', 'b', 'left'].map(photo) }),
    ad('right', { photos: ['a', 'b', 'right'].map(photo), bedrooms: 6, area: 400, price: 190_000 }),
    ad('away'),
  ];
  await pipeline.run([source], '2026-04-02T03:00:00Z');
  t.like(await found('differing'), { flags: ['text_price_differs'], price: 600_000 });
  t.like(await found('part'), { flags: ['partial_price'], price: 600_000 });
  t.like(await found('from'), { flags: ['starting_price'], price: 600_000 });
  t.like(await found('gone'), { flags: ['sold'], price: 600_000 });
  t.like(await found('small'), { flags: ['area_from_text'], price: 900_000, area: 150 });
  t.like(await found('rate'), { flags: ['price_per_sqm_converted'], price: 900_000 });
  for (const id of ['left', 'right']) t.deepEqual((await found(id)).flags, ['shared_photos'], id);
  for (const id of ['plain0', 'plain1', 'away']) t.deepEqual((await found(id)).flags, [], id);
  const shown = await pipeline.document((await pipeline.listing('flagged', 'differing')).id);
  t.like(shown?.display.price, { yearly_sar: 600_000, as_posted: { amount: 600_000, frequency: 'total' } });
});

test('a posted price that the text makes implausible is hidden from searches and shown by id', async (t) => {
  const hidden = async (id: string) => {
    const stored = await pipeline.document((await pipeline.listing('flagged', id)).id);
    const { plausible_typed: typed, plausible_pooled: pooled } = stored?.private ?? {};
    return [typed, pooled, stored?.display.price.yearly_sar, stored?.display.price.as_posted?.amount];
  };
  for (const id of ['part', 'gone', 'far', 'land']) t.deepEqual(await hidden(id), [false, false, 600_000, 600_000], id);
  for (const id of ['differing', 'from']) t.deepEqual(await hidden(id), [true, true, 600_000, 600_000], id);
  const { rows } = await pipeline.pool.query(
    `select array_agg(source_listing_id order by l.id) as ads, m.price from listing_months m join listings l on l.id = listing_id
      where l.price = 600000 group by m.price order by m.price`,
  );
  t.deepEqual(rows, [
    { ads: ['differing', 'from'], price: 600_000 },
    { ads: ['far', 'land', 'part', 'gone'], price: null },
  ]);
});

test('a new or removed flag changes modified_at, and another price in the text is not a price change', async (t) => {
  const source = testSource('flagged');
  const sale = { purpose: 'sale', price_period: null, price: 600_000, area: 150, title: 'شقة للبيع' };
  const before = { left: await found('left'), plain: await found('plain0'), away: await found('away') };
  source.feed = [
    ...ads(30, 'plain'),
    ad('differing', { ...sale, description: 'شقة واسعة' }),
    ad('left', { photos: ['a', 'b', 'left'].map(photo) }),
  ];
  await pipeline.run([source], '2026-04-03T03:00:00Z');
  source.feed.push(ad('away'));
  await pipeline.run([source], '2026-04-04T03:00:00Z');
  const left = await found('left');
  t.deepEqual(left.flags, []);
  t.true((left.modified as number) > (before.left.modified as number));
  t.is((await found('plain0')).modified, before.plain.modified);
  t.deepEqual((await found('away')).flags, ['relisted']);
  t.like(await found('differing'), { flags: [], price: 600_000 });
  const { id } = await pipeline.listing('flagged', 'differing');
  t.deepEqual(await pipeline.events(id), ['listing.created']);
});

test('explain quotes the words behind a flag', async (t) => {
  const { id } = await pipeline.listing('flagged', 'part');
  const { reasons, searched } = await explainListing(pipeline.pool, id);
  t.deepEqual(searched, { typed: false, pooled: false });
  t.true(reasons.some((reason) => reason.startsWith('Its text makes its price implausible')));
  t.true(reasons.some((reason) => /partial_price: "الدفعه الاولي 600 الف.*" \(600,000\)/.test(reason)));
});
