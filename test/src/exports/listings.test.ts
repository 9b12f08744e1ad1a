import { parse } from 'csv-parse/sync';
import { failExport } from '#src/exports/charge-export.ts';
import { listingsDataset } from '#src/exports/datasets/listings.ts';
import { runExport } from '#src/exports/run.ts';
import { claimExport } from '#src/exports/store.ts';
import { openListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import { createOrganization, createProject, indexListings, makeListing, unitsUsed } from '#test/factories.ts';
import { rowTexts } from '#test/pages.ts';
import { test } from '#test/test.ts';
import { type ExportApp, manifestOf, partTexts, rowsOf, startExportApp } from './app.ts';

const ROWS = 105;
/** Epoch seconds 3.5 days ago, so that `days_on_market` does not change during the tests. */
const MIDDAY_AGO = Math.floor(Date.now() / 1000) - 3.5 * 86_400;

let app: ExportApp;
/** A city with listings of every kind, and a second city. */
let city: string;
let other: string;
test.before(async () => {
  app = await startExportApp('exports_listings', { worker: { rowsPerPart: 40 } });
  [city, other] = [(await app.addCity()).slug, (await app.addCity()).slug];
  const listings = Array.from({ length: ROWS }, (_, index) =>
    makeListing(
      {
        location: { city },
        bedrooms: index % 5,
        property_type: index % 3 === 0 ? 'villa' : 'apartment',
        description: `وصف العقار رقم ${index}، "مميز"\nسطر ثان`,
        amenities: index % 2 === 0 ? ['lift', 'parking'] : [],
        title: index % 4 === 0 ? null : `عنوان ${index}`,
        price: { yearly_sar: 30_000 + index * 100 },
      },
      { first_seen: MIDDAY_AGO },
    ),
  );
  await indexListings(app.services, [
    ...listings,
    makeListing({ location: { city: other }, listing_type: 'sale' }),
    makeListing({ location: { city: other } }),
    // These listings are excluded from both search and exports.
    makeListing({ location: { city } }, { plausible_pooled: false, plausible_typed: false }),
    makeListing({ location: { city }, price: { yearly_sar: null } }),
  ]);
});
test.after(() => app.close());

const searched = (key: string, query: Record<string, string>) =>
  rowTexts(app, `/v1/listings?${new URLSearchParams({ limit: '100', ...query })}`, key);

const sorted = (rows: readonly string[]): string[] => [...rows].sort();

test('exported rows match search results byte for byte, and each part can be read separately', async (t) => {
  const { key } = await createOrganization(app.services);
  const made = await app.make(key, { dataset: 'listings', format: 'ndjson', filters: { city: [city] } });
  t.like(made, { status: 'completed', units: 100, progress: { rows_written: ROWS, rows_total: ROWS } });
  const rows = await rowsOf(made.files);
  t.deepEqual(sorted(rows), sorted(await searched(key, { city, listing_type: 'rent' })));
  for (const text of await partTexts(made.files)) t.true(text.endsWith('}\n'));

  const csv = await app.make(key, { dataset: 'listings', format: 'csv', filters: { city: [city] } });
  const parts = (await partTexts(csv.files)).map((text): string[][] => parse(text, { record_delimiter: '\n' }));
  t.deepEqual(
    parts.map((records) => records.length),
    [41, 41, 26],
  );
  t.is(new Set(parts.map(([header]) => String(header))).size, 1, 'each part has the header');

  const manifest = await manifestOf(made.files);
  t.like(manifest, {
    export_id: made.id,
    dataset: 'listings',
    rows: ROWS,
    filters: { city: [city] },
    as_of: made.as_of,
  });
  t.regex(manifest.watermark, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  t.deepEqual(
    manifest.parts,
    made.files.slice(0, 3).map(({ url: _, ...file }: { url: string }) => file),
  );

  // The filters for cities and listing types accept one or more values, and default to all.
  const all = await app.make(key, { dataset: 'listings', format: 'ndjson', filters: { city: [city, other] } });
  t.is(all.progress.rows_total, ROWS + 2);
  const sales = { city: other, listing_type: 'sale' };
  t.is((await app.make(key, { dataset: 'listings', format: 'ndjson', filters: sales })).progress.rows_total, 1);
});

test('each started thousand rows costs 100 units, which count toward the monthly quota and usage but not toward the rate limit', async (t) => {
  const owner = await createOrganization(app.services, { columns: { units_per_minute: 5, units_per_month: 250 } });
  const made = await app.make(owner.key, { dataset: 'listings', format: 'ndjson', filters: { city } });
  t.is(made.units, 100);
  const none = { city, price_min: 900_000_000 };
  const empty = await app.make(owner.key, { dataset: 'listings', format: 'csv', filters: none });
  t.like(empty, { status: 'completed', units: 0, progress: { rows_written: 0, rows_total: 0 } });
  t.deepEqual(
    empty.files.map(({ name }: { name: string }) => name),
    ['manifest.json'],
  );
  t.is(await unitsUsed(app.services, owner.id), 100);
  const { rows } = await app.services.pool.query(
    'select endpoint, result, units from usage_days where organization_id = $1 and units > 0',
    [owner.id],
  );
  t.deepEqual(rows, [{ endpoint: 'createExport', result: '2xx', units: 100 }]);
  const search = await app.request(`/v1/listings?city=${city}&listing_type=rent&limit=50`, { key: owner.key });
  t.is(search.status, 200, search.text);
});

test('if the quota, spend cap or project cap is exceeded, the export fails with the corresponding error code and costs nothing', async (t) => {
  // No standard plan includes both overage and exports of listings, but a custom plan can.
  await app.services.pool.query(
    `insert into plans select 'own', 99, units_per_minute, 50, page_size, paging_depth, active_keys, projects, scopes, true, 10, null, true
       from plans where name = 'enterprise' on conflict do nothing`,
  );
  for (const [columns, cap, code] of [
    [{ units_per_month: 99 }, null, 'monthly_quota_exceeded'],
    [{ units_per_month: 0 }, null, 'monthly_quota_exceeded'],
    [{ plan: 'own', spend_cap_sar: 0.4 }, null, 'spend_cap_reached'],
    [{}, 99, 'project_cap_exceeded'],
  ] as const) {
    const { id, key } = await createOrganization(app.services, { columns });
    const project = await createProject(app.services, id, cap);
    await app.services.pool.query('update api_keys set project_id = $2 where organization_id = $1', [id, project.id]);
    const made = await app.make(key, { dataset: 'listings', format: 'ndjson', filters: { city } });
    t.like(made, { status: 'failed', units: 0, error: { code } });
    t.deepEqual(made.files, []);
    t.is(await unitsUsed(app.services, id), 0);
    t.is(await unitsUsed(app.services, project.id, 'project'), 0);
  }
});

test('an export is a consistent snapshot even if listings change meanwhile', async (t) => {
  const moved = (await app.addCity()).slug;
  const listings = Array.from({ length: 1_200 }, () => makeListing({ location: { city: moved } }));
  await indexListings(app.services, listings);
  const index = await openListingIndex(app.services.opensearch);
  const snapshot = await listingsDataset.open({
    filters: { city: [moved] },
    asOf: Date.now(),
    services: app.services,
    signal: new AbortController().signal,
  });
  t.is(snapshot.count, listings.length);
  const prices = new Map<number, number>();
  let changed = false;
  for await (const batch of snapshot.rows({ sourceLinks: true })) {
    for (const row of batch) {
      const { id, price } = JSON.parse(Buffer.concat(row).toString('utf8'));
      prices.set(id, price.yearly_sar);
    }
    if (changed) continue;
    changed = true;
    await index.bulk(
      listings.map(({ display, private: hidden }, at) =>
        at % 2 === 0
          ? { op: 'delete', id: display.id, version: 2 }
          : {
              op: 'index',
              id: display.id,
              version: 2,
              stored: { display: { ...display, price: { ...display.price, yearly_sar: 1 } }, private: hidden },
            },
      ),
    );
    await index.refresh();
  }
  await snapshot.close();
  t.is(prices.size, listings.length);
  t.deepEqual(new Set(prices.values()), new Set([40_000]));
});

test('an export with fewer rows than were counted and charged does not complete, and costs nothing', async (t) => {
  const own = await startExportApp('exports_fewer_rows', { worker: null });
  t.teardown(() => own.close());
  const { slug } = await own.addCity();
  await indexListings(own.services, [
    makeListing({ location: { city: slug } }),
    makeListing({ location: { city: slug } }),
  ]);
  const { id, key } = await createOrganization(own.services);
  t.is((await own.post(key, { dataset: 'listings', format: 'ndjson', filters: { city: slug } })).status, 201);
  const job = await claimExport(own.services.pool, 30_000);
  if (!job) return t.fail('no export was queued');
  const dataset: typeof listingsDataset = {
    ...listingsDataset,
    open: async (source) => {
      const snapshot = await listingsDataset.open(source);
      return { ...snapshot, count: snapshot.count + 1, rows: snapshot.rows, close: snapshot.close };
    },
  };
  const options = { rowsPerPart: 40, onRows: () => {}, signal: AbortSignal.timeout(30_000) };
  await t.throwsAsync(runExport(job, dataset, own.services, options), { message: '2 rows were written of 3 counted' });
  t.is(await unitsUsed(own.services, id), 100);
  await failExport(own.services.pool, job, 'internal_error', null);
  t.is(await unitsUsed(own.services, id), 0);
});
