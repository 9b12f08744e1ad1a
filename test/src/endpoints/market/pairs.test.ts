import type { ExecutionContext } from 'ava';
import type { ListingDisplay as Listing, StoredListing } from '#domain/listings/listing.ts';
import { hundredths } from '#domain/statistics/figures.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { getData, mean, type Query, quantile } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';

/** Each endpoint that states a figure of a cohort must state the same one, and the one of the reference implementation. */
const NOW = Date.parse('2026-06-01T12:34:37Z');
const WINDOW_FROM = '2026-05-02T12:00:00Z';
/** Numbers of flats for rent by neighborhood. The last one has other homes too. */
const SIZES = [1, 2, 411, 60] as const;

let app: TestApp;
let key: string;
let city: string;
let neighborhoods: number[];
let listings: Listing[];
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  const places = SIZES.map(() => ({}));
  city = (await app.addCity({}, places)).slug;
  neighborhoods = (app.services.places.neighborhoods(city) ?? []).map(({ id }) => id);
  const random = seeded(63);
  const whole = (below: number): number => Math.floor(random() * below);
  const make = (at: number, property_type: 'apartment' | 'villa', listing_type: 'rent' | 'sale'): StoredListing =>
    makeListing({
      listing_type,
      property_type,
      price: { yearly_sar: 20_001 + whole(90_000) * (listing_type === 'sale' ? 17 : 1) },
      bedrooms: 1 + whole(3),
      area_sqm: random() < 0.1 ? null : 60 + whole(200) + 0.5,
      updated_at: '2026-05-20T00:00:00Z',
      location: { city, neighborhood_id: neighborhoods[at] as number, lat: 24.6 + at * 0.2 + random() / 50, lng: 46.7 },
    });
  const made = SIZES.flatMap((size, at) => Array.from({ length: size }, () => make(at, 'apartment', 'rent')));
  for (let each = 0; each < 40; each++)
    made.push(make(3, 'villa', 'rent'), make(3, 'villa', 'sale'), make(3, 'apartment', 'sale'));
  await indexListings(app.services, made);
  listings = made.map(({ display }) => display);
});
test.after(() => app.close());

/** A cohort by the filters of `/market/summary`. */
type Cohort = Readonly<{
  listing_type: string;
  neighborhood_id?: number;
  listing_category?: string;
  property_type?: string;
  beds?: number;
}>;

const matches = (listing: Listing, { neighborhood_id, beds, ...rest }: Cohort): boolean =>
  (neighborhood_id ?? listing.location.neighborhood_id) === listing.location.neighborhood_id &&
  (beds ?? listing.bedrooms) === listing.bedrooms &&
  Object.entries(rest).every(([name, value]) => listing[name as keyof Listing] === value);

/** The figures by their names in responses, in plain code. */
function figuresOf(cohort: Cohort): Map<string, number | null> {
  const own = listings.filter((listing) => matches(listing, cohort));
  const prices = own.flatMap(({ price }) => price.yearly_sar ?? []);
  const areas = own.flatMap(({ area_sqm }) => area_sqm ?? []);
  const rates = own.flatMap(({ price, area_sqm }) => (area_sqm ? Number(price.yearly_sar) / area_sqm : []));
  const figures = new Map<string, number | null>([['sample_size', own.length]]);
  for (const [unit, values] of [
    ['price_sar', prices],
    ['area_sqm', areas],
    ['price_per_sqm_sar', rates],
  ] as const) {
    for (const percent of [5, 10, 25, 75, 90, 95]) figures.set(`p${percent}_${unit}`, quantile(values, percent / 100));
    figures.set(`median_${unit}`, quantile(values, 0.5));
    figures.set(`mean_${unit}`, mean(values));
    figures.set(`min_${unit}`, quantile(values, 0));
    figures.set(`max_${unit}`, quantile(values, 1));
  }
  return figures;
}

interface Statement {
  by: string;
  cohort: Cohort;
  figures: Readonly<Record<string, unknown>>;
}

const requested = new Set<string>();
const get = (path: string, query: object = {}) => {
  requested.add(path.replace(/\d{4,}/, '{id}'));
  return getData(app, key, path, { ...query } as Query);
};
const ofCohort =
  (path: string) =>
  async (cohort: Cohort): Promise<Statement[]> => [{ by: path, cohort, figures: await get(path, { city, ...cohort }) }];

/** Endpoints that state figures of any cohort. */
const OF_COHORTS: readonly ((cohort: Cohort) => Promise<Statement[]>)[] = [
  ofCohort('/v1/market/summary'),
  ofCohort('/v1/market/price-distribution'),
  ofCohort('/v1/market/area-distribution'),
  ofCohort('/v1/market/vacancy'),
  ofCohort('/v1/market/supply'),
  async (cohort) => {
    const { total } = await get('/v1/listings/count', { city, ...cohort, updated_since: WINDOW_FROM });
    return [{ by: 'count', cohort, figures: { sample_size: total } }];
  },
  async (cohort) => {
    const { neighborhoods: rows, approximate } = await get('/v1/market/neighborhoods', { city, ...cohort });
    return rows.map(({ neighborhood_id, ...figures }: { neighborhood_id: number }) => ({
      by: 'neighborhoods',
      cohort: { ...cohort, neighborhood_id },
      figures: { ...figures, approximate },
    }));
  },
  async (cohort) => {
    const { top_neighborhoods, property_types } = await get('/v1/market/summary', { city, ...cohort });
    const rows = (all: Record<string, number>[], name: string) =>
      all.map(({ sample_size, ...row }) => ({
        by: `summary ${name}`,
        cohort: { ...cohort, [name]: row[name] },
        figures: { sample_size },
      }));
    return [...rows(top_neighborhoods, 'neighborhood_id'), ...rows(property_types, 'property_type')];
  },
];

/** Endpoints that state figures of certain cohorts. */
const OTHERS: readonly (() => Promise<Statement[]>)[] = [
  async () => {
    const query = { city, listing_type: 'rent', neighborhood_id: neighborhoods.join() };
    const { neighborhoods: rows, approximate } = await get('/v1/market/neighborhoods/compare', query);
    return rows.map(({ neighborhood_id, ...figures }: { neighborhood_id: number }) => ({
      by: 'compare',
      cohort: { listing_type: 'rent', neighborhood_id },
      figures: { ...figures, approximate },
    }));
  },
  async () => {
    const stated = ['apartment', 'villa'].map(async (property_type) => {
      const found = await get('/v1/market/rental-yield', { city, property_type });
      const last = found.neighborhoods.find(
        (row: { neighborhood_id: number }) => row.neighborhood_id === neighborhoods[3],
      );
      const rows = [
        [{}, found.city],
        [{ neighborhood_id: neighborhoods[3] }, last],
      ] as const;
      return rows.flatMap(([place, { by_type }]): Statement[] =>
        (['rent', 'sale'] as const).map((listing_type) => ({
          by: 'rental-yield',
          cohort: { ...place, listing_type, property_type },
          figures: {
            sample_size: by_type[0][`${listing_type}_sample_size`],
            median_price_sar: by_type[0][listing_type === 'rent' ? 'median_yearly_rent_sar' : 'median_sale_price_sar'],
            approximate: found.approximate,
          },
        })),
      );
    });
    return (await Promise.all(stated)).flat();
  },
  ...SIZES.map((_, at) => async (): Promise<Statement[]> => {
    const own = listings.find(({ location }) => location.neighborhood_id === neighborhoods[at]) as Listing;
    const position = await get(`/v1/listings/${own.id}/market-position`);
    const { neighborhood_ids, beds, city: _, ...same } = position.cohort;
    const cohort = { ...same, beds };
    const { approximate } = position;
    const summary = ofCohort('/v1/market/summary');
    return [
      ...(await summary(cohort)),
      ...(await summary({ ...cohort, neighborhood_id: neighborhood_ids[0] })),
      { by: 'position in city', cohort, figures: { ...position.city, approximate } },
      {
        by: 'position in neighborhood',
        cohort: { ...cohort, neighborhood_id: neighborhood_ids[0] },
        figures: { ...position.neighborhood, approximate },
      },
    ];
  }),
];

/** The summary of comparables is that of the listed ones if all are listed. */
async function compareComparables(t: ExecutionContext): Promise<void> {
  let compared = 0;
  for (const { id } of listings.filter(({ area_sqm }) => area_sqm !== null).slice(3, 60)) {
    const { summary, comparables } = await get(`/v1/listings/${id}/comparables`, { limit: 50 });
    if (summary.sample_size > comparables.length) continue;
    const prices = comparables.map(({ listing }: { listing: Listing }) => listing.price.yearly_sar);
    t.is(summary.median_price_sar, prices.length === 0 ? null : hundredths(quantile(prices, 0.5) as number));
    if (prices.length > 0) compared++;
  }
  t.true(compared > 5, `${compared}`);
}

/**
 * Endpoints whose figures are of no cohort of another endpoint, in addition to those of registered deals. Their own tests compare
 * them with plain code.
 */
const OTHER_COHORTS = ['/v1/listings/map', '/v1/market/deals', '/v1/market/trends', '/v1/projects/{id}'];

test('endpoints that state the same figure of the same cohort agree, in cohorts of 1, 2, 411 and more listings', async (t) => {
  const cohorts: Cohort[] = [{ listing_type: 'rent' }, { listing_type: 'sale' }, { listing_type: 'rent', beds: 2 }];
  for (const neighborhood_id of neighborhoods) cohorts.push({ listing_type: 'rent', neighborhood_id });
  for (const property_type of ['apartment', 'villa'])
    cohorts.push({ listing_type: 'rent', property_type }, { listing_type: 'sale', property_type });
  const stated: Statement[] = [];
  for (const read of OF_COHORTS) for (const cohort of cohorts) stated.push(...(await read(cohort)));
  for (const read of OTHERS) stated.push(...(await read()));
  const wrong: string[] = [];
  const sayings = new Map<string, Set<string>>();
  for (const { by, cohort, figures } of stated) {
    const exact = figuresOf(cohort);
    if (figures.approximate ?? false) wrong.push(`${by} is approximate`);
    for (const [name, value] of Object.entries(figures)) {
      const expected = exact.get(name);
      if (expected === undefined) continue;
      const saying = `${name} of ${JSON.stringify(Object.entries(cohort).sort())}`;
      sayings.set(saying, (sayings.get(saying) ?? new Set()).add(by));
      if (value !== (expected === null ? null : hundredths(expected)))
        wrong.push(`${by}: ${saying} is ${value}, not ${expected}`);
    }
  }
  t.deepEqual(wrong, []);
  const shared = [...sayings.values()].filter(({ size }) => size > 1);
  t.log(`${sayings.size} figures, ${shared.length} of several endpoints`);
  t.true(shared.length > 100);
  const median = await get('/v1/market/summary', { city, listing_type: 'rent', neighborhood_id: neighborhoods[0] });
  const [only] = listings.map(({ price }) => price.yearly_sar);
  t.deepEqual([median.median_price_sar, median.p25_price_sar, median.p75_price_sar], [only, only, only]);
  await compareComparables(t);
  const stating = endpoints.filter(
    ({ area, response }) =>
      area !== 'Official open data' && /"median_(price|price_per_sqm|area|days)_/.test(JSON.stringify(response)),
  );
  const others = stating.map(({ path }) => path).filter((path) => !requested.has(path));
  t.deepEqual(others.sort(), OTHER_COHORTS);
});
