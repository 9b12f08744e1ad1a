import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import { parseMonth } from '#domain/official/quarters.ts';
import { historyDocument } from '#ingest/history/history-documents.ts';
import { indexListings, makeListing } from '#test/factories.ts';
import { aggregateInEngine, getData, type Query } from '#test/market.ts';
import { type Deal, dealsCsv, type OfficialGround, officialGround } from '#test/official.ts';
import { test } from '#test/test.ts';

const PLACES = neighborhoodsOf('jeddah').filter(({ center }) => center !== null);
const [busy, quiet] = PLACES as [(typeof PLACES)[number], (typeof PLACES)[number]];
const INDICATORS =
  'السنة,الربع,الربع ,المنطقة,المدينة,الحي,نوع العقار,تصنيف العقار,عدد الصكوك ,قيمة الصفقات,المساحة M2,متوسط سعر المتر,الحد الأعلى لسعر المتر,الحد الأدنى لسعر المتر ';
const MEANS = [4_000, 4_400, 5_000, 5_600, 6_000];
const DEALS = [1_500, 1_600, 1_700, 1_800, 1_900, 2_000, 2_100];
const LAND_ASKED = [1_900, 2_000, 2_100, 2_200, 2_300, 2_500];
const FLATS_ASKED = [4_100, 4_300, 4_500, 4_700, 4_900];

const deal = (reference: number, district_ar: string, rate: number, class_ar = 'سكني'): Deal => ({
  ...{ reference, day: '2026-06-20', city_ar: 'جدة', district_ar, class_ar },
  ...{ price: rate * 500, area: 500 },
});

let listings = 0;
/** A listing first found in a month at a price per square meter. */
const found = (month: string, type: string, rate: number, more: object = {}): string =>
  historyDocument({
    ...{ listing: ++listings, firstMonth: parseMonth(month), lastMonth: parseMonth(month) + 2, listingType: 'sale' },
    // The price fell since.
    ...{ price: rate * 90, newMonth: parseMonth(month), newPrice: rate * 100, area: 100, plausible: 15 },
    ...{ city: 'jeddah', propertyType: type, category: 'residential', neighborhood: busy.id },
    ...{ bedrooms: null, bathrooms: null, livings: null, age: null, lat: null, lng: null },
    ...more,
  });

let ground: OfficialGround;
test.before(async () => {
  ground = await officialGround('asking', ['jeddah'], ['transactions', 'history']);
  const { services } = ground.app;
  services.clock = { now: () => Date.parse('2026-11-20T10:00:00Z'), chargeTime: () => null };
  const deals = [
    ...DEALS.map((rate, at) => deal(at, busy.name_ar, rate)),
    ...[1_000, 9_000].map((rate, at) => deal(100 + at, quiet.name_ar, rate)),
    deal(200, busy.name_ar, 9_000, 'تجاري'),
  ];
  const rows = MEANS.map((mean, at) => {
    const figures = [10, mean * 1_000, 1_000, mean, mean * 1.1, mean / 1.1];
    return `2026,2,الربع الثاني,مكة المكرمة,جدة,${PLACES[at]?.name_ar},شقة,سكني,${figures}`;
  });
  const reports = [
    await ground.importFile('deals-2026-Q2.csv', dealsCsv(deals)),
    await ground.importFile('indicators.csv', `\ufeff${[INDICATORS, ...rows].join('\r\n')}\r\n`),
  ];
  for (const report of reports) if (report.status !== 'imported') throw new Error(JSON.stringify(report));
  const documents = [
    ...LAND_ASKED.map((rate, at) => found(`2026-0${4 + (at % 3)}`, 'land', rate)),
    ...FLATS_ASKED.map((rate) => found('2026-05', 'apartment', rate)),
    ...[8_000, 8_100].map((rate) => found('2026-05', 'apartment', rate, { neighborhood: quiet.id })),
    ...FLATS_ASKED.map((rate) => found('2026-07', 'apartment', rate)),
    // Other cohorts: another month, rent, an implausible first price, no area.
    found('2026-03', 'land', 50),
    found('2026-05', 'land', 50, { listingType: 'rent' }),
    found('2026-05', 'land', 50, { plausible: 3 }),
    found('2026-05', 'land', 50, { area: null }),
  ];
  await services.opensearch.bulk({
    index: `${ground.prefix}history`,
    refresh: true,
    body: documents.flatMap((each) => [{ index: {} }, JSON.parse(each)]),
  });
});
test.after(() => ground.close());

const read = (query: Query = {}) =>
  getData(ground.app, ground.key, '/v1/market/asking-vs-registered', { city: 'jeddah', ...query });

/** Relations of plots and of flats in 2026-Q2. */
// biome-ignore lint/suspicious/noExplicitAny: the body of a response under test
const firstPoints = async (query: Query): Promise<any[]> =>
  (await read(query)).series.map(({ points }: { points: readonly object[] }) => points[0]);

test('a city has medians of both sides and their ratio in complete quarters', async (t) => {
  const { series } = await read();
  const [land, flats] = series;
  t.deepEqual([land.property_type, flats.property_type, series.length], ['land', 'apartment', 2]);
  const [point, next] = land.points;
  t.like(point, { quarter: '2026-Q2', status: 'available', ratio: 1.194 });
  t.like(next, { quarter: '2026-Q3', status: 'not_published' });
  t.is(land.points.length, 2);
  t.like(point.asking, { statistic: 'median', sample_size: 6, price_per_sqm_sar: 2_150 });
  t.like(point.registered, { statistic: 'median', coverage_flag: 'full', sample_size: 9, price_per_sqm_sar: 1_800 });
  t.true(point.ratio_interval.low < point.ratio && point.ratio < point.ratio_interval.high);
  const [both] = flats.points;
  t.like(both.asking, { sample_size: 7, price_per_sqm_sar: 4_700 });
  t.like(both.registered, { source_key: 'regulator_rei', statistic: 'median_of_means', sample_size: 50 });
  t.is(both.registered.price_per_sqm_sar, 5_000);
});

test('a neighborhood has its own figures, and a status where a side is too small', async (t) => {
  const [land, flats] = await firstPoints({ neighborhood_id: busy.id });
  t.is(land.registered.price_per_sqm_sar, 1_800);
  t.like(flats.registered, { statistic: 'mean', sample_size: 10, price_per_sqm_sar: 4_000 });
  // The error of the median: ranks 1 and 5 of 5 values. That of the mean: half its range.
  const error = Math.hypot(Math.log(4_900 / 4_100) / (2 * (4 / Math.sqrt(5))), Math.log(1.21) / 2 / Math.sqrt(10));
  t.is(flats.ratio_interval.high, Math.round(1.125 * Math.exp(1.959964 * error) * 1e3) / 1e3);

  const [noDeals, noListings] = await firstPoints({ neighborhood_id: quiet.id });
  t.like(noDeals, { status: 'too_few_deals', registered: { sample_size: 2, price_per_sqm_sar: null } });
  t.like(noListings, { status: 'too_few_listings', ratio: null, ratio_interval: null });
  t.deepEqual([noListings.asking.price_per_sqm_sar, noListings.registered.price_per_sqm_sar], [null, 4_400]);

  const [together, few] = await firstPoints({ neighborhood_id: `${busy.id},${quiet.id}` });
  t.is(together.registered.sample_size, 9);
  t.like(few, { status: 'too_few_deals', registered: { statistic: 'median_of_means', sample_size: 20 } });
  t.is((await firstPoints({ min_sample_size: 8 }))[0].status, 'too_few_listings');
});

test('the estimate of a flat for sale states the latest relation in its neighborhood', async (t) => {
  const listing = makeListing({
    ...{ property_type: 'apartment', listing_type: 'sale', area_sqm: 100 },
    location: { city: 'jeddah', neighborhood_id: busy.id, lat: null, lng: null },
  });
  await indexListings(ground.app.services, [listing]);
  const own = await getData(ground.app, ground.key, `/v1/listings/${listing.display.id}/estimate`);
  const home = { city: 'jeddah', listing_type: 'sale', property_type: 'apartment', area: 100 };
  const near = `${busy.center?.lat},${busy.center?.lng}`;
  const [, flats] = await firstPoints({ neighborhood_id: busy.id });
  const expected = { neighborhood_id: busy.id, ...flats };
  const estimate = async (more: Query) =>
    (await getData(ground.app, ground.key, '/v1/market/estimate', { ...home, ...more })).asking_vs_registered;
  t.deepEqual(own.asking_vs_registered, expected);
  t.deepEqual(await estimate({ near }), expected);
  t.is(await estimate({ neighborhood_id: quiet.id }), null);
  t.is(await estimate({ near, listing_type: 'rent' }), null);
});

test('large cohorts have the same figures from histograms, within 0.1%', async (t) => {
  const rates = async (): Promise<number[]> =>
    (await firstPoints({})).flatMap(({ asking, registered }) => [
      asking.price_per_sqm_sar,
      registered.price_per_sqm_sar,
    ]);
  const exact = await rates();
  aggregateInEngine(ground.app);
  for (const [at, rate] of (await rates()).entries()) t.true(Math.abs(rate / (exact[at] ?? 0) - 1) < 0.001, `${rate}`);
});
