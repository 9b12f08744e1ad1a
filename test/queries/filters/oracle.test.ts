import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { LISTING_TYPES } from '#domain/listing-vocabulary.ts';
import { toDocument } from '#domain/listings/document.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { filterRows } from '#queries/filters/table.ts';
import { FACET_NAMES } from '#queries/listings/facets.ts';
import { SORT_NAMES } from '#queries/listings/sorts.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { codePoint } from '#test/code-points.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { allRows } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import {
  contradicts,
  countOracle,
  latin,
  MEANING,
  type OracleListing,
  orderOf,
  type Query,
  searchOracle,
} from './oracle.ts';
import { ALWAYS_GIVEN, chosenFilters, TEXTS } from './random-filters.ts';
import * as varied from './varied-city.ts';

/** Set ORACLE_SEED to the seed of a failure to repeat it. */
const SEED = Number(process.env.ORACLE_SEED ?? randomInt(2 ** 31));
const LISTINGS = 600;
const RUNS = 150;
/** 37 seconds past the minute, because requests round down to the minute. */
const NOW = Date.parse('2026-06-01T12:00:37Z');

let app: TestApp;
let key: string;
let city: string;
/** Another city, in the same area. */
let other: string;
let all: OracleListing[];

test.before(async () => {
  // Areas must have no listings of other tests.
  const env = { INDEX_PREFIX: `${process.env.INDEX_PREFIX}oracle_` };
  app = await startTestApp({ env, overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  const random = seeded(SEED);
  city = (await app.addCity({}, varied.ITS_NEIGHBORHOODS)).slug;
  const stored = varied.variedListings(city, LISTINGS, Math.floor(NOW / 60_000) * 60, random);
  other = (await app.addCity()).slug;
  stored.push(...varied.variedListings(other, LISTINGS / 4, Math.floor(NOW / 60_000) * 60, random));
  // A name without a letter.
  stored.push(makeListing({ compound_name: 'ـ', location: { city: other } }));
  await indexListings(app.services, stored);
  all = [];
  for (let at = 0; at < stored.length; at += 100) {
    const part = stored.slice(at, at + 100);
    const { body } = await app.request(`/v1/listings/batch?ids=${part.map(({ display }) => display.id)}`, { key });
    for (const [index, served] of (body.data as Listing[]).entries()) {
      const listing = part[index];
      if (listing?.display.id !== served.id) throw new Error('the batch response is in another order');
      all.push({ served, hidden: listing.private, score: toDocument(listing).stats.recommended });
    }
  }
});
test.after(() => app?.close());

test('the oracle and the random queries cover every filter', (t) => {
  const names = filterRows()
    .map(({ name }) => name)
    .sort();
  t.deepEqual(Object.keys(MEANING).sort(), names, 'test/queries/filters/oracle.ts');
  t.deepEqual([...Object.keys(TEXTS), ...ALWAYS_GIVEN].sort(), names, 'test/queries/filters/random-filters.ts');
});

/** Returns whether the ids are those of the rows, in an order that differs only where both orders are right. */
function isPermitted(ids: readonly unknown[], rows: readonly OracleListing[], query: Query): boolean {
  const known = new Map(rows.map((row) => [row.served.id as unknown, row]));
  const found = ids.map((id) => known.get(id));
  const order = orderOf(query);
  return (
    new Set(found).size === rows.length &&
    found.length === rows.length &&
    found.every((row, at) => {
      const before = found[at - 1];
      return row !== undefined && (before === undefined || order(before, row) <= 0);
    })
  );
}

async function compare(query: Query, limit: number): Promise<number> {
  // Refused, as other tests show.
  if (contradicts(query)) return 0;
  const rows = searchOracle(all, query);
  const expected = rows.map(({ served }) => served.id);
  const parameters = new URLSearchParams({ ...query, limit: String(limit) });
  const found = (await allRows(app, `/v1/listings?${parameters}`, key)).map(({ id }) => id);
  if (found.join() !== expected.join() && !isPermitted(found, rows, query)) {
    const [missing, surplus] = [expected.find((id) => !found.includes(id)), found.find((id) => !expected.includes(id))];
    const listing = JSON.stringify(all.find(({ served }) => served.id === (missing ?? surplus)));
    throw new Error(`${found.length} rows, expected ${expected.length}: ${missing ? 'missing' : 'surplus'} ${listing}`);
  }
  const { sort: _, ...filters } = query;
  const { data } = (await app.request(`/v1/listings/count?${new URLSearchParams(filters)}`, { key })).body;
  if (data.total !== countOracle(all, query))
    throw new Error(`count ${data.total}, expected ${countOracle(all, query)}`);
  return expected.length;
}

test('each filter matches the oracle for many of its values, and some but not all listings', async (t) => {
  const base = { city, listing_type: 'rent' };
  const every = await compare(base, 100);
  const found = new Map<string, { rows: number; most: number }>();
  for (const [name, texts] of Object.entries(TEXTS)) {
    const values = new Set(fc.sample(texts, { numRuns: name === 'q' ? 40 : 8, seed: SEED }));
    for (const value of values) {
      const near: Query = name === 'radius_m' ? { near: '24.7013,46.6987' } : {};
      const query = { ...base, ...near, [name]: value };
      const rows = await compare(query, 100).catch((error: unknown) => {
        throw new Error(`ORACLE_SEED=${SEED} ${JSON.stringify(query)}`, { cause: error });
      });
      const { rows: before, most } = found.get(name) ?? { rows: 0, most: 0 };
      found.set(name, { rows: before + rows, most: most + every });
    }
  }
  for (const [name, { rows, most }] of found) {
    t.true(rows > 0, `${name} never matched a listing`);
    t.true(rows < most, `${name} matched every listing for all of its values: vary them in varied-city.ts`);
  }
});

/** Every sort over a whole city, over two, and over an area. */
const WHOLE_CITY = SORT_NAMES.flatMap((sort) =>
  LISTING_TYPES.flatMap((type) =>
    (['city', 'cities', 'area'] as const).map((where): [Query, typeof type, typeof sort, 23, typeof where] => [
      sort === 'distance' || where === 'area' ? { near: '24.7013,46.6987', radius_m: '50000' } : {},
      ...([type, sort, 23, where] as const),
    ]),
  ),
);

/** One city, both, or none with an area. */
const SHAPES = ['bbox', 'near', 'polygon'];
const placed = (filters: Query, where: 'city' | 'cities' | 'area'): Query => {
  if (where === 'area' && SHAPES.some((name) => filters[name] !== undefined)) return filters;
  return { city: where === 'city' ? city : `${other}, ${city}`, ...filters };
};

test('random filters, and every sort over a city, over two, and over an area: all pages of a search and the count match the oracle', async (t) => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(
      chosenFilters(6),
      fc.constantFrom(...LISTING_TYPES),
      fc.constantFrom(undefined, ...SORT_NAMES),
      fc.constantFrom(23, 50, 100),
      fc.constantFrom('city', 'cities', 'area'),
      async (filters, listing_type, sort, limit, where) => {
        rows += await compare({ ...placed(filters, where), listing_type, ...(sort ? { sort } : {}) }, limit);
      },
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: false, examples: WHOLE_CITY },
  );
  t.true(rows > RUNS, `most queries matched no listing, ORACLE_SEED=${SEED}`);
});

interface Facet {
  field: string;
  values: { value: string; count: number }[];
  ranges: { from: number; to: number | null; count: number }[];
}

async function facetsOf(query: Query): Promise<Facet[]> {
  const found: Facet[] = [];
  for (const fields of [FACET_NAMES.slice(0, 10), FACET_NAMES.slice(10)]) {
    const { status, text, body } = await app.request(
      `/v1/listings/facets?${new URLSearchParams({ ...query, fields: fields.join() })}`,
      { key },
    );
    if (status !== 200) throw new Error(text);
    if (body.data.total !== countOracle(all, query)) throw new Error(`total ${body.data.total}`);
    found.push(...body.data.facets);
  }
  return found;
}

/** Values of range facets. */
const RANGES: Readonly<Record<string, (listing: Listing) => number | null>> = {
  price: ({ price }) => price.yearly_sar,
  area: ({ area_sqm }) => area_sqm,
};

/** Returns how many listings a search with a value or range of a facet in addition to the given filters returns. */
function countOf(
  query: Query,
  excludeOwn: boolean,
  field: string,
  { value = '', from = 0, to = null as number | null },
): number {
  const measure = RANGES[field];
  if (field === 'filters') {
    const removed = value.startsWith('near') ? [value, 'radius_m'] : [value];
    return countOracle(all, Object.fromEntries(Object.entries(query).filter(([name]) => !removed.includes(name))));
  }
  if (measure) {
    const { [`${field}_min`]: _min, [`${field}_max`]: _max, ...others } = query;
    return searchOracle(all, excludeOwn ? others : query).filter(({ served }) => {
      const measured = measure(served);
      return measured !== null && measured >= from && measured < (to ?? Number.POSITIVE_INFINITY);
    }).length;
  }
  const given = excludeOwn ? undefined : query[field]?.split(',');
  // A listing has several amenities.
  if (field === 'amenities') return countOracle(all, { ...query, [field]: [...(given ?? []), value].join() });
  return given && !given.includes(value) ? 0 : countOracle(all, { ...query, [field]: value });
}

test('the count of each facet value, range and filter is that of a search, which `exclude_own` makes without its own filter', async (t) => {
  const base = { city, listing_type: 'rent' };
  const known = await facetsOf(base);
  t.deepEqual(
    known.map(({ field }) => field),
    [...FACET_NAMES],
  );
  for (const { field, values, ranges } of known)
    t.is([...values, ...ranges].length > 0, field !== 'filters', `${field} has no listings`);
  let found = 0;
  const compareFacets = async (
    filters: Query,
    excludeOwn: boolean,
    where: 'city' | 'cities' | 'area',
  ): Promise<void> => {
    const query = latin({ ...placed(filters, where), listing_type: 'rent' });
    if (contradicts(query)) return;
    const facets = await facetsOf({ ...query, exclude_own: String(excludeOwn) });
    for (const [at, { field, values, ranges }] of known.entries()) {
      const counted = new Map(
        [...(facets[at]?.values ?? []), ...(facets[at]?.ranges ?? [])].map((each) => [nameOf(each), each.count]),
      );
      const removable = Object.keys(query).filter((name) => !/^(?:city|listing_type|radius_m)$/.test(name));
      const given = field === 'filters' ? removable.map((value) => ({ value })) : [];
      for (const each of [...values, ...ranges, ...given]) {
        const expected = countOf(query, excludeOwn, field, each);
        const count = counted.get(nameOf(each)) ?? 0;
        if (count !== expected) throw new Error(`${field} ${nameOf(each)}: ${count}, expected ${expected}`);
        found += count;
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(chosenFilters(4), fc.boolean(), fc.constantFrom('city', 'cities', 'area'), compareFacets),
    {
      numRuns: 30,
      seed: SEED,
      endOnFailure: false,
      examples: [false, true].flatMap((own): [Query, boolean, 'city' | 'cities' | 'area'][] => [
        [{ property_type: 'apartment', beds: '3' }, own, 'city'],
        [{ amenities: 'lift,parking' }, own, 'cities'],
        [{ price_min: '30000', price_max: '60000', area_max: '100' }, own, 'city'],
        [{ neighborhood_id: '1001,1028', neighborhood_id_exclude: '1028' }, own, 'cities'],
        [{ near: '24.7013,46.6987', radius_m: '50000' }, own, 'area'],
        [{ near_any: '24.7013,46.6987;24.6,46.6', radius_m: '4000' }, own, 'city'],
      ]),
    },
  );
  t.true(found > 1_000, `${found}`);
});

const nameOf = (each: { value: string } | { from: number }): string =>
  'value' in each ? each.value : `from ${each.from}`;

const PIECES =
  '" “ | || , - * ? ~2 AND NOT ( {"match_all":{}} \\ \u0000 ½ 😀 ـ في the 3-bedroom villa مسبح 1e9 NaN -0 ٣٫٥ 0x10 true null 2026-02-30T00:00:00Z 0000-01-01T00:00:00+23:59 9999999999999999999999 \ufeff';
const anyText = fc.oneof(
  fc.array(fc.constantFrom(' ', ...PIECES.split(' ')), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: codePoint, maxLength: 40 }),
);
const anyName = fc.constantFrom(
  ...filterRows().map(({ name }) => name),
  ...Array(8).fill('q'),
  'sort',
  'limit',
  'cursor',
);

test('any parameter value returns a page or an error that names the parameter', async (t) => {
  const seen = { ok: 0, refused: 0 };
  const check = async (name: string, text: string): Promise<void> => {
    const query = new URLSearchParams({ city, listing_type: 'rent', [name]: text });
    const { status, body } = await app.request(`/v1/listings?${query}`, { key });
    seen[status === 200 ? 'ok' : 'refused']++;
    if (status !== 200 && (status !== 400 || body.error.param !== name))
      throw new Error(`${status} ${JSON.stringify(body)}`);
  };
  // The most words that `q` accepts.
  const longest: [string, string] = ['q', 'غرفه '.repeat(30)];
  await fc.assert(fc.asyncProperty(anyName, anyText, check), { numRuns: 800, examples: [longest] });
  t.true(seen.ok > 20 && seen.refused > 20, JSON.stringify(seen));
});
