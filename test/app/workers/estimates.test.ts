import { recordEstimates } from '#app/workers/housekeeping/estimates-job.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { quantile } from '#domain/statistics/quantiles.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData } from '#test/market.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

const NOW = Date.parse('2026-06-02T00:43:00Z');
const TODAY = Date.parse('2026-06-02T00:00:00Z') / 1_000;
const DAY = 86_400;

let app: TestApp;
let key: string;
let city: string;
// Its own listings: the job estimates all that were found on the previous day.
const indexes = ownIndexes();
test.before(async () => {
  const env = { INDEX_PREFIX: indexes.prefix, DATABASE_URL: await createDatabase('estimates') };
  app = await startTestApp({ env, overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  city = (await app.addCity({}, [{}])).slug;
});
test.after(async () => {
  await app.close();
  await indexes.remove();
});

const home = (index: number, first_seen: number, price: number, display: Parameters<typeof makeListing>[0] = {}) =>
  makeListing(
    {
      property_type: 'apartment',
      bedrooms: 3,
      age_years: 2,
      area_sqm: 120,
      price: { yearly_sar: price },
      updated_at: '2026-06-01T20:00:00Z',
      first_seen_at: new Date(first_seen * 1_000).toISOString(),
      ...display,
      location: { city, lat: 24.7 + index * 0.0005, lng: 46.7 },
    },
    { first_seen },
  );

const run = async () => {
  const db = await app.services.pool.connect();
  try {
    return await recordEstimates(app.services.search).run(db, new Date(NOW));
  } finally {
    db.release();
  }
};

test('new listings are estimated once, from listings found before their day, and compared with their prices', async (t) => {
  const earlier = Array.from({ length: 30 }, (_, index) => home(index, TODAY - 10 * DAY, 50_000 + index * 100));
  // The new listings are near each other and twice as expensive: they would raise each other's estimates.
  const found = Array.from({ length: 12 }, (_, index) =>
    home(40 + index, TODAY - DAY + index, 100_000 + index * 1_000),
  );
  const others: StoredListing[] = [
    home(60, TODAY - DAY, 100_000, { property_type: 'land' }),
    home(61, TODAY + 60, 100_000),
    home(62, TODAY - DAY - 1, 51_000),
  ];
  await app.services.pool.query(
    `insert into estimate_ledger values (1, '2025-01-01', $1, 'rent', 'villa', 'estimate-1', 1, 1, 1, 1)`,
    [city],
  );
  await indexListings(app.services, [...earlier, ...found, ...others]);
  t.like(await run(), { recorded: 12, deleted: 1 });
  t.like(await run(), { recorded: 0, deleted: 0 });
  const { rows } = await app.services.pool.query<Record<string, number>>(
    'select * from estimate_ledger where city = $1 order by listing_id',
    [city],
  );
  t.deepEqual(
    rows.map(({ listing_id }) => Number(listing_id)),
    found.map(({ display }) => display.id),
  );
  for (const row of rows) t.true(Number(row.estimate) >= 50_000 && Number(row.estimate) <= 53_000);

  const { groups } = await getData(app, key, '/v1/market/estimate/accuracy', { city, listing_type: 'rent' });
  t.deepEqual(
    groups.map(({ group, sample_size }: Record<string, unknown>) => [group, sample_size]),
    [
      ['all', 12],
      ['apartment', 12],
      ['lowest', 4],
      ['middle', 4],
      ['highest', 4],
      ['2026-06', 12],
    ],
  );
  const errors = rows
    .map(({ estimate, price }) => Math.abs(Number(estimate) / Number(price) - 1))
    .sort((a, b) => a - b);
  const [all] = groups;
  t.true(Math.abs(all.median_error_pct - quantile(errors, 0.5) * 100) < 0.01);
  t.like(all, { small_sample: false, within_10_pct: 0, within_20_pct: 0, coverage_80_pct: 0, coverage_50_pct: 0 });
  const { median_ratio_interval: around, median_ratio } = all;
  t.true(around.low <= median_ratio && median_ratio <= around.high);
  t.deepEqual((await getData(app, key, '/v1/market/estimate/accuracy', { city, listing_type: 'sale' })).groups, []);
});
