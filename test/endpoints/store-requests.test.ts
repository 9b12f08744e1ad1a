import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { Places } from '#domain/geography/reference.ts';
import { SourceClock } from '#domain/listings/source-clock.ts';
import { endpoints } from '#endpoints/index.ts';
import { importOfficial } from '#ingest/official/import.ts';
import type { IndexGuard } from '#search/index-guard.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createOrganization } from '#test/factories.ts';
import { dealsCsv, dealsOf } from '#test/official.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { project, testProjects } from '../ingest/off-plan/ground.ts';
import { ad, ads, startPipeline, testSource } from '../ingest/run/pipeline.ts';

/** Requests that one call sends to the stores. */
interface Requests {
  postgres: number;
  opensearch: number;
  /** Number of times that the indexes are checked again, because a result could come from a lost index. */
  confirmed: number;
}

let app: TestApp;
let key: string;
let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let folder: string;
/** Ids that paths contain as `{name}`. */
const ids: Record<string, string> = {};
const sent: Requests = { postgres: 0, opensearch: 0, confirmed: 0 };
/** The counted statements, for the message. */
const statements: string[] = [];

/** Published by undici, which sends all searches of requests. */
const REQUESTS = 'undici:request:create';

function countSearch(message: unknown): void {
  if ((message as { request: { path: string } }).request.path.includes('/_search?')) sent.opensearch++;
}

const textOf = (query: unknown): string => (typeof query === 'string' ? query : (query as { text: string }).text);

/** Counts the statements of the pools that serve requests. Other pools check indexes and write logs in the background. */
function countStatements({ pool, chargePool }: TestApp['services']): void {
  const counted = new WeakSet<pg.PoolClient>();
  const count = (client: pg.PoolClient): void => {
    if (counted.has(client)) return;
    counted.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: unknown[]) => {
      sent.postgres++;
      statements.push(textOf(given[0]));
      return query(...given);
    }) as pg.PoolClient['query'];
  };
  for (const each of [pool, chargePool]) each.on('acquire', count);
}

const MARKET = 'city=riyadh&listing_type=rent';
const AREA = `bbox=46,24,47.5,25.5&zoom=12`;

test.before(async () => {
  pipeline = await startPipeline('store-requests');
  folder = await mkdtemp(join(tmpdir(), 'store-requests-'));
  app = await startTestApp({
    env: { DATABASE_URL: pipeline.databaseUrl, INDEX_PREFIX: pipeline.prefix },
    indexes: ['deals', 'history', 'projects', 'developers', 'transactions'],
    // The times of sources are otherwise read in the background.
    overrides: {
      places: new Places(),
      sourceClock: new SourceClock(async () => new Map([['market', Date.now() / 1_000]])),
    },
  });
  subscribe(REQUESTS, countSearch);
  countStatements(app.services);
  const guard: Pick<IndexGuard, 'confirm'> = app.services.indexGuard;
  const confirm = guard.confirm.bind(guard);
  guard.confirm = (name) => {
    sent.confirmed++;
    return confirm(name);
  };
  key = (await createOrganization(app.services)).key;
  const now = new Date();
  const updated_at = new Date(now.getTime() - 86_400_000).toISOString();
  const neighborhood = 'النرجس';
  const homes = { updated_at, neighborhood, bedrooms: 3, area: 120 };
  // Close enough to be compared, and too far apart to be one home.
  const homesNear = Array.from({ length: 60 }, (_, at) =>
    ad(`home${at}`, {
      ...homes,
      price: 45_000 + (at % 20) * 500,
      area: 110 + (at % 21),
      lat: 24.8 + Math.floor(at / 8) * 0.003,
      lng: 46.62 + (at % 8) * 0.003,
    }),
  );
  const source = Object.assign(testSource('market'), {
    feed: [
      ...homesNear,
      ...ads(30, 'sold', { ...homes, purpose: 'sale', price: 900_000, price_period: null }),
      ...ads(12, 'near', { ...homes, neighborhood: 'الياسمين' }),
      ad('deal', { ...homes, price: 33_000, lat: 24.811, lng: 46.634 }),
      ad('unit', { ...homes, purpose: 'sale', price: 900_000, price_period: null, project: { id: 'p1' } }),
    ],
  });
  const projectSources = [testProjects('market', [project('p1'), project('p2')])];
  await pipeline.run([source], now.toISOString(), { projectSources });
  await pipeline.index.refresh();
  const deals = dealsOf({
    quarter: '2025-Q2',
    count: 200,
    random: seeded(1),
    from: 1_000,
    city_ar: 'الرياض',
    districts: [neighborhood],
  });
  const file = join(folder, 'deals.csv');
  await writeFile(file, dealsCsv(deals));
  await importOfficial(
    {
      pool: pipeline.pool,
      opensearch: app.services.opensearch,
      idKey: '0'.repeat(64),
      signal: AbortSignal.timeout(60_000),
    },
    file,
  );
  await app.services.indexGuard.refresh();
  const idOf = async (query: string): Promise<string> => String((await pipeline.pool.query(query)).rows[0]?.id);
  ids.listing = String((await pipeline.listing('market', 'home7')).id);
  ids.other = String((await pipeline.listing('market', 'home8')).id);
  ids.project = await idOf('select project_id as id from listings where project_id is not null limit 1');
  ids.neighborhoods = (
    await pipeline.pool.query<{ id: number }>('select distinct neighborhood_id as id from listings order by 1')
  ).rows
    .map(({ id }) => id)
    .join();
});

test.after(async () => {
  unsubscribe(REQUESTS, countSearch);
  await app?.close();
  await pipeline?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Sends a call and counts the requests that it causes. */
async function measure(path: string): Promise<{ response: TestResponse; sent: Requests }> {
  // Reads that requests share for a short time belong to the first request.
  app.services.loadedQuarters.clear();
  app.services.statistics.clear();
  Object.assign(sent, { postgres: 0, opensearch: 0, confirmed: 0 });
  statements.length = 0;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
  return { response: await app.request(filled, { key }), sent: { ...sent } };
}

/**
 * Every read of a data key, with the numbers of its Postgres statements and OpenSearch requests. One statement is the charge. Pages of
 * listings that are not in memory take a second request.
 */
const CALLS: Readonly<
  Record<string, [path: string, postgres: number, opensearch: number, status?: number, confirmed?: number]>
> = {
  listCities: ['/v1/cities', 1, 0],
  listNeighborhoods: ['/v1/cities/riyadh/neighborhoods', 1, 0],
  listDirections: ['/v1/cities/riyadh/directions', 1, 0],
  listBoundaries: ['/v1/cities/riyadh/boundaries', 1, 0],
  listEnums: ['/v1/enums', 1, 0],
  getLimits: ['/v1/limits', 1, 0],
  suggest: ['/v1/suggest?q=nar', 1, 3],
  searchListings: [`/v1/listings?${MARKET}`, 1, 2],
  countListings: [`/v1/listings/count?${MARKET}`, 1, 1],
  parseListings: ['/v1/listings/parse?q=apartment+in+Riyadh', 1, 1],
  listFacets: [`/v1/listings/facets?${MARKET}&fields=beds,property_type`, 1, 1],
  mapListings: [`/v1/listings/map?${MARKET}&${AREA}`, 1, 1],
  batchListings: ['/v1/listings/batch?ids={listing},{other}', 1, 2],
  getListing: ['/v1/listings/{listing}', 1, 1],
  getPriceHistory: ['/v1/listings/{listing}/price-history', 2, 0],
  getMarketSummary: [`/v1/market/summary?${MARKET}`, 1, 1],
  getPriceDistribution: [`/v1/market/price-distribution?${MARKET}`, 1, 1],
  getAreaDistribution: [`/v1/market/area-distribution?${MARKET}`, 1, 1],
  getMarketSupply: [`/v1/market/supply?${MARKET}`, 1, 1],
  getMarketVacancy: [`/v1/market/vacancy?${MARKET}`, 1, 1],
  listMarketNeighborhoods: [`/v1/market/neighborhoods?${MARKET}`, 1, 2],
  getAskingVsRegistered: ['/v1/market/asking-vs-registered?city=riyadh', 3, 3, 200, 3],
  getPriceBand: ['/v1/listings/{listing}/price-band', 1, 2],
  getMarketPosition: ['/v1/listings/{listing}/market-position', 1, 2],
  listComparables: ['/v1/listings/{listing}/comparables', 1, 3],
  // The first estimate of a process reads the errors of past estimates, in parallel.
  estimateListingPrice: ['/v1/listings/{listing}/estimate', 2, 2],
  estimatePrice: [
    '/v1/market/estimate?city=riyadh&listing_type=rent&property_type=apartment&area=120&near=24.8,46.6',
    1,
    1,
  ],
  getEstimateAccuracy: [`/v1/market/estimate/accuracy?${MARKET}`, 2, 0],
  getRentalYield: ['/v1/market/rental-yield?city=riyadh', 1, 2],
  compareNeighborhoods: [`/v1/market/neighborhoods/compare?${MARKET}&neighborhood_id={neighborhoods}`, 1, 2],
  getMarketTrends: [`/v1/market/trends?${MARKET}`, 1, 2],
  listMarketDeals: [`/v1/market/deals?${MARKET}`, 1, 1],
  searchProjects: ['/v1/projects?city=riyadh', 1, 1],
  getProject: ['/v1/projects/{project}', 1, 2],
  listProjectUnits: ['/v1/projects/{project}/units', 1, 3],
  searchProjectUnits: ['/v1/project-units?city=riyadh&listing_type=sale', 1, 1],
  listDevelopers: ['/v1/developers', 1, 1],
  listTransactions: ['/v1/transactions?city=riyadh', 2, 1],
  getMarketTransactions: ['/v1/market/transactions?city=riyadh', 2, 1],
  getLandPrices: ['/v1/market/land-prices?city=riyadh', 2, 1],
  getRegisteredRents: ['/v1/market/registered-rents?city=riyadh', 2, 0, 404],
  getMarketIndex: ['/v1/market/index', 2, 0, 404],
  getPropertyIndex: ['/v1/market/property-index', 2, 0, 404],
  listExports: ['/v1/exports', 2, 0],
  getOpenApi: ['/v1/openapi.json', 0, 0],
  healthz: ['/healthz', 0, 0],
  readyz: ['/readyz', 1, 1],
};

/** Calls without results, whose index is checked again once. */
const EMPTY: Readonly<Record<string, string>> = {
  searchListings: `/v1/listings?${MARKET}&beds=9`,
  countListings: `/v1/listings/count?${MARKET}&beds=9`,
  listFacets: `/v1/listings/facets?${MARKET}&beds=9&fields=property_type`,
  mapListings: `/v1/listings/map?${MARKET}&${AREA}&beds=9`,
  getMarketSummary: `/v1/market/summary?${MARKET}&beds=9`,
  searchProjects: '/v1/projects?city=riyadh&status=completed',
};

test('each read sends the stated number of requests to the stores', async (t) => {
  const reads = endpoints.filter(
    ({ method, audience, path }) => method === 'GET' && audience !== 'admin' && !path.includes('export_id'),
  );
  t.deepEqual(Object.keys(CALLS).sort(), reads.map(({ operationId }) => operationId).sort());
  for (const [operation, [path, postgres, opensearch, status = 200, confirmed = 0]] of Object.entries(CALLS)) {
    const { response, sent } = await measure(path);
    t.is(response.status, status, `${operation}: ${response.text}`);
    t.deepEqual(sent, { postgres, opensearch, confirmed }, `${operation}: ${statements.join('\n')}`);
  }
});

test('a result without rows is confirmed once', async (t) => {
  for (const [operation, path] of Object.entries(EMPTY)) {
    const { response, sent } = await measure(path);
    t.is(response.status, 200, `${operation}: ${response.text}`);
    t.is(sent.confirmed, 1, operation);
  }
});
