import type { StoredListing } from '#domain/listings/listing.ts';
import { timestamp } from '#domain/listings/present.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData, marketCity, type Query } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Tests the statistics of unusual markets, and the effects of changes. */
const NOW = Date.parse('2026-06-01T12:34:37Z');
const SECONDS = Math.floor(NOW / 1000);
const DAY = 86_400;

let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
});
test.after(() => app.close());

const NAMES = ['summary', 'price-distribution', 'area-distribution', 'supply', 'vacancy', 'neighborhoods'] as const;

async function newCity(): Promise<{ city: string; ids: number[] }> {
  const { slug } = await app.addCity({}, [{}, {}, {}]);
  return { city: slug, ids: (app.services.places.neighborhoods(slug) ?? []).map(({ id }) => id) };
}

type Display = Parameters<typeof makeListing>[0];
const at = (city: string, display: Display = {}, hidden: Parameters<typeof makeListing>[1] = {}): StoredListing =>
  makeListing({ ...display, location: { city, ...display?.location } }, { first_seen: SECONDS - 5 * DAY, ...hidden });

/** Returns all responses for a city by name. */
async function everything(city: string, ids: readonly number[], more: Query = {}) {
  const rent = { city, listing_type: 'rent', ...more };
  const answers: Record<string, unknown> = {};
  for (const name of NAMES) answers[name] = await getData(app, key, `/v1/market/${name}`, rent);
  answers.rental_yield = await getData(app, key, '/v1/market/rental-yield', { city, ...more });
  const compared = { ...rent, neighborhood_id: ids.slice(0, 3).join() };
  answers.compare = await getData(app, key, '/v1/market/neighborhoods/compare', compared);
  return answers;
}

test('statistics of a city without listings are null or zero', async (t) => {
  const { city, ids } = await newCity();
  const answers = await everything(city, ids);
  const none = (value: unknown, path: string): void => {
    if (typeof value === 'number') {
      const constant = /window|min_sample_size|neighborhood_id|cohort|\.days$|days_or_more$/.test(path);
      t.true(constant || value === 0, `${path} is ${value}`);
    } else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) none(part, `${path}.${name}`);
  };
  none(answers, '');
  const summary = answers.summary as Record<string, unknown>;
  t.is(summary.sample_size, 0);
  t.is(summary.small_sample, true);
  t.is(summary.median_price_sar, null);
  t.is(summary.mean_price_sar, null);
});

test('statistics of a single listing are its own figures, marked as a small sample', async (t) => {
  const { city, ids } = await newCity();
  const [id] = ids;
  const one = at(city, { price: { yearly_sar: 41_237 }, area_sqm: 117, location: { neighborhood_id: id ?? null } });
  await indexListings(app.services, [one]);
  const summary = await getData(app, key, '/v1/market/summary', { city, listing_type: 'rent' });
  for (const name of ['median_price_sar', 'p25_price_sar', 'p75_price_sar', 'mean_price_sar'])
    t.is(summary[name], 41_237);
  t.is(summary.median_area_sqm, 117);
  t.true(Math.abs(summary.median_price_per_sqm_sar / (41_237 / 117) - 1) < 0.001);
  t.deepEqual([summary.sample_size, summary.small_sample], [1, true]);
  const { bins } = await getData(app, key, '/v1/market/price-distribution', { city, listing_type: 'rent' });
  t.deepEqual(bins, [{ from: 41_000, to: 42_000, count: 1, share_pct: 100 }]);
  const position = await getData(app, key, `/v1/listings/${one.display.id}/market-position`);
  // The sample consists of the listing itself.
  t.deepEqual([position.basis, position.price_percentile, position.diff_from_median_pct], ['city', 50, 0]);
  t.like(position.city, { sample_size: 1, small_sample: true, median_price_sar: 41_237 });
  t.true(position.listing_in_sample);
  t.is((await getData(app, key, `/v1/listings/${one.display.id}/price-band`)).status, 'insufficient_comparables');
  const alike = await getData(app, key, `/v1/listings/${one.display.id}/comparables`);
  t.is(alike.unavailable_reason, 'insufficient_comparables');
  t.deepEqual([alike.summary.sample_size, alike.summary.median_price_sar, alike.comparables], [0, null, []]);
  const { neighborhoods, suppressed_neighborhoods } = await getData(app, key, '/v1/market/rental-yield', { city });
  t.deepEqual([neighborhoods, suppressed_neighborhoods], [[], 1]);
});

test('if all prices are equal, every quartile is that price and no listing is below or above', async (t) => {
  const { city } = await newCity();
  const place = (index: number) => ({ lat: 24.7 + index * 0.0005, lng: 46.7 });
  const same = Array.from({ length: 40 }, (_, index) =>
    at(city, { price: { yearly_sar: 41_237 }, area_sqm: 120, location: place(index) }),
  );
  await indexListings(app.services, same);
  const summary = await getData(app, key, '/v1/market/summary', { city, listing_type: 'rent' });
  for (const name of ['median_price_sar', 'p25_price_sar', 'p75_price_sar', 'mean_price_sar'])
    t.is(summary[name], 41_237);
  const band = await getData(app, key, `/v1/listings/${same[20]?.display.id}/price-band`);
  t.is(band.status, 'available');
  t.deepEqual(band.band.price, { p25_sar: 41_237, median_sar: 41_237, p75_sar: 41_237 });
  t.deepEqual(band.stability.median_interval_sar, { low: 41_237, high: 41_237 });
  t.deepEqual(band.position, { diff_from_median_pct: 0, placement: 'within_band', direction: 'inconclusive' });
  t.is(band.band.spread_pct, 0);
  const position = await getData(app, key, `/v1/listings/${same[0]?.display.id}/market-position`);
  t.is(position.price_percentile, 50);
});

test('a rental yield never divides the rents of one property type by the prices of another', async (t) => {
  const { city, ids } = await newCity();
  const many = (
    count: number,
    listing_type: 'rent' | 'sale',
    property_type: 'apartment' | 'villa',
    yearly_sar: number,
  ): StoredListing[] =>
    Array.from({ length: count }, () =>
      at(city, { listing_type, property_type, price: { yearly_sar }, location: { neighborhood_id: ids[0] ?? null } }),
    );
  const villas = [...many(12, 'rent', 'villa', 200_000), ...many(9, 'sale', 'villa', 4_000_000)];
  await indexListings(app.services, [...villas, ...many(24, 'sale', 'apartment', 1_000_000)]);
  const none = await getData(app, key, '/v1/market/rental-yield', { city });
  t.deepEqual([none.neighborhoods, none.suppressed_neighborhoods], [[], 1]);
  t.like(none.city, { gross_yield_pct: null, rent_sample_size: 0, sale_sample_size: 0 });
  t.deepEqual(none.city.by_type, []);
  await indexListings(app.services, [...many(1, 'sale', 'villa', 4_000_000), ...many(20, 'rent', 'apartment', 70_000)]);
  const both = await getData(app, key, '/v1/market/rental-yield', { city, beds_min: 0 });
  // Villas: 5% from ten pairs. Apartments: 7% from twenty pairs.
  t.is(both.city.gross_yield_pct, 6.33);
  t.like(both.neighborhoods[0], { gross_yield_pct: 6.33, rent_sample_size: 32, sale_sample_size: 34 });
  t.deepEqual(
    both.city.by_type.map((type: Record<string, unknown>) => [type.property_type, type.gross_yield_pct]),
    [
      ['apartment', 7],
      ['villa', 5],
    ],
  );
});

test('statistics of listings without an area include prices, and figures that need an area are null', async (t) => {
  const { city } = await newCity();
  await indexListings(
    app.services,
    Array.from({ length: 12 }, () => at(city, { area_sqm: null })),
  );
  const summary = await getData(app, key, '/v1/market/summary', { city, listing_type: 'rent' });
  t.deepEqual(
    [summary.median_price_sar, summary.median_area_sqm, summary.median_price_per_sqm_sar],
    [40_000, null, null],
  );
  const areas = await getData(app, key, '/v1/market/area-distribution', { city, listing_type: 'rent' });
  t.deepEqual([areas.median_area_sqm, areas.without_area_count, areas.bins], [null, 12, []]);
});

test('statistics of land have no bedroom figures and include prices of any size', async (t) => {
  const { city, ids } = await newCity();
  const plots = Array.from({ length: 15 }, (_, index) =>
    at(
      city,
      {
        listing_type: 'sale',
        property_type: 'land',
        bedrooms: null,
        area_sqm: 10 ** (2 + (index % 5)),
        price: { yearly_sar: 10 ** (5 + (index % 5)), as_posted: { frequency: 'total' } },
        location: { neighborhood_id: ids[0] ?? null },
      },
      { photos: [] },
    ),
  );
  await indexListings(app.services, plots);
  const query = { city, listing_type: 'sale', property_type: 'land' };
  const prices = await getData(app, key, '/v1/market/price-distribution', query);
  t.is(prices.median_price_sar, 10_000_000);
  t.is(prices.max_price_sar, 1_000_000_000);
  t.is(
    prices.bins.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    15,
  );
  const [id] = plots.map(({ display }) => display.id);
  t.is((await getData(app, key, `/v1/listings/${id}/price-band`)).status, 'plot_area_only');
  t.is((await getData(app, key, `/v1/listings/${id}/market-position`)).cohort.beds, null);
  t.is((await getData(app, key, `/v1/listings/${id}/comparables`)).criteria.same_bedrooms, false);
  const sides = { city, listing_type: 'sale', neighborhood_id: ids.slice(0, 2).join() };
  const { neighborhoods } = await getData(app, key, '/v1/market/neighborhoods/compare', sides);
  t.deepEqual(neighborhoods[0].bedrooms, [{ bedrooms: null, share_pct: 100 }]);
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
  const data = await getData(app, key, `/v1/listings/${subject.display.id}/price-band`);
  t.is(data.status, 'available');
  t.like(data.cohort, { geography: 'neighborhood', radius_m: 0, distinct_units: 30, evidence_clusters: 30 });
  t.deepEqual(data.band.price, { p25_sar: 40_725, median_sar: 41_450, p75_sar: 42_175 });
  const located = await getData(app, key, `/v1/listings/${own[0]?.display.id}/price-band`);
  t.is(located.status, 'insufficient_comparables', 'a point comes first');
});

test('a price band that cannot be computed has a status that states the reason', async (t) => {
  const { city, ids } = await newCity();
  const cases: [string, Display][] = [
    ['not_residential', { property_type: 'office', listing_category: 'commercial' }],
    ['plot_area_only', { property_type: 'farm' }],
    ['multi_unit', { property_type: 'residential_building' }],
    ['unsupported_cohort', { property_type: 'chalet' }],
    ['unsupported_cohort', { price: { as_posted: { amount: 300, frequency: 'daily' } } }],
    ['no_price', { price: { yearly_sar: null, as_posted: null } }],
    ['no_location', { location: { lat: null, lng: null, neighborhood_id: null } }],
    ['insufficient_comparables', { location: { lat: null, lng: null, neighborhood_id: ids[0] ?? null } }],
    ['area_unusable', { area_sqm: null }],
    ['area_unusable', { area_sqm: 3 }],
    ['fields_unusable', { bedrooms: null }],
    ['insufficient_comparables', {}],
    ['insufficient_comparables', { property_type: 'studio', bedrooms: null, area_sqm: 35 }],
  ];
  for (const [status, display] of cases) {
    const listing = at(city, display);
    await indexListings(app.services, [listing]);
    const data = await getData(app, key, `/v1/listings/${listing.display.id}/price-band`);
    t.is(data.status, status, JSON.stringify(display));
    t.is(data.price_sar, listing.display.price.yearly_sar);
  }
});

test('a listing whose comparables cannot be determined has an unavailable_reason', async (t) => {
  const { city } = await newCity();
  const lost = at(city, { location: { lat: null, lng: null } });
  const shapeless = at(city, { area_sqm: null });
  await indexListings(app.services, [lost, shapeless]);
  const reason = async ({ display }: StoredListing) => {
    const { unavailable_reason, criteria, comparables } = await getData(
      app,
      key,
      `/v1/listings/${display.id}/comparables`,
    );
    return [unavailable_reason, criteria.area_range_sqm, comparables];
  };
  t.deepEqual(await reason(lost), ['no_location', null, []]);
  t.deepEqual(await reason(shapeless), ['area_unusable', null, []]);
});

/** Visits the values of two responses in parallel. */
function walk(one: unknown, other: unknown, path: string, visit: (one: unknown, other: unknown, path: string) => void) {
  if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null)
    for (const name of Object.keys(one))
      walk((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name], `${path}.${name}`, visit);
  else visit(one, other, path);
}

/** Creates the same market in another city, with prices multiplied by a factor. */
async function makeMarket(factor: number, seed: number) {
  const { city, ids } = await newCity();
  const listings = marketCity({ city, neighborhoods: ids, now: SECONDS, count: 900, random: seeded(seed) });
  for (const { display } of listings) if (display.price.yearly_sar !== null) display.price.yearly_sar *= factor;
  await indexListings(app.services, listings);
  return { city, ids, listings };
}

test('doubling every price doubles all price figures and does not change percentages', async (t) => {
  const once = await makeMarket(1, 7);
  const twice = await makeMarket(2, 7);
  let prices = 0;
  const compare = (name: string, mostPct: number) => (a: unknown, b: unknown, path: string) => {
    // Not compared: bins have round edges for any prices, and ids and places belong to another city.
    if (/bins|cohort\.city|neighborhood_id|listing_id|name_|comparison_id|comparables/.test(path)) return;
    if (/_sar\b|_sar\./.test(path) && typeof a === 'number') {
      prices++;
      t.true(
        Math.abs((b as number) / a - 2) <= (2 * mostPct) / 100 + 0.02 / a,
        `${name}${path}: ${a} and ${String(b)}`,
      );
    } else if (typeof a === 'number')
      t.true(Math.abs(a - (b as number)) <= mostPct + 0.02, `${name}${path}: ${a}, ${String(b)}`);
    else t.is(b, a, `${name}${path}`);
  };
  const [first, second] = [await everything(once.city, once.ids), await everything(twice.city, twice.ids)];
  walk(first, second, '', compare('', 0.2));
  for (let index = 0; index < once.listings.length; index += 40) {
    const ids = [once, twice].map(({ listings }) => listings[index]?.display.id);
    for (const path of ['market-position', 'comparables', 'price-band']) {
      const [a, b] = [
        await getData(app, key, `/v1/listings/${ids[0]}/${path}`),
        await getData(app, key, `/v1/listings/${ids[1]}/${path}`),
      ];
      // The confidence interval's random numbers depend on the comparison, which changes with the prices.
      for (const data of [a, b]) {
        delete data.stability?.median_interval_sar;
        delete data.stability?.direction_stable;
        delete data.position?.direction;
      }
      walk(a, b, '', compare(path, 0.2));
    }
  }
  t.true(prices > 200, `${prices} prices`);
});

test('an implausible listing, a stale listing and a listing without a price do not change any statistic', async (t) => {
  const { city, ids } = await makeMarket(1, 11);
  const before = await everything(city, ids);
  const location = { neighborhood_id: ids[0] ?? null };
  const odd = { price: { yearly_sar: 900_000 }, location };
  await indexListings(app.services, [
    at(city, odd, { plausible_typed: false, plausible_pooled: false }),
    at(city, { ...odd, listing_type: 'sale' }, { plausible_typed: false, plausible_pooled: false }),
    at(city, { ...odd, updated_at: timestamp(SECONDS - 31 * DAY) }, { first_seen: SECONDS - 200 * DAY }),
    at(city, { price: { yearly_sar: null, as_posted: null }, location }),
  ]);
  t.deepEqual(await everything(city, ids), before);
  // A visible listing changes the responses, so they are not stale.
  await indexListings(app.services, [at(city, odd)]);
  const after = await everything(city, ids);
  for (const name of NAMES) t.notDeepEqual(after[name], before[name], name);
});
