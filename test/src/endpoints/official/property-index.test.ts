import { monthOf } from '#domain/months.ts';
import { type Kind, SERIES_KINDS, type Series } from '#domain/property-index/series.ts';
import { draftRelease, publishPropertyIndex } from '#src/property-index/publish-month.ts';
import { publish } from '#src/property-index/releases.ts';
import { inTransaction } from '#stores/postgres/transaction.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { inventDeals, MONTH, recordDeals, recordListings } from '../../property-index/market.ts';

const HISTORY = '2026-03-09';
const NOW = new Date('2024-08-05T04:47:00Z');
const DEALS = inventDeals('deals');

/** A separate app, because releases are shared by the whole installation. The tests depend on one another. */
let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ env: { DATABASE_URL: await createDatabase('property_index') } });
  for (const slug of ['riyadh', 'abha']) await app.addCity({ slug });
  key = (await createOrganization(app.services)).key;
  await recordDeals(app.services.pool, DEALS);
});
test.after(() => app.close());

const get = (query = '') => app.request(`/v1/market/property-index${query}`, { key });
const pool = () => app.services.pool;
const draft = (month: number, note: string | null = null) =>
  inTransaction(pool(), (db) => draftRelease(db, { month, historyStart: HISTORY, note }));
const AUGUST = monthOf(NOW);

test('while no release is published, the property index returns 404 with an empty list of releases', async (t) => {
  await draft(AUGUST);
  for (const query of ['', '?release=2024-08-r1']) {
    const { body } = await get(query);
    t.like(body.error, { code: 'release_not_found', details: { available_releases: [] } });
  }
});

test('the publishing job leaves an existing draft unpublished, and publishes each month once', async (t) => {
  const job = publishPropertyIndex(HISTORY);
  const connection = await pool().connect();
  t.teardown(() => connection.release());
  t.deepEqual(await job.run(connection, new Date('2024-08-04T04:47:00Z')), { published: 0 }, 'not due');
  t.deepEqual(await job.run(connection, NOW), { published: 0, drafts: 1 });
  await pool().query('delete from property_index_releases');
  t.like(await job.run(connection, NOW), { published: 1 });
  t.deepEqual(await job.run(connection, NOW), { published: 0, drafts: 0 });
});

test('a published release is returned with its series and the cities without a series, at no cost on the Free plan', async (t) => {
  const free = await createOrganization(app.services, { plan: 'free' });
  const { body, headers, text } = await app.request('/v1/market/property-index', { key: free.key });
  t.is(headers.get('x-request-units'), '0');
  t.notRegex(text, /98765432|deed|value_sar/, 'no data of single deals');
  const release = { id: '2024-08-r1', month: MONTH, revision: 1, note: null, published_at: '2024-08-05T04:47:00Z' };
  t.deepEqual(body.data.release, release);
  t.deepEqual(
    body.data.series.map(({ kind, city }: Series) => `${kind} ${city}`),
    ['rent', 'land', 'home', 'residential_land'].flatMap((kind) =>
      [null, 'riyadh'].map((city) => `${kind}_registered ${city}`),
    ),
  );
  for (const { kind, price_source } of body.data.series) t.is(price_source, SERIES_KINDS[kind as Kind].price_source);
  const home = body.data.series.find(({ kind }: Series) => kind === 'home_registered') as Series;
  t.is(home.points.length, 5);
  t.like(home.points[1], { period: '2023-Q3', home_price_index: 102, sample_size: 16 * 2 * 41 });
  t.like(home.points[1], { matched_sample_size: 16 * 2 * 40, matched_neighborhoods: 16 });
  t.deepEqual(body.data.cities_without_series, [
    { kind: 'residential_land_registered', city: 'abha', reason: 'too_few_deals' },
  ]);
});

test('property index filters select series, and the attribution covers the returned data', async (t) => {
  for (const [query, kinds, sources] of [
    ['scope=city&property=home,land', ['land_registered', 'home_registered'], undefined],
    ['kind=home_registered&scope=national', ['home_registered'], undefined],
    ['city=abha', [], undefined],
    ['kind=residential_land_registered&city=riyadh', ['residential_land_registered'], ['justice_transactions']],
    ['kind=rent_registered&city=riyadh', ['rent_registered'], ['regulator_rent_index']],
  ] as const) {
    const { series, attribution } = (await get(`?${query}`)).body.data;
    t.deepEqual(
      series.map(({ kind }: Series) => kind),
      kinds,
      query,
    );
    t.deepEqual(
      attribution?.datasets.map(({ source }: { source: string }) => source),
      sources,
      query,
    );
  }
});

test('a published release does not change: building or publishing it again, or a statement', async (t) => {
  const before = await get('?release=2024-08-r1');
  const again = await inTransaction(pool(), (db) => publish(db, MONTH, new Date('2024-08-30T00:00:00Z')));
  t.is(again.revision, 1);
  await t.throwsAsync(draft(AUGUST), { message: /2024-08-r1 is published and does not change/ });
  await t.throwsAsync(draft(AUGUST, 'Nothing was wrong.'), { message: /comes out the same/ });
  for (const statement of [
    `update property_index_releases set note = 'x', revision = 2`,
    'delete from property_index_releases',
    `update property_index_series set content = '{}'`,
    'delete from property_index_series where position = 0',
    `insert into property_index_series select month, revision, 99, kind, property, city, content from property_index_series limit 1`,
    'truncate property_index_releases cascade',
  ])
    await t.throwsAsync(pool().query(statement), { message: /never changes?/ }, statement);
  t.is((await get('?release=2024-08-r1')).text, before.text);
});

test('a correction is a new revision with a note, and the previous revision remains', async (t) => {
  const before = await get('?release=2024-08-r1');
  await t.throwsAsync(draft(AUGUST + 1, 'A note.'), { message: /nothing to correct/ });
  await recordDeals(
    pool(),
    DEALS.map((deal) => (deal.quarter === 2024 * 4 ? { ...deal, price_sar: deal.price_sar * 1.1 } : deal)),
  );
  const note = 'Deals of 2024-Q1 were republished.';
  t.is((await draft(AUGUST, note)).revision, 2);
  t.is((await get()).text, before.text, 'a draft is not served');
  await inTransaction(pool(), (db) => publish(db, MONTH, new Date('2024-08-20T10:00:00Z')));
  const { body } = await get('?release=2024-08');
  t.like(body.data.release, { id: '2024-08-r2', revision: 2, note });
  t.notDeepEqual(body.data.series, before.body.data.series);
  t.is((await get()).body.data.release.id, '2024-08-r2');
  t.is((await get('?release=2024-08-r1')).text, before.text);
  const { error } = (await get('?release=2024-08-r3')).body;
  t.deepEqual(error.details, { available_releases: ['2024-08-r2', '2024-08-r1'] });
});

test('asking rents are computed from complete months of the listing history', async (t) => {
  const [march, release] = [monthOf(Date.parse('2026-03-09')), monthOf(Date.parse('2026-08-01'))];
  await recordListings(pool(), march, 6);
  await draft(release);
  await inTransaction(pool(), (db) => publish(db, '2026-08', new Date('2026-08-05T00:00:00Z')));
  const { data } = (await get('?kind=rent_asking')).body;
  t.like(data, { release: { id: '2026-08-r1' }, price_source: 'asking', attribution: null });
  const [, riyadh] = data.series;
  t.like(riyadh, { source_key: 'service_listings', base_period: '2026-04', city: 'riyadh', withheld_periods: [] });
  t.deepEqual(
    riyadh.points.map(({ period, rent_index }: { period: string; rent_index: number }) => [period, rent_index]),
    [
      ['2026-04', 100],
      ['2026-05', 102],
      ['2026-06', 104.04],
      ['2026-07', 106.12],
    ],
  );
  // In July, 30 of the 60 temporary listings are live. The implausible listing is not counted.
  t.is(riyadh.points.at(-1).sample_size, 179 + 60 * (6 / 12));
});
