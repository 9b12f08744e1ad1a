import { explainListing } from '#ingest/quality/explain.ts';
import { test } from '#test/test.ts';
import { ad, ads, pipelineOfFile, testSource } from '../run/pipeline.ts';

const pipeline = pipelineOfFile('ingest-explain');
const source = testSource('explained');
const usual = { bedrooms: 3, neighborhood: 'النرجس' };
const home = { price: 61_000, area: 143, floor: '2', age_years: 4, lat: 24.8123, lng: 46.6123, bedrooms: 2 };
source.feed = [
  ...ads(60, 'usual', usual),
  ad('dear', { ...usual, price: 5_000_000 }),
  ad('unsized', { ...usual, price: 5_000_000, area: null }),
  ad('vouched', { ...usual, price: 600_000, area: 1_400 }),
  ad('huge', { ...usual, area: 90_000 }),
  ad('bare', { photos: [] }),
  ad('unpriced', { ...usual, price: null }),
  ad('one', home),
];
const other = testSource('explained_too');
other.feed = [...ads(3, 'more'), ad('same', home)];
test.before(async () => {
  await pipeline.run([source, other], '2026-04-02T03:00:00Z');
});

const explain = async (id: string, source = 'explained') =>
  explainListing(pipeline.pool, (await pipeline.listing(source, id)).id);

test('a plausible listing is explained as served and searchable', async (t) => {
  const said = await explain('usual1');
  t.like(said, { served: true, searched: { typed: true, pooled: true } });
  t.regex(said.reasons.join(' '), /It is served by its id.*plausible \(.*riyadh\/rent\/apartment\/3/);
});

test('an implausible listing is explained by the exceeded fence or cap', async (t) => {
  const dear = await explain('dear');
  t.like(dear, { served: true, searched: { typed: false, pooled: false } });
  t.regex(
    dear.reasons.join(' '),
    /SAR [\d,]+ per m² is outside neighborhood_fence \d+\/rent\/apartment per m²: [\d,]+ to [\d,]+/,
  );
  t.regex((await explain('huge')).reasons.join(' '), /90000 m² is not from 15 to 1,500/);
  const unsized = await explain('unsized');
  t.like(unsized, { searched: { typed: false, pooled: false } });
  t.regex(
    unsized.reasons.join(' '),
    /SAR 5,000,000 is outside city_bedrooms riyadh\/rent\/apartment\/3: [\d,]+ to [\d,]+/,
  );
  const stored = await pipeline.document(dear.id);
  t.like(stored?.private, { plausible_typed: false, plausible_pooled: false });
});

test('a home with a usual price per square meter is explained by the total-price fence that it exceeds', async (t) => {
  const vouched = await explain('vouched');
  t.like(vouched, { searched: { typed: true, pooled: true } });
  t.regex(
    vouched.reasons.join(' '),
    /neighborhood_fence \d+\/rent\/apartment per m².*SAR 429 per m² is usual, which vouches for a price outside city_bedrooms/,
  );
});

test('a listing without photos or price, or a duplicate, is explained with that reason', async (t) => {
  const bare = await explain('bare');
  t.false(bare.served);
  t.regex(bare.reasons.join(' '), /no photos/);
  const unpriced = await explain('unpriced');
  t.like(unpriced, { served: true, searched: { typed: false, pooled: false } });
  t.regex(unpriced.reasons.join(' '), /served by its id\. It has no price: searches omit it/);
  const kept = await pipeline.listing('explained', 'one');
  t.regex(
    (await explain('same', 'explained_too')).reasons.join(' '),
    new RegExp(`same property as listing ${kept.id}`),
  );
  const why = /area equal.*price equal.*distance m50/;
  t.regex((await explain('same', 'explained_too')).reasons.join(' '), why);
  t.regex((await explain('one')).reasons.join(' '), why);
  await t.throwsAsync(explainListing(pipeline.pool, 9_999_999), { message: /no listing/ });
});

test('a listing is explained by its source and the id there', async (t) => {
  const key = { source: 'explained', source_listing_id: 'unpriced' };
  t.deepEqual(await explainListing(pipeline.pool, key), await explain('unpriced'));
  await t.throwsAsync(explainListing(pipeline.pool, { ...key, source_listing_id: 'none' }), {
    message: /no listing of explained with the id none there\..*rejects explained/,
  });
});

test('fences are computed only from served ads', async (t) => {
  const { rows } = await pipeline.pool.query(
    `select sample_size from quality_fences where kind = 'typed' and fence = 'riyadh/rent/apartment/3'`,
  );
  // The fence is computed from 60 ordinary and four unusual ads, without the duplicate and the ads without photo or
  // price.
  const { rows: served } = await pipeline.pool.query(
    `select count(*) as n from listings where served and price is not null and bedrooms = 3`,
  );
  t.is(rows[0].sample_size, served[0].n);
});
