import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { startTestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createKey, createOrganization } from '#test/factories.ts';
import { getData } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { ad, startPipeline, testSource } from '../../ingest/run/pipeline.ts';
import { type ExportApp, manifestOf, rowsOf, withExports } from './app.ts';

/** The links of files expire by the clock of the store, so the history is recent. */
const NOW = Date.now();
const dayBefore = (days: number): string => `${new Date(NOW - days * 86_400_000).toISOString().slice(0, 10)}T03:00:00Z`;
const TIMES = [100, 65, 40, 2].map(dayBefore);

type Row = Record<string, string | number | boolean | null>;

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let app: ExportApp;
let key: string;
let organization: number;
test.before(async () => {
  pipeline = await startPipeline('medians');
  const started = await startTestApp({
    env: {
      ...{ INDEX_PREFIX: pipeline.prefix, HISTORY_START: dayBefore(100).slice(0, 10) },
      DATABASE_URL: await createDatabase('exports_medians'),
    },
    indexes: ['history'],
    overrides: { clock: { now: () => NOW, chargeTime: () => null } },
  });
  app = withExports(started, { rowsPerPart: 100 });
  await app.addCity({ slug: 'riyadh' }, neighborhoodsOf('riyadh'));
  const owner = await createOrganization(app.services, { plan: 'growth', columns: { units_per_minute: 1_000_000 } });
  ({ key, id: organization } = owner);
  const random = seeded(7);
  const source = testSource('medians');
  const homes = Array.from({ length: 120 }, (_, at) => ({
    property_type: random() < 0.6 ? 'apartment' : 'villa',
    purpose: random() < 0.7 ? 'rent' : 'sale',
    bedrooms: 2 + Math.floor(random() * 3),
    area: 90 + (at % 60),
    lat: 24.6 + Math.floor(at / 15) * 0.013,
    lng: 46.6 + (at % 15) * 0.013,
  }));
  for (const at of TIMES) {
    source.feed = homes.flatMap((home, id) => {
      const price = Math.round((40_000 + random() * 200 * 100) * (home.purpose === 'rent' ? 1 : 20));
      return random() < 0.8
        ? ad(`home${id}`, { ...home, price, price_period: home.purpose === 'rent' ? 'yearly' : null })
        : [];
    });
    await pipeline.run([source], at);
  }
});
test.after(async () => {
  await app?.close();
  await pipeline?.close();
});

const make = (filters: object, format = 'ndjson') => app.make(key, { dataset: 'market_medians', format, filters });
const medians = async (filters: object): Promise<Row[]> =>
  (await rowsOf((await make(filters)).files)).map((line) => JSON.parse(line));

test('every row of market_medians has the figures of the trends of its cohort and month', async (t) => {
  for (const basis of ['on_market', 'new_listings']) {
    const rows = await medians({ city: 'riyadh', basis });
    t.true(rows.length > 100, `${rows.length}`);
    t.is(new Set(rows.map((row) => JSON.stringify({ ...row, coverage: 0 }))).size, rows.length);
    const levels = Map.groupBy(rows, ({ listing_type, neighborhood_id, property_type, bedrooms }) =>
      JSON.stringify([listing_type, neighborhood_id, property_type, bedrooms]),
    );
    const random = seeded(3);
    const sampled = [...levels].filter(([level]) => level.includes('null,null') || random() < 0.15);
    t.true(sampled.length > 20, `${sampled.length} cohorts`);
    for (const [level, own] of sampled) {
      const [listing_type, neighborhood_id, property_type, beds] = JSON.parse(level);
      const query = { city: 'riyadh', listing_type, neighborhood_id, property_type, beds, basis, months: 6 };
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
      const { series } = await getData(app, key, '/v1/market/trends', given);
      const points = series[0].points.filter(({ sample_size }: Row) => Number(sample_size) > 0);
      const [{ name_en, name_ar }] = series;
      t.deepEqual(
        own.map(({ city, neighborhood_id: id, property_type: type, bedrooms, price_basis, ...row }) => row),
        points.map(({ change_pct, ...point }: Row) => ({ name_en, name_ar, listing_type, ...point })),
        level,
      );
    }
  }
});

test('filters of market_medians select rows, and rows are charged with the scope analytics', async (t) => {
  const all = await medians({});
  const months = [...new Set(all.map(({ month }) => String(month)))].sort().slice(1, 3);
  const filters = {
    ...{ property_type: ['villa'], beds: [3], min_sample_size: 2 },
    ...{ month_from: months[0], month_to: months[1] },
  };
  const expected = all.filter(
    ({ property_type, bedrooms, month, sample_size }) =>
      property_type === 'villa' && bedrooms === 3 && months.includes(String(month)) && Number(sample_size) >= 2,
  );
  t.true(expected.length > 2, `${expected.length}`);
  t.deepEqual(await medians(filters), expected);
  const made = await make({});
  t.is(made.units, Math.ceil(all.length / 1_000) * 100);
  t.regex((await manifestOf(made.files)).caveats.join(' '), /figures of GET \/market\/trends/);
  t.like(await make({ month_to: '2020-02' }), { status: 'completed', units: 0 });
  t.is((await make({}, 'parquet')).progress.rows_written, all.length);
  const refused = async (other: string) =>
    (await app.post(other, { dataset: 'market_medians', format: 'csv' })).body.error.code;
  t.is(await refused((await createOrganization(app.services, { plan: 'starter' })).key), 'scope_not_in_plan');
  t.is(
    await refused(await createKey(app.services, organization, { columns: { scopes: ['market'] } })),
    'scope_not_in_key',
  );
});
