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

const explain = (id: string, source = 'explained') => explainListing(pipeline.pool, { source, source_listing_id: id });

test('a listing is explained by the fence, cap, fact or duplicate that decides whether it is served and searched', async (t) => {
  const searched = { typed: true, pooled: true };
  const hidden = { typed: false, pooled: false };
  for (const [id, state, reason] of [
    ['usual1', { served: true, searched }, /It is served by its id.*plausible \(.*riyadh\/rent\/apartment\/3/],
    [
      'dear',
      { served: true, searched: hidden },
      /SAR [\d,]+ per m² is outside neighborhood_fence \d+\/rent\/apartment per m²: [\d,]+ to [\d,]+/,
    ],
    ['huge', { searched: hidden }, /90000 m² is not from 15 to 1,500/],
    [
      'unsized',
      { searched: hidden },
      /SAR 5,000,000 is outside city_bedrooms riyadh\/rent\/apartment\/3: [\d,]+ to [\d,]+/,
    ],
    ['bare', { served: false }, /no photos/],
    ['unpriced', { served: true, searched: hidden }, /served by its id\. It has no price: searches omit it/],
    ['one', { served: true }, /area equal.*price equal.*distance m50/],
  ] as const) {
    const said = await explain(id);
    t.like(said, state, id);
    t.regex(said.reasons.join(' '), reason);
  }
  const kept = await pipeline.listing('explained', 'one');
  const duplicate = (await explain('same', 'explained_too')).reasons.join(' ');
  t.regex(duplicate, new RegExp(`same property as listing ${kept.id}.*area equal`));
  t.deepEqual(await explainListing(pipeline.pool, kept.id), await explain('one'));
  await t.throwsAsync(explain('none'), {
    message: /no listing of explained with the id none there\..*rejects explained/,
  });
});

test('fences are computed only from served ads', async (t) => {
  const { rows } = await pipeline.pool.query(
    `select sample_size from quality_fences where kind = 'typed' and fence = 'riyadh/rent/apartment/3'`,
  );
  const { rows: served } = await pipeline.pool.query(
    `select count(*) as n from listings where served and price is not null and bedrooms = 3`,
  );
  t.is(rows[0].sample_size, served[0].n);
});
