import { randomBytes } from 'node:crypto';
import { Places } from '#domain/geography/reference.ts';
import { LISTING_CATEGORIES, LISTING_TYPES, PROPERTY_TYPE_TABLE, PROPERTY_TYPES } from '#domain/listings/vocabulary.ts';
import { readStoredListings } from '#ingest/indexing/documents.ts';
import { loadSources } from '#ingest/load-sources.ts';
import type { RawListing } from '#ingest/normalize/listing.ts';
import { createLogger } from '#observability/logger.ts';
import { generateSample } from '#sample/generate.ts';
import { startSampleHost } from '#sample/host.ts';
import { SAMPLE_SOURCES } from '#sample/sources.ts';
import { startTestApp } from '#test/app.ts';
import { type ExportApp, rowsOf, withExports } from '#test/exports.ts';
import { createOrganization } from '#test/factories.ts';
import { textOfMarkup } from '#test/markup.ts';
import { allRows } from '#test/pages.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { insertEndpoint } from '#webhooks/endpoints.ts';
import { matchEvents } from '#webhooks/match.ts';
import { ad, startPipeline, testSource } from '../../ingest/run/pipeline.ts';

/** Number of listings in the generated sample. */
const LISTINGS = 1_500;
/** A market in which two types have too few prices for a fence, and most prices of another type are much lower. */
const RARE = { city: 'jeddah', listing_type: 'sale' } as const;
const RARE_TYPES = ['commercial_building', 'commercial_land'] as const;
const RARE_SEARCHES = [...RARE_TYPES, RARE_TYPES.join(), undefined] as const;
const TYPES_OF_CATEGORY = LISTING_CATEGORIES.map(
  (category) => [category, PROPERTY_TYPES.filter((type) => PROPERTY_TYPE_TABLE[type].category === category)] as const,
);

interface Market {
  city: string;
  listing_type: string;
}

let app: ExportApp;
let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let key: string;
let markets: Market[];
const dir = folderOfFile();

/** Returns commercial properties for sale in Jeddah: many offices, and few whole buildings and plots. */
function commercialFeed() {
  const property = (kind: string, at: number, changes: Partial<RawListing>) =>
    ad(`${kind}${at}`, {
      purpose: 'sale',
      price_period: null,
      city: 'Jeddah',
      lat: 21.45 + (at % 10) * 0.01,
      lng: 39.15 + (at % 7) * 0.01,
      bedrooms: null,
      title: `عقار ${kind} ${at}`,
      updated_at: new Date(Date.now() - 86_400_000).toISOString(),
      ...changes,
    });
  return [
    ...Array.from({ length: 60 }, (_, at) =>
      property('office', at, { property_type: 'office', price: 500_000 + at * 3_000, area: 100 + at }),
    ),
    ...Array.from({ length: 6 }, (_, at) =>
      property('building', at, {
        property_type: 'commercial_building',
        price: 60_000_000 + at * 1_500_000,
        area: 900 + 40 * at,
      }),
    ),
    ...Array.from({ length: 8 }, (_, at) =>
      property('plot', at, {
        property_type: 'commercial_land',
        price: 90_000_000 + at * 2_000_000,
        area: 9_000 + 400 * at,
      }),
    ),
  ];
}

const queryOf = (market: Market, types: string | undefined): string =>
  String(new URLSearchParams({ ...market, ...(types === undefined ? {} : { property_type: types }) }));

async function read(path: string) {
  const { status, body, text } = await app.request(path, { key });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return body.data;
}

const countOf = async (market: Market, types?: string, others = ''): Promise<number> =>
  (await read(`/v1/listings/count?${queryOf(market, types)}${others}`)).total;

/** Returns the counts of every type that the market has. */
async function countsByType(market: Market): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const type of PROPERTY_TYPES) {
    const count = await countOf(market, type);
    if (count > 0) counts.set(type, count);
  }
  return counts;
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, each) => total + each, 0);

test.before(async () => {
  pipeline = await startPipeline('several-types');
  const env = { DATABASE_URL: pipeline.databaseUrl, INDEX_PREFIX: pipeline.prefix };
  const started = await startTestApp({ env, indexes: ['webhooks'], overrides: { places: new Places() } });
  app = withExports(started);
  const organization = await createOrganization(app.services, {
    columns: { units_per_minute: 1e6, units_per_month: 1e6 },
  });
  key = organization.key;
  for (const [at, types] of RARE_SEARCHES.entries())
    await insertEndpoint(app.services.pool, {
      id: `whk_${at}`,
      organizationId: organization.id,
      url: 'https://hooks.test/',
      host: 'hooks.test:443',
      eventTypes: ['listing.created'],
      filters: {
        city: [RARE.city],
        listing_type: [RARE.listing_type],
        ...(types && { property_type: types.split(',') }),
      },
      secret: Buffer.alloc(0),
      now: new Date(),
    });
  const host = await startSampleHost({ dir, port: 0 });
  try {
    const now = new Date();
    const until = now.toISOString().slice(0, 10);
    await generateSample({ dir, listings: LISTINGS, seed: 47, days: 1, until, hostUrl: host.url });
    const sample = await loadSources({ dataDir: dir, feedHostUrl: host.url, sources: SAMPLE_SOURCES });
    const commercial = Object.assign(testSource('commercial'), { feed: commercialFeed() });
    await pipeline.run([...sample, commercial], now.toISOString());
  } finally {
    await host.close();
  }
  await pipeline.index.refresh();
  await app.services.indexGuard.refresh();
  const { rows } = await pipeline.pool.query<Market>(
    `select city, listing_type from listings where served group by 1, 2 order by count(*) desc, 1, 2 limit 5`,
  );
  markets = [
    RARE,
    ...rows.filter(({ city, listing_type }) => city !== RARE.city || listing_type !== RARE.listing_type),
  ];
});

test.after(async () => {
  await app?.close();
  await pipeline?.close();
});

test('a search of several types counts at least the listings of each, and a city at least the sum of its types', async (t) => {
  let pairs = 0;
  for (const market of markets) {
    const counts = await countsByType(market);
    for (const [index, [one, ones]] of [...counts].entries()) {
      for (const [other, others] of [...counts].slice(index + 1)) {
        const both = await countOf(market, `${one},${other}`);
        t.true(both >= ones + others, `${one} ${ones}, ${other} ${others}, both ${both}: ${JSON.stringify(market)}`);
        pairs++;
      }
    }
    t.true((await countOf(market)) >= sum(counts.values()), JSON.stringify(market));
    for (const [category, types] of TYPES_OF_CATEGORY) {
      const ofTypes = sum(types.map((type) => counts.get(type) ?? 0));
      t.true((await countOf(market, undefined, `&listing_category=${category}`)) >= ofTypes, category);
    }
  }
  t.true(pairs > 40, `${pairs} pairs`);
  const rare = await countsByType(RARE);
  for (const type of RARE_TYPES) t.true((rare.get(type) ?? 0) > 0, type);
});

test('pages, mirror, facets, map, statistics and exports of several types have the listings of each type', async (t) => {
  const box = 'bbox=38,20,48,28&zoom=3';
  const created = async (types: string | undefined) => {
    const filters = {
      city: [RARE.city],
      listing_type: [RARE.listing_type],
      ...(types && { property_type: types.split(',') }),
    };
    const { status, files } = await app.make(key, { dataset: 'listings', format: 'ndjson', filters });
    if (status !== 'completed') throw new Error(status);
    return (await rowsOf(files)).length;
  };
  const found = new Map<string | undefined, Record<string, number>>();
  for (const types of RARE_SEARCHES) {
    const query = queryOf(RARE, types);
    const facets = await read(`/v1/listings/facets?${query}&fields=property_type`);
    found.set(types, {
      pages: (await allRows(app, `/v1/listings?${query}&limit=100`, key)).length,
      mirror: (
        await allRows(app, `/v1/listings?${query}&limit=100&sort=modified_asc&modified_since=2020-01-01T00:00:00Z`, key)
      ).length,
      facets: facets.total,
      map: (await read(`/v1/listings/map?${query}&${box}`)).total,
      summary: (await read(`/v1/market/summary?${query}`)).sample_size,
      export: await created(types),
      count: await countOf(RARE, types),
    });
  }
  const [one, other, both, all] = RARE_SEARCHES.map((types) => found.get(types) ?? {});
  for (const [name, ones] of Object.entries(one ?? {})) {
    const others = other?.[name] ?? 0;
    t.true(ones > 0 && others > 0, name);
    t.true((both?.[name] ?? 0) >= ones + others, name);
    t.true((all?.[name] ?? 0) >= (both?.[name] ?? 0), name);
  }
  for (const each of found.values())
    for (const name of ['pages', 'mirror', 'facets', 'export']) t.is(each[name], each.count, name);
});

test('a webhook endpoint for several types receives the events of each type', async (t) => {
  await matchEvents(
    {
      pool: pipeline.pool,
      opensearch: pipeline.client,
      readListings: (ids) => readStoredListings(pipeline.pool, ids),
      siteUrl: 'https://site.test',
      random: randomBytes,
      logger: createLogger('silent'),
      now: Date.now,
    },
    AbortSignal.timeout(60_000),
  );
  const { rows } = await pipeline.pool.query<{ n: number }>(
    `select (select count(*)::int from webhook_deliveries d where d.endpoint_id = e.id) as n
       from webhook_endpoints e order by e.public_id`,
  );
  const [one = 0, other = 0, both = 0, all = 0] = rows.map(({ n }) => n);
  t.true(one > 0 && other > 0);
  t.true(both >= one + other);
  t.true(all >= both);
});

test('the home page and the coverage page state the number of listings that searches return', async (t) => {
  const { rows: cities } = await pipeline.pool.query<{ city: string }>(
    'select distinct city from listings where served',
  );
  const counts = new Map<string, number[]>();
  for (const { city } of cities)
    counts.set(city, await Promise.all(LISTING_TYPES.map((listing_type) => countOf({ city, listing_type }))));
  const total = sum([...counts.values()].flat()).toLocaleString('en-US');
  const home = (await app.request('/')).text;
  t.is(textOfMarkup(/<dl class="counts"><div><dd>(.*?)<\/dd>/s.exec(home)?.[1] ?? ''), total);
  const coverage = (await app.request('/coverage')).text;
  t.is(textOfMarkup(/Total: <strong>(.*?)<\/strong>/s.exec(coverage)?.[1] ?? ''), total);
  for (const { slug, name_en } of app.services.places.cities()) {
    const [rent, sale] = counts.get(slug) ?? [0, 0];
    if (!rent && !sale) continue;
    const row = new RegExp(`<th scope="row">${name_en}</th>(.*?)</tr>`, 's').exec(coverage)?.[1] ?? '';
    const cells = [...row.matchAll(/<td>(.*?)<\/td>/gs)].slice(0, 3).map(([, cell = '']) => textOfMarkup(cell).trim());
    t.deepEqual(
      cells,
      [(rent ?? 0) + (sale ?? 0), rent, sale].map((each) => each?.toLocaleString('en-US')),
      slug,
    );
  }
  const { rows } = await pipeline.pool.query<{ n: number }>(
    'select count(*)::int as n from listings where served and not (plausible_pooled and price is not null)',
  );
  t.true((rows[0]?.n ?? 0) > 0, 'some served listings are hidden from searches');
});
