import { monthOf } from '#domain/months.ts';
import { KINDS, SERIES_KINDS } from '#domain/property-index/kinds.ts';
import type { Series } from '#domain/property-index/schema.ts';
import { createLogger } from '#observability/logger.ts';
import { runJob } from '#postgres/job.ts';
import { createPool } from '#postgres/pool.ts';
import { inTransaction } from '#postgres/transaction.ts';
import { draftRelease, publishMonth, publishPropertyIndex } from '#src/property-index/publish-month.ts';
import { publish, readRelease } from '#src/property-index/releases.ts';
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
  for (const query of ['', '?release=2024-08', '?release=2024-08-r1', '?release=nonsense']) {
    const { status, body } = await get(query);
    t.is(status, 404);
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
  const workers = createPool(app.services.config.databaseUrl, { max: 4 });
  t.teardown(() => workers.end());
  const logger = createLogger('silent');
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => runJob(workers, job, NOW, logger)));
  t.deepEqual(outcomes.sort(), ['done', 'taken', 'taken', 'taken']);
  t.deepEqual(await job.run(connection, NOW), { published: 0, drafts: 0 });
  const before = new Date('2019-08-05T04:47:00Z');
  t.deepEqual(await publishMonth(connection, before, HISTORY), { published: 0, series: 0 }, 'no data');
});

test('a published release is returned with its series and the cities without a series', async (t) => {
  const { status, body } = await get();
  t.is(status, 200);
  t.deepEqual(body.data.release, {
    id: '2024-08-r1',
    month: MONTH,
    revision: 1,
    note: null,
    published_at: '2024-08-05T04:47:00Z',
  });
  t.is(body.data.price_source, 'registered');
  t.deepEqual(
    body.data.series.map(({ kind, city }: Series) => `${kind} ${city}`),
    [
      'rent_registered null',
      'rent_registered riyadh',
      'land_registered null',
      'land_registered riyadh',
      'home_registered null',
      'home_registered riyadh',
      'residential_land_registered null',
      'residential_land_registered riyadh',
    ],
  );
  const home = body.data.series.find(({ kind }: Series) => kind === 'home_registered') as Series;
  t.is(home.points.length, 5);
  t.like(home.points[1], { period: '2023-Q3', home_price_index: 102, sample_size: 16 * 2 * 41 });
  t.like(home.points[1], { matched_sample_size: 16 * 2 * 40, matched_neighborhoods: 16 });
  t.deepEqual(body.data.cities_without_series, [
    { kind: 'residential_land_registered', city: 'abha', reason: 'too_few_deals' },
  ]);
});

test('property index filters select series, and the attribution covers the returned data', async (t) => {
  const kinds = async (query: string) => {
    const { body } = await get(query);
    return [body.data.series.map(({ kind }: Series) => kind), body.data.attribution];
  };
  t.deepEqual(await kinds('?scope=city&property=home,land'), [['land_registered', 'home_registered'], null]);
  t.deepEqual(await kinds('?kind=home_registered&scope=national'), [['home_registered'], null]);
  t.deepEqual(await kinds('?city=abha'), [[], null]);
  const [, attribution] = await kinds('?property=residential_land,home');
  t.deepEqual(
    attribution.datasets.map(({ source }: { source: string }) => source),
    ['justice_transactions'],
  );
  const [, both] = await kinds('?city=riyadh');
  t.deepEqual(
    both.datasets.map(({ source }: { source: string }) => source),
    ['regulator_rent_index', 'justice_transactions'],
  );
  t.like((await get('?city=abha')).body.data, {
    cities_without_series: [{ kind: 'residential_land_registered', city: 'abha', reason: 'too_few_deals' }],
  });
  t.deepEqual((await get('?city=abha&property=home')).body.data.cities_without_series, []);
});

test('the price source is that of the series, or of the requested kinds if there are no series', async (t) => {
  for (const query of ['', ...KINDS.map((kind) => `?kind=${kind}`), '?property=apartment&city=abha']) {
    const { price_source, series } = (await get(query)).body.data;
    const kind = KINDS.find((each) => query.endsWith(each));
    t.is(price_source, kind ? SERIES_KINDS[kind].price_source : 'registered', query);
    for (const each of series) t.is(each.price_source, price_source, query);
  }
});

test('the property index costs no units on the Free plan and contains no data of single deals', async (t) => {
  const free = await createOrganization(app.services, { plan: 'free' });
  const { status, headers, text } = await app.request('/v1/market/property-index', { key: free.key });
  t.is(status, 200);
  t.is(headers.get('x-request-units'), '0');
  t.notRegex(text, /98765432|deed|value_sar/);
});

test('building or publishing a release again does not change its bytes', async (t) => {
  const before = await get('?release=2024-08-r1');
  const again = await inTransaction(pool(), (db) => publish(db, MONTH, new Date('2024-08-30T00:00:00Z')));
  t.is(again.revision, 1);
  t.is((await get('?release=2024-08-r1')).text, before.text);
  await t.throwsAsync(draft(AUGUST), { message: /2024-08-r1 is published and does not change/ });
  await t.throwsAsync(draft(AUGUST, 'Nothing was wrong.'), { message: /comes out the same/ });
  // A release of another month with the same periods and the deals in another order has identical series.
  await recordDeals(pool(), [...DEALS].reverse());
  await draft(AUGUST + 1);
  const [first, second] = await Promise.all(
    [MONTH, '2024-09'].map((month) => readRelease(pool(), { month, revision: 1 })),
  );
  t.deepEqual(second, first);
  await pool().query(`delete from property_index_releases where month = '2024-09'`);
});

test('changes of a published release are refused', async (t) => {
  for (const statement of [
    `update property_index_releases set note = 'x', revision = 2`,
    `update property_index_releases set published_at = null`,
    'delete from property_index_releases',
    `update property_index_series set content = '{}'`,
    'delete from property_index_series where position = 0',
    `insert into property_index_series select month, revision, 99, kind, property, city, content from property_index_series limit 1`,
    'truncate property_index_series',
    'truncate property_index_releases cascade',
  ])
    await t.throwsAsync(pool().query(statement), { message: /never changes?/ }, statement);
});

test('a correction is a new revision with a note, and the previous revision remains', async (t) => {
  const before = await get('?release=2024-08-r1');
  await t.throwsAsync(draft(AUGUST + 1, 'A note.'), { message: /nothing to correct/ });
  await recordDeals(
    pool(),
    DEALS.map((deal) => (deal.quarter === 2024 * 4 ? { ...deal, price_sar: deal.price_sar * 1.1 } : deal)),
  );
  await draft(AUGUST, 'A first try.');
  const release = await draft(AUGUST, 'Deals of 2024-Q1 were republished.');
  t.is(release.revision, 2);
  t.is((await get()).text, before.text, 'a draft is not served');
  await inTransaction(pool(), (db) => publish(db, MONTH, new Date('2024-08-20T10:00:00Z')));
  const { body } = await get('?release=2024-08');
  t.like(body.data.release, { id: '2024-08-r2', revision: 2, note: 'Deals of 2024-Q1 were republished.' });
  t.is((await get()).body.data.release.id, '2024-08-r2');
  t.is((await get('?release=2024-08-r1')).text, before.text);
  t.notDeepEqual(body.data.series, before.body.data.series);
  const { body: missing } = await get('?release=2024-08-r3');
  t.deepEqual(missing.error.details, { available_releases: ['2024-08-r2', '2024-08-r1'] });
});

test('asking rents are computed from complete months of the listing history', async (t) => {
  const [march, release] = [monthOf(Date.parse('2026-03-09')), monthOf(Date.parse('2026-08-01'))];
  await recordListings(pool(), march, 6);
  const { series } = await draft(release);
  t.true(series > 0);
  await inTransaction(pool(), (db) => publish(db, '2026-08', new Date('2026-08-05T00:00:00Z')));
  const { body } = await get('?kind=rent_asking');
  t.is(body.data.release.id, '2026-08-r1');
  t.is(body.data.price_source, 'asking');
  t.is(body.data.attribution, null);
  const [national, riyadh] = body.data.series;
  t.like(national, { property: 'apartment', frequency: 'monthly', price_source: 'asking', city: null });
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
