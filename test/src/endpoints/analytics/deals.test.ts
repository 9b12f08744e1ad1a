import type { ExecutionContext } from 'ava';
import { neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { Comparison } from '#domain/listings/comparison.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { getData, pull, type Query } from '#test/market.ts';
import { allRows } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { ad, startPipeline, testSource } from '../../../ingest/run/pipeline.ts';
import { MEANING, type OracleListing } from '../../../queries/filters/oracle.ts';

/** Compares the deals of the API with a reference implementation over the listings that search returns at the same time. */
const DAYS = ['2026-04-10', '2026-04-11', '2026-04-12', '2026-04-13'] as const;
const at = (day: number): string => `${DAYS[day]}T03:00:00Z`;

/**
 * Generates homes in two areas of a city, each a few hundred meters from the next: apartments, villas and some offices. The
 * homes of one neighborhood have no coordinates. Homes without photos and with a price of 12 SAR are hidden from searches.
 */
function invent() {
  const random = seeded(7);
  return Array.from({ length: 540 }, (_, index) => {
    const located = index < 420;
    const area = 100 + Math.floor(random() * 120);
    const price = Math.round((area * 350 * Math.exp((random() - 0.5) * 1.4)) / 100) * 100;
    const dice = random();
    return {
      id: `home${index}`,
      property_type: index % 12 === 0 ? 'office' : index % 4 === 0 ? 'villa' : 'apartment',
      price: dice < 0.03 ? null : dice < 0.06 ? 12 : price,
      area,
      bedrooms: random() < 0.1 ? 2 : 3,
      age_years: index % 5 === 0 ? 8 : index % 2 === 0 ? null : 1,
      lat: located ? 24.7 + (index % 21) * 0.0023 + (index >= 210 ? 0.2 : 0) : null,
      lng: located ? 46.7 + Math.floor((index % 210) / 21) * 0.0023 : null,
      neighborhood: located ? null : 'الملقا',
      // Some ads were last updated more than thirty days ago.
      updated_at: random() < 0.1 ? '2026-03-01T08:00:00Z' : '2026-04-09T08:00:00Z',
      photos: random() < 0.04 ? [] : [`https://photos.example/home${index}.jpg`],
    };
  });
}

let now = Date.parse(at(0));
const source = testSource('homes');
let homes = invent();

async function run(day: number): Promise<void> {
  now = Date.parse(at(day)) + 3_600_000;
  source.feed = homes.map(({ id, ...facts }) => ad(id, facts));
  await pipeline.run([source], at(day));
}

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let app: TestApp;
let key: string;
test.before(async () => {
  pipeline = await startPipeline('deals');
  app = await startTestApp({
    env: { INDEX_PREFIX: pipeline.prefix, DATABASE_URL: pipeline.databaseUrl },
    indexes: ['history', 'deals'],
    overrides: { clock: { now: () => now, chargeTime: () => null } },
  });
  await app.addCity({ slug: 'riyadh' }, neighborhoodsOf('riyadh'));
  key = (await createOrganization(app.services)).key;
  await run(0);
});
test.after(async () => {
  await app.close();
  await pipeline.close();
});

const RENT: Query = { city: 'riyadh', listing_type: 'rent' };

interface Deal {
  listing: Listing;
  comparison: Comparison;
}

/** Returns all deals, from all pages. */
const deals = (query: Query = {}, limit = 7): Promise<Deal[]> =>
  allRows(app, `/v1/market/deals?${new URLSearchParams({ ...RENT, ...query, limit } as never)}`, key);

interface Verdict {
  gap: number;
  comparison: object;
}

/** Returns the gap and the comparison of a listing according to its price band; null if the listing is no deal. */
async function judged({ id, price, area_sqm, age_years, location }: Listing): Promise<Verdict | null> {
  const { status, band, cohort, stability } = await getData(app, key, `/v1/listings/${id}/price-band`);
  if (status !== 'available') return null;
  if (location.lat === null) throw new Error(`${id}: a band without a point`);
  const yearly = price.yearly_sar as number;
  const rate = yearly / (area_sqm as number);
  const below = (value: number, of: number): number => Math.round((1 - value / of) * 10_000) / 100;
  const gaps = [below(yearly, band.price.median_sar), below(rate, band.price_per_sqm.median_sar)];
  const gap = Math.min(...gaps);
  const isDeal =
    gap >= 20 &&
    (gaps[0] as number) <= 45 &&
    yearly <= stability.median_interval_sar.low * 0.9 &&
    yearly < band.price.p25_sar &&
    rate < band.price_per_sqm.p25_sar &&
    (age_years === null) === (cohort.age_years === null);
  if (!isDeal) return null;
  const { p25_sar, median_sar, p75_sar } = band.price;
  return {
    gap,
    comparison: {
      median_price_sar: median_sar,
      p25_price_sar: p25_sar,
      p75_price_sar: p75_sar,
      sample_size: cohort.distinct_units,
      criteria: { max_distance_m: cohort.radius_m, age_years: cohort.age_years, same_bedrooms: true },
    },
  };
}

/**
 * Compares the served deals with the listings of search that were updated in the last 30 days and are deals by their price
 * band, largest gap first.
 */
async function same(t: ExecutionContext): Promise<Deal[]> {
  const served = await deals();
  const truth = new Map<number, Verdict>();
  for (const listing of await pull(app, key, RENT)) {
    if (listing.listing_category !== 'residential' || Date.parse(listing.updated_at) < now - 30 * 86_400_000) continue;
    const verdict = await judged(listing);
    if (verdict) truth.set(listing.id, verdict);
  }
  t.true(truth.size > 10, String(truth.size));
  const sorted = (of: Iterable<number>): number[] => [...of].sort((a, b) => a - b);
  t.deepEqual(sorted(served.map(({ listing }) => listing.id)), sorted(truth.keys()));
  for (const { listing, comparison } of served) {
    const { gap, comparison: of } = truth.get(listing.id) as Verdict;
    t.true(Math.abs(comparison.gap_pct - gap) < 0.02);
    t.like(comparison, of);
  }
  const gaps = served.map(({ comparison }) => comparison.gap_pct);
  t.deepEqual(gaps, sorted(gaps).reverse(), 'largest gap first');
  return served;
}

test('the deals endpoint returns the listings below their price band, largest gap first, for any page size', async (t) => {
  const served = await same(t);
  t.true(served.every(({ listing }) => listing.location.lat !== null));
  t.deepEqual(await deals({}, 100), served);
});

test('deal filters return the deals whose listings match', async (t) => {
  const all = await deals();
  const cases: Readonly<Record<string, string>>[] = [
    { property_type: 'villa' },
    { beds: '3', area_min: '150' },
    { price_max: '40000' },
    { max_age: '5' },
    { bbox: '46,24.8,47,25' },
  ];
  for (const query of cases) {
    const expected = all.filter(({ listing }) =>
      Object.entries(query).every(([name, text]) => MEANING[name]?.({ served: listing } as OracleListing, text, query)),
    );
    t.true(expected.length > 0 && expected.length < all.length, JSON.stringify(query));
    t.deepEqual(await deals(query), expected, JSON.stringify(query));
  }
});

test('a run without changes writes no deals; a deal is removed if its price rises, or its photos or its ad are removed', async (t) => {
  now += 3_600_000;
  const { stages } = await pipeline.run([source], new Date(now).toISOString());
  t.like(stages.find(({ stage }) => stage === 'deals')?.details, { written: 0, deleted: 0 });
  const before = await deals();
  const [first, second, third] = before.map(({ listing }) => listing.source.listing_id);
  homes = homes.flatMap((home) => {
    if (home.id === first) return [];
    if (home.id === second) return { ...home, price: (home.price as number) * 2.5, updated_at: at(1) };
    if (home.id === third) return { ...home, photos: [] };
    return home;
  });
  await run(1);
  const served = await same(t);
  for (const { listing } of served) t.false([first, second, third].includes(listing.source.listing_id));
});
