import type { StoredListing } from '#domain/listings/listing.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData, type Query } from '#test/market.ts';
import { test } from '#test/test.ts';

/** Tests the statistics of markets that the reference implementation does not have. */
const NOW = Date.parse('2026-06-01T12:34:37Z');
const FIRST_SEEN = Math.floor(NOW / 1000) - 5 * 86_400;

let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
});
test.after(() => app.close());

async function newCity(): Promise<{ city: string; ids: number[] }> {
  const { slug } = await app.addCity({}, [{}, {}, {}]);
  return { city: slug, ids: (app.services.places.neighborhoods(slug) ?? []).map(({ id }) => id) };
}

type Display = Parameters<typeof makeListing>[0];
const at = (city: string, display: Display = {}, hidden: Parameters<typeof makeListing>[1] = {}): StoredListing =>
  makeListing({ ...display, location: { city, ...display?.location } }, { first_seen: FIRST_SEEN, ...hidden });
const market = (name: string, query: Query) => getData(app, key, `/v1/market/${name}`, query);
const analysis = ({ display }: StoredListing, name: string) => getData(app, key, `/v1/listings/${display.id}/${name}`);

test('statistics of a city without listings are null or zero', async (t) => {
  const { city, ids } = await newCity();
  const rent = { city, listing_type: 'rent' };
  const names = ['summary', 'price-distribution', 'area-distribution', 'supply', 'vacancy', 'neighborhoods'];
  const [summary, ...others] = await Promise.all(names.map((name) => market(name, rent)));
  t.like(summary, { sample_size: 0, small_sample: true, median_price_sar: null, mean_price_sar: null });
  for (const { sample_size = 0 } of others) t.is(sample_size, 0);
  t.deepEqual((await market('rental-yield', { city })).neighborhoods, []);
  const { neighborhoods } = await market('neighborhoods/compare', { ...rent, neighborhood_id: ids.join() });
  for (const row of neighborhoods) t.like(row, { sample_size: 0, median_price_sar: null, gross_yield_pct: null });
});

test('statistics of a single listing are its own figures, marked as a small sample', async (t) => {
  const { city } = await newCity();
  const hidden = at(city, { price: { yearly_sar: 10_000 } }, { plausible_typed: false, plausible_pooled: false });
  const one = at(city, { price: { yearly_sar: 41_237 }, area_sqm: 117 });
  await indexListings(app.services, [one, hidden]);
  const rent = { city, listing_type: 'rent' };
  const prices = { median_price_sar: 41_237, p25_price_sar: 41_237, p75_price_sar: 41_237, mean_price_sar: 41_237 };
  t.like(await market('summary', rent), { ...prices, median_area_sqm: 117, sample_size: 1, small_sample: true });
  const { bins } = await market('price-distribution', rent);
  t.deepEqual(bins, [{ from: 41_000, to: 42_000, count: 1, share_pct: 100 }]);
  const own = { price_percentile: 50, diff_from_median_pct: 0, listing_in_sample: true };
  t.like(await analysis(one, 'market-position'), { basis: 'city', ...own, city: { sample_size: 1 } });
  const ofHidden = await analysis(hidden, 'market-position');
  t.like(ofHidden, { price_percentile: 0, listing_in_sample: false, city: { sample_size: 1 } });
});

test('a listing without coordinates has the price band of its neighborhood', async (t) => {
  const { city, ids } = await newCity();
  const home = (index: number, neighborhood_id: number | null, located: boolean, price: number): StoredListing =>
    at(city, {
      price: { yearly_sar: price },
      area_sqm: 120 + (index % 10),
      location: { neighborhood_id, ...(located ? { lat: 24.6 + index * 0.01, lng: 46.7 } : { lat: null, lng: null }) },
    });
  const [here, there] = ids as [number, number];
  // Homes up to 50 km apart, homes without coordinates, and homes with other prices in another neighborhood.
  const own = Array.from({ length: 30 }, (_, index) => home(index, here, index % 2 === 0, 40_000 + index * 100));
  const others = Array.from({ length: 30 }, (_, index) => home(index, there, false, 90_000 + index * 100));
  const subject = home(0, here, false, 30_000);
  await indexListings(app.services, [...own, ...others, subject]);
  const data = await analysis(subject, 'price-band');
  t.is(data.status, 'available');
  t.like(data.cohort, { geography: 'neighborhood', radius_m: 0, distinct_units: 30, evidence_clusters: 30 });
  t.deepEqual(data.band.price, { p25_sar: 40_725, median_sar: 41_450, p75_sar: 42_175 });
  const located = await analysis(own[0] as StoredListing, 'price-band');
  t.is(located.status, 'insufficient_comparables', 'a point comes first');
});

test('a listing whose price band or comparables cannot be determined states the reason', async (t) => {
  const { city, ids } = await newCity();
  const lost = { lat: null, lng: null };
  const cases: [status: string, display: Display, unavailable?: string][] = [
    ['not_residential', { property_type: 'office', listing_category: 'commercial' }],
    ['plot_area_only', { property_type: 'farm' }],
    ['multi_unit', { property_type: 'residential_building' }],
    ['unsupported_cohort', { property_type: 'chalet' }],
    ['unsupported_cohort', { price: { as_posted: { amount: 300, frequency: 'daily' } } }],
    ['no_price', { price: { yearly_sar: null, as_posted: null } }],
    ['no_location', { location: { ...lost, neighborhood_id: null } }, 'no_location'],
    ['insufficient_comparables', { location: { ...lost, neighborhood_id: ids[0] ?? null } }, 'no_location'],
    ['area_unusable', { area_sqm: null }, 'area_unusable'],
    ['area_unusable', { area_sqm: 3 }],
    ['fields_unusable', { bedrooms: null }],
    ['insufficient_comparables', {}],
    ['insufficient_comparables', { property_type: 'studio', bedrooms: null, area_sqm: 35 }],
  ];
  const listings = cases.map(([, display]) => at(city, display));
  await indexListings(app.services, listings);
  for (const [index, [status, display, unavailable]] of cases.entries()) {
    const listing = listings[index] as StoredListing;
    const data = await analysis(listing, 'price-band');
    t.is(data.status, status, JSON.stringify(display));
    t.is(data.price_sar, listing.display.price.yearly_sar);
    if (unavailable === undefined) continue;
    const { unavailable_reason, criteria, comparables } = await analysis(listing, 'comparables');
    t.deepEqual([unavailable_reason, criteria.area_range_sqm, comparables], [unavailable, null, []]);
  }
});
