import type { StoredListing } from '#domain/listings/listing.ts';
import { ESTIMATE_VERSION } from '#domain/statistics/estimate.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData, type Query } from '#test/market.ts';
import { test } from '#test/test.ts';

/** Tests listings that cannot be compared, and the responses of estimates. */
const NOW = Date.parse('2026-06-01T12:34:37Z');
const CENTER = { lat: 24.7, lng: 46.7 };
const FIRST_SEEN = Math.floor(NOW / 1000) - 5 * 86_400;

let app: TestApp;
let key: string;
/** The city of the estimated homes. */
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

type Display = Parameters<typeof makeListing>[0];
const at = (city: string, display: Display = {}, hidden: Parameters<typeof makeListing>[1] = {}): StoredListing =>
  makeListing({ ...display, location: { city, ...display?.location } }, { first_seen: FIRST_SEEN, ...hidden });
const market = (name: string, query: Query) => getData(app, key, `/v1/market/${name}`, query);
const analysis = ({ display }: StoredListing, name: string) => getData(app, key, `/v1/listings/${display.id}/${name}`);

test('a listing whose price band, estimate or comparables cannot be determined states the reason', async (t) => {
  const { slug } = await app.addCity({}, [{}]);
  const [place] = app.services.places.neighborhoods(slug) ?? [];
  const lost = { lat: null, lng: null };
  const cases: [status: string, display: Display, unavailable?: string][] = [
    ['not_residential', { property_type: 'office', listing_category: 'commercial' }],
    ['plot_area_only', { property_type: 'farm' }],
    ['multi_unit', { property_type: 'residential_building' }],
    ['unsupported_cohort', { property_type: 'chalet' }],
    ['unsupported_cohort', { price: { as_posted: { amount: 300, frequency: 'daily' } } }],
    ['no_price', { price: { yearly_sar: null, as_posted: null } }],
    ['no_location', { location: { ...lost, neighborhood_id: null } }, 'no_location'],
    ['insufficient_comparables', { location: { ...lost, neighborhood_id: place?.id ?? null } }, 'no_location'],
    ['area_unusable', { area_sqm: null }, 'area_unusable'],
    ['area_unusable', { area_sqm: 3 }],
    ['fields_unusable', { bedrooms: null }],
    ['insufficient_comparables', { property_type: 'studio', bedrooms: null, area_sqm: 35 }],
  ];
  const listings = cases.map(([, display]) => at(slug, display));
  await indexListings(app.services, listings);
  for (const [index, [status, display, unavailable]] of cases.entries()) {
    const listing = listings[index] as StoredListing;
    const data = await analysis(listing, 'price-band');
    t.is(data.status, status, JSON.stringify(display));
    t.is(data.price_sar, listing.display.price.yearly_sar);
    const estimate = await analysis(listing, 'estimate');
    t.like(estimate, { status: status === 'no_price' ? 'insufficient_comparables' : status, estimate: null });
    if (unavailable === undefined) continue;
    const { unavailable_reason, criteria, comparables } = await analysis(listing, 'comparables');
    t.deepEqual([unavailable_reason, criteria.area_range_sqm, comparables], [unavailable, null, []]);
  }
});

/** Rents of 400 riyals per square meter, 1% more for each home to the east. */
const home = (index: number, display: Display = {}): StoredListing =>
  at(city, {
    property_type: 'apartment',
    bedrooms: 2 + (index % 2),
    bathrooms: 2,
    age_years: index % 5,
    area_sqm: 110 + (index % 7) * 3,
    price: { yearly_sar: Math.round((110 + (index % 7) * 3) * 400 * (1 + index / 100)) },
    updated_at: '2026-05-20T00:00:00Z',
    ...display,
    location: { neighborhood_id, lat: CENTER.lat, lng: CENTER.lng + index * 0.001, ...display?.location },
  });

const described = (more: Record<string, string | number> = {}) => ({
  ...{ city, listing_type: 'rent', property_type: 'apartment', area: 119, beds: 3, age: 3 },
  near: `${CENTER.lat},${CENTER.lng + 0.013}`,
  ...more,
});

test('the estimate is the weighted median of the adjusted prices that it returns', async (t) => {
  const data = await market('estimate', described());
  t.is(data.status, 'available');
  t.is(data.price_basis, 'yearly_rent');
  t.is(data.comparables.length, 30);
  type Comparable = Readonly<Record<'weight_pct' | 'adjusted_price_sar', number>>;
  let reached = 0;
  const median = data.comparables
    .toSorted((a: Comparable, b: Comparable) => a.adjusted_price_sar - b.adjusted_price_sar)
    .find(({ weight_pct }: Comparable) => {
      reached += weight_pct;
      return reached >= 50;
    });
  t.is(data.estimate.price_sar, median.adjusted_price_sar);
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
  const listing = await analysis(own, 'estimate');
  t.like(listing, { listing_id: id, price_sar: own.display.price.yearly_sar });
  t.true(Math.abs(listing.diff_from_estimate_pct - (listing.price_sar / listing.estimate.price_sar - 1) * 100) < 0.01);
  const ids = listing.comparables.map((each: { listing_id: number }) => each.listing_id);
  t.is(ids.length, 29);
  t.false(ids.includes(id) || ids.includes(repeated.display.id));
  const near = `${location.lat},${location.lng}`;
  const same = described({ near, area: area_sqm ?? 0, beds: bedrooms ?? 0, age: age_years ?? 0 });
  // One of both ads is evidence for a home that is not advertised.
  t.is((await market('estimate', same)).comparables.length, 30);
});

test('a home without a price or a point is estimated', async (t) => {
  const { near: _, ...placeless } = described();
  const data = await market('estimate', { ...placeless, neighborhood_id });
  t.like(data, { status: 'available', evidence: { geography: 'neighborhood', radius_m: 0 } });
  t.is(data.comparables[0].distance_m, null);
  const unpriced = home(9, { price: { yearly_sar: null } });
  await indexListings(app.services, [unpriced]);
  t.is((await analysis(unpriced, 'estimate')).status, 'available');
});

test('homes that cannot exist are rejected with the parameter at fault', async (t) => {
  const { near: _, ...placeless } = described();
  for (const [query, code, param] of [
    [described({ area: 5_000 }), 'invalid_value', 'area'],
    [described({ property_type: 'land' }), 'invalid_value', 'property_type'],
    [described({ near: '21.5,39.2' }), 'invalid_value', 'near'],
    [described({ neighborhood_id }), 'invalid_value', 'near'],
    [placeless, 'missing_parameter', 'near'],
  ] as const) {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    const { error } = (await app.request(`/v1/market/estimate?${text}`, { key })).body;
    t.like(error, { code, param }, text.toString());
  }
});

test('the expected error is that of past estimates of the city, else of all cities, else null', async (t) => {
  const errorOf = async () => (await market('estimate', described())).expected_error;
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
