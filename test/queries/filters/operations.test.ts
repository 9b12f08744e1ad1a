import fc from 'fast-check';
import { NEIGHBORHOODS, neighborhoodsOf } from '#domain/geography/gazetteer.ts';
import type { ServedIndex } from '#domain/index-state.ts';
import type { Comparison } from '#domain/listings/comparison.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { fillIndexes } from '#ingest/fill.ts';
import { filterRows } from '#queries/filters/table.ts';
import { endpoints } from '#src/endpoints/index.ts';
import { examplePath } from '#src/http/example-path.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings } from '#test/factories.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { ad, startPipeline, testSource } from '../../ingest/run/pipeline.ts';
import { MEANING, type OracleListing, type Query } from './oracle.ts';
import { ALWAYS_GIVEN, TEXTS } from './random-filters.ts';
import * as varied from './varied-city.ts';

/** Compares each filter of each operation with plain code, in the documents of the index that the operation searches. */
const NOW = Date.parse('2026-06-01T12:00:37Z');
const ADS = 240;
const LISTINGS = 400;
/** Of each filter and operation; five times as many where only one operation searches the index. */
const VALUES = 2;
/** Documents are made from listings or their ads. Others have filters of their own. */
const INDEXES: readonly (ServedIndex | null)[] = ['listings', 'history', 'deals'];
/** They find units of projects, which neither set of listings has. */
const OF_PROJECTS = ['listProjectUnits', 'searchProjectUnits'];
const NEAR = '24.7013,46.6987';
/** Of required parameters. Facets of a field have its filter in their aggregation, so they are those of `floor`. */
const BASE: Query = {
  listing_type: 'rent',
  bbox: '46,24,47.5,25.5',
  neighborhood_id: varied.NEIGHBORHOODS.slice(0, 3).join(),
  fields: 'floor',
};
/** Other parameters that a filter needs. */
const BESIDE: Readonly<Record<string, Query>> = { radius_m: { near: NEAR }, floor: { fields: 'source' } };

const COMPARISON: Comparison = {
  gap_pct: 20,
  diff_from_median_pct: -20,
  price_per_sqm_diff_from_median_pct: -20,
  median_price_sar: 1,
  p25_price_sar: 1,
  p75_price_sar: 1,
  median_price_per_sqm_sar: 1,
  sample_size: 9,
  criteria: { max_distance_m: 9, area_range_sqm: { min: 1, max: 2 }, same_bedrooms: true, age_years: null },
};

let pipeline: Awaited<ReturnType<typeof startPipeline>>;
let app: TestApp;
let key: string;
/** The cities of listings that only the listings index has, and of ads of the pipeline. */
let cities: Readonly<Record<'listings' | 'pipeline', string>>;
const known = new Map<number, OracleListing>();

test.before(async () => {
  pipeline = await startPipeline('operations');
  app = await startTestApp({
    env: { INDEX_PREFIX: pipeline.prefix, DATABASE_URL: pipeline.databaseUrl },
    indexes: ['history', 'deals'],
    overrides: { clock: { now: () => NOW, chargeTime: () => null } },
  });
  await app.addCity({ slug: 'riyadh' }, neighborhoodsOf('riyadh'));
  const { slug } = await app.addCity({}, varied.ITS_NEIGHBORHOODS);
  cities = { listings: slug, pipeline: 'riyadh' };
  key = (await createOrganization(app.services, { columns: { units_per_minute: 1e6, units_per_month: 1e6 } })).key;
  const random = seeded(66);
  const source = testSource('varied');
  source.feed = variedAds(random);
  await pipeline.run([source], '2026-05-31T03:00:00Z');
  // Every ad is a deal, so that deals vary as ads do.
  await pipeline.pool.query(
    `insert into listing_deals (listing_id, version, comparison, changed_run)
     select id, version, $1, changed_run from listings where served
     on conflict (listing_id) do update set comparison = excluded.comparison, gone = false`,
    [JSON.stringify(COMPARISON)],
  );
  await fillIndexes(['deals'], { pool: pipeline.pool, listingIndex: pipeline.index });
  const stored = varied.variedListings(slug, LISTINGS, Math.floor(NOW / 60_000) * 60, random);
  for (const [at, { display, private: hidden }] of stored.entries()) {
    // Ids of other listings are those of rows.
    Object.assign(display, { id: 1_000_000 + at });
    Object.assign(hidden, { plausible_typed: true, plausible_pooled: true });
  }
  await indexListings(app.services, stored);
  const served = (await pipeline.pool.query<{ id: string }>('select id from listings where served')).rows;
  const ids = [...stored.map(({ display }) => display.id), ...served.map(({ id }) => Number(id))];
  const types = new Map(stored.map(({ display, private: hidden }) => [display.id, hidden.advertiser_type]));
  for (let at = 0; at < ids.length; at += 100) {
    const { body } = await app.request(`/v1/listings/batch?ids=${ids.slice(at, at + 100)}`, { key });
    for (const listing of body.data as Listing[]) {
      const advertiser_type = types.get(listing.id) ?? null;
      const hidden = { advertiser_type, plausible_typed: true, plausible_pooled: true };
      known.set(listing.id, { served: listing, hidden, score: 0 });
    }
  }
});
test.after(async () => {
  await app?.close();
  await pipeline?.close();
});

function variedAds(random: () => number) {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: ADS }, (_, at) =>
    ad(`varied${at}`, {
      property_type: pick(['apartment', 'apartment', 'villa', 'office']),
      price: pick([30_000, 45_000, 60_000, 90_000]),
      area: pick([99.9, 100, 250, 251]),
      bedrooms: pick([null, 1, 2, 3, 5, 6]),
      bathrooms: pick([null, 1, 2, 3, 5]),
      livings: pick([null, 0, 1, 2]),
      age_years: pick([null, 0, 1, 10, 39]),
      compound_name: pick([null, 'Palm Court', 'واحة الياسمين']),
      neighborhood: NEIGHBORHOODS.find(({ id }) => id === pick(varied.NEIGHBORHOODS))?.name_ar ?? null,
      // Not on the border of a shape.
      lat: at % 5 === 0 ? null : 24.5 + random() * 0.4,
      lng: at % 5 === 0 ? null : 46.5 + random() * 0.3,
      updated_at: '2026-05-30T08:00:00Z',
    }),
  );
}

interface Searched {
  index: ServedIndex;
  ids: Set<number>;
}

/** Calls an operation, and returns the listings whose documents its search finds. */
async function searched(operation: (typeof endpoints)[number], query: Query): Promise<Searched | null> {
  const { search, statistics } = app.services;
  statistics.clear();
  const send = search.search.bind(search);
  const found: { index: ServedIndex; query: unknown }[] = [];
  search.search = <T>(...[index, body, ...options]: Parameters<typeof send>): Promise<T> => {
    if (index !== null) found.push({ index, query: body.query });
    return send<T>(index, body, ...options);
  };
  try {
    const named = Object.entries(query).filter(([name]) => operation.parameters.some((each) => each.name === name));
    const [path, example] = examplePath(operation, Object.fromEntries(named)).split('?');
    const { status, text } = await app.request(`${path}?${withValues(example, named)}`, { key });
    if (status >= 400) throw new Error(`${operation.operationId} ${JSON.stringify(query)}: ${text}`);
  } finally {
    search.search = send;
  }
  const [first] = found;
  if (first === undefined || !INDEXES.includes(first.index)) return null;
  const index = app.services.opensearch.aliases[first.index];
  const body = { size: 10_000, stored_fields: '_none_', docvalue_fields: ['_id'], query: first.query };
  const { hits } = await pipeline.client.send<{ hits: { hits: { fields: { _id: [string] } }[] } }>(
    'POST',
    `/${index}/_search`,
    { body },
  );
  // An interval of months has the id of its listing and the first month.
  const ids = hits.hits.map(({ fields: { _id } }) => Number(_id[0].split('-')[0]));
  return { index: first.index, ids: new Set(ids) };
}

function withValues(example = '', values: readonly (readonly [string, string])[]): URLSearchParams {
  const parameters = new URLSearchParams(example);
  for (const [name, value] of values) parameters.set(name, value);
  return parameters;
}

test('every filter that an operation accepts has its values in the documents of the index that it searches', async (t) => {
  const rows = filterRows().filter(({ name }) => !ALWAYS_GIVEN.includes(name));
  // Projects and registered deals have other filters, a few of which have the name or the text of a row.
  const operations = endpoints.filter(
    ({ operationId, parameters }) =>
      !OF_PROJECTS.includes(operationId) &&
      rows.filter((row) =>
        parameters.some(({ name, description }) => name === row.name && description === row.description),
      ).length > 3,
  );
  /** By index and filter: whether a value matched some documents and not all. */
  const varies = new Map<string, boolean>();
  const compared = new Set<string>();
  for (const [seed, operation] of operations.entries()) {
    for (const city of Object.values(cities)) {
      const base = { city, ...BASE };
      const required = operation.parameters.filter((each) => each.required).map(({ name }) => name);
      const given = Object.fromEntries(
        Object.entries(base).filter(([name]) => ALWAYS_GIVEN.includes(name) || required.includes(name)),
      );
      const all = await searched(operation, given);
      if (all === null || all.ids.size === 0 || (all.index === 'listings') !== (city === cities.listings)) continue;
      compared.add(operation.operationId);
      for (const { name } of rows) {
        if (required.includes(name) || !operation.parameters.some((each) => each.name === name)) continue;
        const id = `${all.index} ${name}`;
        const numRuns = all.index === 'listings' ? VALUES : 5 * VALUES;
        for (const value of new Set(fc.sample(TEXTS[name] as fc.Arbitrary<string>, { numRuns, seed }))) {
          const query = { ...given, ...(BESIDE[name] ?? {}), [name]: value };
          const found = await searched(operation, query);
          const meaning = MEANING[name];
          if (!found || !meaning) throw new Error(`${operation.operationId} ${name}`);
          const [matches, text] = name === 'radius_m' ? [MEANING.near, NEAR] : [meaning, value];
          // The rental yield is that of residential homes unless a filter selects others.
          const candidates = [...new Set([...all.ids, ...found.ids])];
          const expected = candidates.filter((each) => matches?.(known.get(each) as OracleListing, text, query));
          varies.set(id, (varies.get(id) ?? false) || (expected.length > 0 && expected.length < all.ids.size));
          t.deepEqual(
            [...found.ids].sort((a, b) => a - b),
            expected.sort((a, b) => a - b),
            `${operation.operationId} ${name}=${value} in ${all.index}`,
          );
        }
      }
    }
  }
  const missing = operations.map(({ operationId }) => operationId).filter((each) => !compared.has(each));
  t.deepEqual(missing, [], 'operations without listings');
  t.deepEqual(
    [...varies].flatMap(([id, found]) => (found ? [] : [id])),
    [],
    'vary the field in the test data',
  );
});
