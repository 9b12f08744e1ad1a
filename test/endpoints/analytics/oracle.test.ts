import { randomInt } from 'node:crypto';
import type { ExecutionContext } from 'ava';
import type { LatLng } from '#domain/geography/places.ts';
import type { Listing, StoredListing } from '#domain/listings/listing.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { sphericalMeters } from '#test/distance.ts';
import { createOrganization, indexListings } from '#test/factories.ts';
import { errorPct, getData, isOfAges, marketCity, mean, pull, type Query, quantile } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/**
 * Compares every response with a reference implementation over listings read through search. Set MARKET_SEED to repeat a
 * run.
 */
const SEED = Number(process.env.MARKET_SEED ?? randomInt(2 ** 31));
const NOW = Date.parse('2026-06-01T12:34:37Z');
const HOUR = Date.parse('2026-06-01T12:00:00Z');
const DAY = 86_400_000;

let app: TestApp;
let key: string;
let city: string;
let neighborhoods: number[];
const now = Math.floor(NOW / 1000);
let made: StoredListing[];
let stored: Map<number, StoredListing>;
const everything = async (query: Query): Promise<Listing[]> => [
  ...(await pull(app, key, { city, listing_type: 'rent', ...query })),
  ...(await pull(app, key, { city, listing_type: 'sale', ...query })),
];
let pooled: Awaited<ReturnType<typeof everything>>;
/** Listings that search returns with a single property type, and without one. */
const typed: Listing[] = [];
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  city = (
    await app.addCity(
      {},
      Array.from({ length: 8 }, () => ({})),
    )
  ).slug;
  neighborhoods = (app.services.places.neighborhoods(city) ?? []).map(({ id }) => id);
  made = marketCity({ city, neighborhoods, now, count: 2_500, random: seeded(SEED) });
  stored = new Map(made.map((listing) => [listing.display.id, listing]));
  await indexListings(app.services, made);
  pooled = await everything({});
  for (const property_type of ['apartment', 'villa', 'floor', 'land', 'office'])
    typed.push(...(await everything({ property_type })));
});
test.after(() => app.close());

const priceOf = ({ price }: Listing): number => price.yearly_sar as number;
const areaOf = ({ area_sqm }: Listing): number => area_sqm as number;
const perSqm = (listings: readonly Listing[]): number[] =>
  listings.flatMap((listing) => (listing.area_sqm ? priceOf(listing) / listing.area_sqm : []));
const fresh = ({ updated_at }: Listing, days = 30): boolean => Date.parse(updated_at) >= HOUR - days * DAY;

function near(t: ExecutionContext, found: number | null, exact: number | null, name: string, mostPct = 0.001): void {
  const rounded = found !== null && exact !== null && Math.abs(found - exact) <= 0.00501;
  t.true(rounded || errorPct(found, exact) <= mostPct, `${name}: ${found}, exactly ${exact} (MARKET_SEED=${SEED})`);
}

const pointOf = ({ location: { lat, lng } }: Listing): LatLng => ({ lat: lat ?? 0, lng: lng ?? 0 });
const meters = (a: Listing, b: Listing): number => sphericalMeters(pointOf(a), pointOf(b));

/** Returns about `count` listings at regular intervals, so that all kinds occur. */
const subjects = (from: readonly Listing[], count: number): Listing[] =>
  from.filter((_, index) => index % Math.ceil(from.length / count) === 0);

test('the price band matches the result of the reference implementation', async (t) => {
  const statuses = new Map<string, number>();
  for (const subject of subjects(typed, 90)) {
    const data = await getData(app, key, `/v1/listings/${subject.id}/price-band`);
    statuses.set(data.status, (statuses.get(data.status) ?? 0) + 1);
    if (subject.property_type === 'land') t.is(data.status, 'plot_area_only');
    else if (subject.property_type === 'office') t.is(data.status, 'not_residential');
    else if (subject.area_sqm === null) t.is(data.status, 'area_unusable');
    if (data.status !== 'available') {
      t.deepEqual(
        [data.band, data.position, data.stability, data.cohort, data.methodology.comparison_id],
        [null, null, null, null, null],
      );
      continue;
    }
    const { cohort, band, stability, position } = data;
    const own = (listing: Listing): string =>
      [listing.location.lat?.toFixed(4), listing.location.lng?.toFixed(4), listing.area_sqm, priceOf(listing)].join();
    const seen = new Set<string>();
    const nearest = typed
      .filter(
        (other) =>
          other.id !== subject.id &&
          other.listing_type === subject.listing_type &&
          other.property_type === subject.property_type &&
          other.bedrooms === subject.bedrooms &&
          other.area_sqm !== null &&
          Math.abs(other.area_sqm - areaOf(subject)) <= areaOf(subject) * 0.25 &&
          fresh(other, 90) &&
          isOfAges(other.age_years, cohort.age_years) &&
          meters(subject, other) <= cohort.radius_m,
      )
      .sort((a, b) => meters(subject, a) - meters(subject, b))
      .filter((other) => {
        const unit = `${own(other)} ${other.bathrooms}`;
        if (own(other) === own(subject) || seen.has(unit)) return false;
        seen.add(unit);
        return true;
      });
    t.is(cohort.distinct_units, nearest.length);
    t.is(cohort.evidence_clusters, clusterCount(nearest));
    t.is(stability.limited_evidence, nearest.length < 20 || cohort.evidence_clusters < 12);
    for (const [share, name] of [
      [0.25, 'p25_sar'],
      [0.5, 'median_sar'],
      [0.75, 'p75_sar'],
    ] as const) {
      near(t, band.price[name], quantile(nearest.map(priceOf), share), name);
      near(t, band.price_per_sqm[name], quantile(perSqm(nearest), share), name);
    }
    const { low, high } = stability.median_interval_sar;
    t.true(low <= band.price.median_sar && band.price.median_sar <= high);
    const price = priceOf(subject);
    t.is(position.direction, price < low ? 'below' : price > high ? 'above' : 'inconclusive');
    t.is(stability.direction_stable, price < low || price > high);
    near(t, position.diff_from_median_pct, (price / band.price.median_sar - 1) * 100, 'difference', 0.1);
    t.is(data.methodology.expires_at, '2026-06-02T00:34:00Z');
  }
  t.log(`MARKET_SEED=${SEED}`, Object.fromEntries(statuses));
  t.true((statuses.get('available') ?? 0) > 20);
});

/** Counts groups of listings that share a building, compound or advertiser. */
function clusterCount(listings: readonly Listing[]): number {
  const advertiser = (listing: Listing): string | null => stored.get(listing.id)?.private.advertiser ?? null;
  const together = (a: Listing, b: Listing): boolean =>
    meters(a, b) <= 30 ||
    (a.compound_name !== null && a.compound_name === b.compound_name) ||
    (advertiser(a) !== null && advertiser(a) === advertiser(b));
  let left = [...listings];
  let count = 0;
  while (left.length > 0) {
    count++;
    const group = left.splice(0, 1);
    for (const member of group) {
      group.push(...left.filter((other) => together(member, other)));
      left = left.filter((other) => !group.includes(other));
    }
  }
  return count;
}

test('repeated requests for a price band return identical figures', async (t) => {
  for (const subject of subjects(typed, 12)) {
    const path = `/v1/listings/${subject.id}/price-band`;
    t.deepEqual(await getData(app, key, path), await getData(app, key, path));
  }
});

test('the market position matches the result of the reference implementation', async (t) => {
  for (const subject of subjects(typed, 60)) {
    const data = await getData(app, key, `/v1/listings/${subject.id}/market-position`);
    const inCity = typed.filter(
      (other) =>
        fresh(other) &&
        other.listing_type === subject.listing_type &&
        other.property_type === subject.property_type &&
        (subject.bedrooms === null || other.bedrooms === subject.bedrooms),
    );
    const { neighborhood_id } = subject.location;
    const inNeighborhood = inCity.filter(({ location }) => location.neighborhood_id === neighborhood_id);
    const check = (found: Record<string, number | null>, sample: readonly Listing[]): void => {
      const price = priceOf(subject);
      t.is(found.sample_size, sample.length);
      t.is(found.small_sample as unknown as boolean, sample.length < 10);
      near(t, found.median_price_sar ?? null, quantile(sample.map(priceOf), 0.5), 'median', 0.2);
      near(t, found.p25_price_sar ?? null, quantile(sample.map(priceOf), 0.25), 'p25', 0.2);
      near(t, found.p75_price_sar ?? null, quantile(sample.map(priceOf), 0.75), 'p75', 0.2);
      near(t, found.median_price_per_sqm_sar ?? null, quantile(perSqm(sample), 0.5), 'per m2', 0.2);
      const below = sample.filter((other) => priceOf(other) < price).length;
      const equal = sample.filter((other) => priceOf(other) === price).length;
      near(
        t,
        found.price_percentile ?? null,
        sample.length === 0 ? null : ((below + equal / 2) / sample.length) * 100,
        'percentile',
      );
    };
    check(data.city, inCity);
    if (neighborhood_id === null) t.is(data.neighborhood, null);
    else check(data.neighborhood, inNeighborhood);
    const local = neighborhood_id !== null && inNeighborhood.length >= 10;
    t.is(data.basis, local ? 'neighborhood' : 'city');
    t.is(data.price_percentile, (local ? data.neighborhood : data.city).price_percentile);
    t.is(data.listing_in_sample, fresh(subject));
    t.deepEqual(data.cohort.beds, subject.bedrooms);
  }
});

const CIRCLES = [
  [500, true],
  [1_000, true],
  [2_000, true],
  [2_000, false],
  [5_000, true],
  [5_000, false],
] as const;

test('comparables match the result of the reference implementation', async (t) => {
  let relaxed = 0;
  for (const subject of subjects(typed, 60)) {
    const data = await getData(app, key, `/v1/listings/${subject.id}/comparables`, { limit: 7 });
    if (subject.area_sqm === null) {
      t.is(data.unavailable_reason, 'area_unusable');
      t.deepEqual(data.comparables, []);
      continue;
    }
    const alike = typed.filter(
      (other) =>
        other.id !== subject.id &&
        fresh(other) &&
        other.listing_type === subject.listing_type &&
        other.property_type === subject.property_type &&
        other.area_sqm !== null &&
        other.area_sqm >= (areaOf(subject) * 2) / 3 &&
        other.area_sqm <= areaOf(subject) * 1.5 &&
        meters(subject, other) <= 5_000,
    );
    const inCircle = ([radius, same]: readonly [number, boolean]): Listing[] =>
      alike.filter((other) => meters(subject, other) <= radius && (!same || other.bedrooms === subject.bedrooms));
    const [radius, same] = CIRCLES.find((circle) => inCircle(circle).length >= 10) ?? ([5_000, false] as const);
    const sample = inCircle([radius, same]);
    if (radius > 500) relaxed++;
    t.like(data.criteria, { max_distance_m: radius, same_bedrooms: same });
    t.is(data.summary.sample_size, sample.length);
    t.is(data.summary.small_sample, sample.length < 10);
    near(t, data.summary.median_price_sar, quantile(sample.map(priceOf), 0.5), 'median', 1);
    t.is(data.comparables.length, Math.min(7, sample.length));
    for (const { listing, similarity } of data.comparables) {
      const other = sample.find(({ id }) => id === listing.id);
      if (!other) {
        t.fail(`${listing.id} is not comparable to ${subject.id}`);
        continue;
      }
      t.deepEqual(listing, other);
      t.true(Math.abs(similarity.distance_m - meters(subject, other)) <= 1);
      near(t, similarity.area_diff_pct, (areaOf(other) / areaOf(subject) - 1) * 100, 'area');
      near(t, similarity.price_diff_pct, (priceOf(other) / priceOf(subject) - 1) * 100, 'price');
    }
  }
  t.true(relaxed > 3);
});

const isHome = ({ property_type }: Listing): boolean => ['apartment', 'villa', 'floor'].includes(property_type);

/**
 * Reference implementation: the yield of each type with at least ten listings for rent and for sale, and their mean weighted
 * by the smaller count.
 */
function yieldsOf(listings: readonly Listing[]) {
  const of = (side: 'rent' | 'sale', property_type: string): number[] =>
    listings.filter((each) => each.listing_type === side && each.property_type === property_type).map(priceOf);
  const types = [...new Set(listings.map(({ property_type }) => property_type))].flatMap((property_type) => {
    const [rents, prices] = [of('rent', property_type), of('sale', property_type)];
    if (rents.length < 10 || prices.length < 10) return [];
    const [rent, price] = [quantile(rents, 0.5) as number, quantile(prices, 0.5) as number];
    return [
      { property_type, rents: rents.length, sales: prices.length, rent, price, yield: (rent / price) * 100 },
    ] as const;
  });
  const weights = types.map(({ rents, sales }) => Math.min(rents, sales));
  const weight = weights.reduce((sum, each) => sum + each, 0);
  const weighted = (name: 'rent' | 'price' | 'yield'): number | null =>
    weight === 0 ? null : types.reduce((sum, type, at) => sum + type[name] * (weights[at] as number), 0) / weight;
  const total = (name: 'rents' | 'sales'): number => types.reduce((sum, type) => sum + type[name], 0);
  return { types, weighted, total };
}

test('the rental yield matches the result of the reference implementation', async (t) => {
  for (const [query, listings] of [
    [{ city }, pooled.filter(isHome)],
    [{ city, listing_category: 'residential' }, pooled.filter(isHome)],
    [
      { city, listing_category: 'commercial' },
      pooled.filter(({ listing_category }) => listing_category === 'commercial'),
    ],
    [{ city, property_type: 'land' }, typed.filter(({ property_type }) => property_type === 'land')],
    [{ city, property_type: 'apartment' }, typed.filter(({ property_type }) => property_type === 'apartment')],
    [{ city, beds: '2,3' }, pooled.filter((each) => isHome(each) && (each.bedrooms === 2 || each.bedrooms === 3))],
  ] as const) {
    const data = await getData(app, key, '/v1/market/rental-yield', query);
    const sample = listings.filter((listing) => fresh(listing));
    const expected = new Map<number, ReturnType<typeof yieldsOf>>();
    let suppressed = 0;
    for (const id of neighborhoods) {
      const own = sample.filter(({ location }) => location.neighborhood_id === id);
      const yields = yieldsOf(own);
      if (own.length > 0 && yields.types.length === 0) suppressed++;
      else if (own.length > 0) expected.set(id, yields);
    }
    t.is(data.suppressed_neighborhoods, suppressed);
    for (const { property_type, ...sizes } of data.property_types) {
      const of = (type: string): number =>
        sample.filter((each) => each.property_type === property_type && each.listing_type === type).length;
      t.deepEqual(sizes, { rent_sample_size: of('rent'), sale_sample_size: of('sale') });
    }
    t.is(data.property_types.length, new Set(sample.map(({ property_type }) => property_type)).size);
    t.is(data.neighborhoods.length, expected.size);
    let before = Number.POSITIVE_INFINITY;
    const alike = (row: typeof data.city, { types, weighted, total }: ReturnType<typeof yieldsOf>, mostPct: number) => {
      near(t, row.gross_yield_pct, weighted('yield'), 'yield', mostPct);
      near(t, row.median_yearly_rent_sar, weighted('rent'), 'rent', mostPct);
      near(t, row.median_sale_price_sar, weighted('price'), 'price', mostPct);
      t.deepEqual([row.rent_sample_size, row.sale_sample_size], [total('rents'), total('sales')]);
      t.deepEqual(
        row.by_type.map((each: typeof row) => each.property_type).sort(),
        types.map(({ property_type }) => property_type).sort(),
      );
      for (const each of row.by_type) {
        const type = types.find(({ property_type }) => property_type === each.property_type);
        t.deepEqual([each.rent_sample_size, each.sale_sample_size], [type?.rents, type?.sales]);
        near(t, each.gross_yield_pct, type?.yield ?? null, 'yield of a type', mostPct);
      }
    };
    for (const row of data.neighborhoods) {
      alike(row, expected.get(row.neighborhood_id) ?? yieldsOf([]), 1);
      t.true(row.gross_yield_pct <= before);
      before = row.gross_yield_pct;
    }
    alike(data.city, yieldsOf(sample), 0.4);
  }
});

test('the neighborhood comparison matches the result of the reference implementation', async (t) => {
  for (const listing_type of ['rent', 'sale'] as const) {
    const ids = [neighborhoods[3], neighborhoods[0], neighborhoods[7]] as number[];
    const data = await getData(app, key, '/v1/market/neighborhoods/compare', {
      city,
      listing_type,
      neighborhood_id: ids.join(),
    });
    t.deepEqual(
      data.neighborhoods.map((row: { neighborhood_id: number }) => row.neighborhood_id),
      ids,
    );
    for (const row of data.neighborhoods) {
      const both = pooled.filter(
        (listing) => fresh(listing) && listing.location.neighborhood_id === row.neighborhood_id,
      );
      const own = both.filter((listing) => listing.listing_type === listing_type);
      t.is(row.sample_size, own.length);
      near(t, row.median_price_sar, quantile(own.map(priceOf), 0.5), 'median', 1);
      near(t, row.p25_price_sar, quantile(own.map(priceOf), 0.25), 'p25', 1);
      near(t, row.p75_price_sar, quantile(own.map(priceOf), 0.75), 'p75', 1);
      near(t, row.mean_price_sar, mean(own.map(priceOf)), 'mean');
      near(t, row.median_price_per_sqm_sar, quantile(perSqm(own), 0.5), 'per m2', 1);
      near(
        t,
        row.median_area_sqm,
        quantile(
          own.flatMap(({ area_sqm }) => area_sqm ?? []),
          0.5,
        ),
        'area',
        1,
      );
      const share = (test: (listing: Listing) => boolean): number => (own.filter(test).length / own.length) * 100;
      for (const { amenity, share_pct } of row.amenities)
        near(
          t,
          share_pct,
          share(({ amenities }) => amenities.includes(amenity)),
          amenity,
        );
      for (const { bedrooms, share_pct } of row.bedrooms)
        near(
          t,
          share_pct,
          share((listing) => listing.bedrooms === bedrooms),
          'bedrooms',
        );
      for (const { property_type, share_pct } of row.property_types)
        near(
          t,
          share_pct,
          share((listing) => listing.property_type === property_type),
          'property type',
        );
      if (listing_type === 'sale')
        t.deepEqual([row.gross_yield_pct, row.rent_sample_size, row.sale_sample_size], [null, null, null]);
      else {
        const { weighted, total } = yieldsOf(both.filter(isHome));
        t.deepEqual([row.rent_sample_size, row.sale_sample_size], [total('rents'), total('sales')]);
        near(t, row.gross_yield_pct, weighted('yield'), 'yield', 1);
        const yields = await getData(app, key, '/v1/market/rental-yield', { city });
        t.is(
          row.gross_yield_pct,
          yields.neighborhoods.find((each: typeof row) => each.neighborhood_id === row.neighborhood_id).gross_yield_pct,
        );
      }
    }
  }
});

test('a comparison of unknown, too few or too many neighborhoods is rejected', async (t) => {
  const compare = `/v1/market/neighborhoods/compare?city=${city}&listing_type=rent&neighborhood_id=`;
  const code = async (path: string): Promise<[number, string, string]> => {
    const { status, body } = await app.request(path, { key });
    return [status, body.error.code, body.error.param];
  };
  const [first] = neighborhoods;
  for (const [path, status, reason, param] of [
    [`${compare}${first},4`, 404, 'neighborhood_not_found', 'neighborhood_id'],
    [`${compare}${first}`, 400, 'invalid_value', 'neighborhood_id'],
    [`${compare}${neighborhoods.slice(0, 6).join()}`, 400, 'invalid_value', 'neighborhood_id'],
    [`${compare}${first},${first}`, 400, 'invalid_value', 'neighborhood_id'],
    [compare.replace('&neighborhood_id=', ''), 400, 'missing_parameter', 'neighborhood_id'],
    [
      `/v1/market/summary?city=${city}&listing_type=rent&neighborhood_id=4`,
      404,
      'neighborhood_not_found',
      'neighborhood_id',
    ],
    [`/v1/market/rental-yield?city=${city}&listing_type=rent`, 400, 'unknown_parameter', 'listing_type'],
  ] as const)
    t.deepEqual(await code(path), [status, reason, param]);
  for (const path of ['price-band', 'market-position', 'comparables'])
    t.deepEqual(await code(`/v1/listings/3/${path}`), [404, 'listing_not_found', 'id']);
});
