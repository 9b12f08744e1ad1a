import type { StoredListing } from '#domain/listings/listing.ts';
import { ESTIMATE_VERSION } from '#domain/statistics/estimate.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData } from '#test/market.ts';
import { test } from '#test/test.ts';

const NOW = Date.parse('2026-06-01T12:34:37Z');
const CENTER = { lat: 24.7, lng: 46.7 };

let app: TestApp;
let key: string;
let city: string;
let neighborhood_id: number;
let homes: StoredListing[];
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  city = (await app.addCity({}, [{ center: CENTER }])).slug;
  neighborhood_id = app.services.places.neighborhoods(city)?.[0]?.id ?? 0;
  homes = Array.from({ length: 30 }, (_, index) => home(index));
  await indexListings(app.services, homes);
});
test.after(() => app.close());

/** Rents of 400 riyals per square meter, 1% more for each home to the east. */
const home = (index: number, display: Parameters<typeof makeListing>[0] = {}): StoredListing =>
  makeListing(
    {
      property_type: 'apartment',
      bedrooms: 2 + (index % 2),
      bathrooms: 2,
      age_years: index % 5,
      area_sqm: 110 + (index % 7) * 3,
      price: { yearly_sar: Math.round((110 + (index % 7) * 3) * 400 * (1 + index / 100)) },
      updated_at: '2026-05-20T00:00:00Z',
      ...display,
      location: { city, neighborhood_id, lat: CENTER.lat, lng: CENTER.lng + index * 0.001, ...display.location },
    },
    { first_seen: Math.floor(NOW / 1000) - 5 * 86_400 },
  );

const described = (more: Record<string, string | number> = {}) => ({
  ...{ city, listing_type: 'rent', property_type: 'apartment', area: 119, beds: 3, age: 3 },
  near: `${CENTER.lat},${CENTER.lng + 0.013}`,
  ...more,
});

/** Returns the smallest adjusted price at which half of the weight is reached. */
function weightedMedian(comparables: readonly { weight_pct: number; adjusted_price_sar: number }[]): number {
  let reached = 0;
  for (const { weight_pct, adjusted_price_sar } of [...comparables].sort(
    (a, b) => a.adjusted_price_sar - b.adjusted_price_sar,
  )) {
    reached += weight_pct;
    if (reached >= 50) return adjusted_price_sar;
  }
  return Number.NaN;
}

test('the estimate is the weighted median of the adjusted prices that it returns', async (t) => {
  const data = await getData(app, key, '/v1/market/estimate', described());
  t.is(data.status, 'available');
  t.is(data.price_basis, 'yearly_rent');
  t.is(data.comparables.length, 30);
  t.is(data.estimate.price_sar, weightedMedian(data.comparables));
  t.true(Math.abs(data.estimate.price_sar / (119 * 400 * 1.13) - 1) < 0.05, `${data.estimate.price_sar}`);
  t.like(data.evidence, { geography: 'radius', radius_m: 5_000, distinct_units: 30, evidence_clusters: 30 });
  t.true(data.comparables[0].distance_m < 500);
  for (const { price_sar, area_sqm, adjusted_price_sar, area_adjustment_sar } of data.comparables) {
    t.true(Math.abs(adjusted_price_sar - price_sar * Math.sqrt(119 / area_sqm)) < 0.01);
    t.true(Math.abs(price_sar + area_adjustment_sar - adjusted_price_sar) < 0.02);
  }
});

test('a listing is estimated as a home of its attributes without its own ads', async (t) => {
  const own = homes[13] as StoredListing;
  const { id, area_sqm, bedrooms, age_years, location } = own.display;
  const repeated = home(13);
  await indexListings(app.services, [repeated]);
  const listing = await getData(app, key, `/v1/listings/${id}/estimate`);
  t.like(listing, { listing_id: id, price_sar: own.display.price.yearly_sar });
  t.true(Math.abs(listing.diff_from_estimate_pct - (listing.price_sar / listing.estimate.price_sar - 1) * 100) < 0.01);
  const ids = listing.comparables.map((each: { listing_id: number }) => each.listing_id);
  t.is(ids.length, 29);
  t.false(ids.includes(id) || ids.includes(repeated.display.id));
  const near = `${location.lat},${location.lng}`;
  const same = described({ near, area: area_sqm ?? 0, beds: bedrooms ?? 0, age: age_years ?? 0 });
  // One of both ads is evidence for a home that is not advertised.
  t.is((await getData(app, key, '/v1/market/estimate', same)).comparables.length, 30);
});

test('a home without a price or a point is estimated; a home without a price band has a status', async (t) => {
  const { near: _, ...placeless } = described();
  const data = await getData(app, key, '/v1/market/estimate', { ...placeless, neighborhood_id });
  t.like(data, { status: 'available', evidence: { geography: 'neighborhood', radius_m: 0 } });
  t.is(data.comparables[0].distance_m, null);
  for (const [display, status] of [
    [{ price: { yearly_sar: null } }, 'available'],
    [{ property_type: 'land' }, 'plot_area_only'],
    [{ property_type: 'office', listing_category: 'commercial' }, 'not_residential'],
    [{ property_type: 'villa' }, 'insufficient_comparables'],
    [{ location: { lat: null, lng: null, neighborhood_id: null } }, 'no_location'],
  ] as const) {
    const listing = home(9, display);
    await indexListings(app.services, [listing]);
    const found = await getData(app, key, `/v1/listings/${listing.display.id}/estimate`);
    t.is(found.status, status);
    if (status !== 'available') t.like(found, { estimate: null, evidence: null, comparables: [] });
  }
});

test('homes that cannot exist are rejected with the parameter at fault', async (t) => {
  const other = (await app.addCity({}, [{}])).slug;
  const foreign = app.services.places.neighborhoods(other)?.[0]?.id ?? 0;
  const { near: _, ...placeless } = described();
  for (const [query, code, param] of [
    [described({ area: 5_000 }), 'invalid_value', 'area'],
    [described({ property_type: 'land' }), 'invalid_value', 'property_type'],
    [described({ near: '21.5,39.2' }), 'invalid_value', 'near'],
    [described({ neighborhood_id }), 'invalid_value', 'near'],
    [{ ...placeless, neighborhood_id: foreign }, 'neighborhood_not_found', 'neighborhood_id'],
    [placeless, 'missing_parameter', 'near'],
  ] as const) {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const { error } = (await app.request(`/v1/market/estimate?${text}`, { key })).body;
    t.like(error, { code, param }, text.toString());
  }
});

test('the expected error is that of past estimates of the city, else of all cities, else null', async (t) => {
  const errorOf = async () => (await getData(app, key, '/v1/market/estimate', described())).expected_error;
  /** Errors of 0.5, 1.5, 2.5% and so on. */
  const record = async (of: string, from: number, to: number, version = `${ESTIMATE_VERSION}`, day = '2026-05-01') => {
    await app.services.pool.query(
      `insert into estimate_ledger
       select 9000000 + i, $5::date, $1, 'rent', 'apartment', $4, 100, 99.5 + i % 1000, 1.2, 1.1
         from generate_series($2::integer, $3) i`,
      [of, from, to, version, day],
    );
    app.services.expectedErrors.clear();
  };
  const before = await errorOf();
  t.true(before === null || before.city === null);
  await record(city, 1, 29);
  await record(city, 2_001, 2_040, 'estimate-0');
  await record(city, 3_001, 3_040, ESTIMATE_VERSION, '2026-02-01');
  t.not((await errorOf())?.city, city);
  await record('elsewhere', 1_001, 1_010);
  const { city: all, sample_size } = await errorOf();
  t.is(all, null);
  t.true(sample_size >= 39);
  await record(city, 30, 30);
  const figures = { sample_size: 30, median_error_pct: 15, within_10_pct: 33.33, within_20_pct: 66.67 };
  t.deepEqual(await errorOf(), { city, ...figures });
});
