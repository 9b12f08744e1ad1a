import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { FACET_NAMES } from '#queries/listings/facets.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings } from '#test/factories.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { contradicts, type Query } from '../../queries/filters/oracle.ts';
import { chosenFilters } from '../../queries/filters/random-filters.ts';
import * as varied from '../../queries/filters/varied-city.ts';

/** Set ORACLE_SEED to the seed of a failure to repeat it. */
const SEED = Number(process.env.ORACLE_SEED ?? randomInt(2 ** 31));
const NOW = Date.parse('2026-06-01T12:00:37Z');
const RUNS = 15;
/** Number of buckets of a facet that are compared with a count. */
const SAMPLED = 2;
/** Facets whose value is added to the given ones. */
const ADDED = ['amenities'];
const RANGES = ['price', 'area'];

const OWN_FILTERS: readonly Query[] = [
  { property_type: 'apartment', beds: '3' },
  { amenities: 'lift,parking' },
  { price_min: '30000', price_max: '60000', area_max: '100' },
  { neighborhood_id: '1001,1028', neighborhood_id_exclude: '1028' },
];
const EXAMPLES = OWN_FILTERS.flatMap((query) => [false, true].map((own): [Query, boolean] => [query, own]));

const random = seeded(SEED);

let app: TestApp;
let key: string;
let city: string;
const hour = Math.floor(NOW / 60_000) * 60;
let elsewhere: string;
test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services, { columns: { units_per_minute: 1e6, units_per_month: 1e6 } })).key;
  city = (await app.addCity({}, varied.ITS_NEIGHBORHOODS)).slug;
  elsewhere = (await app.addCity()).slug;
  await indexListings(app.services, [
    ...varied.variedListings(city, 600, hour, random),
    ...varied.variedListings(elsewhere, 50, hour, random),
  ]);
});
test.after(() => app.close());

interface Facet {
  field: string;
  values: { value: string; count: number }[];
  ranges: { from: number; to: number | null; count: number }[];
}

const request = (path: string, query: Query) =>
  app.request(`/v1/listings/${path}?${new URLSearchParams({ listing_type: 'rent', ...query })}`, { key });

async function count(query: Query): Promise<number> {
  const { status, text, body } = await request('count', query);
  if (status !== 200) throw new Error(text);
  return body.data.total;
}

async function facets(query: Query): Promise<{ total: number; facets: Facet[] }> {
  const found: Facet[] = [];
  let total = 0;
  for (const fields of [FACET_NAMES.slice(0, 9), FACET_NAMES.slice(9)]) {
    const { status, text, body } = await request('facets', { ...query, fields: fields.join(',') });
    if (status !== 200) throw new Error(text);
    total = body.data.total;
    found.push(...body.data.facets);
  }
  return { total, facets: found };
}

const some = <T>(values: readonly T[]): T[] =>
  [...values]
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, SAMPLED)
    .map(({ value }) => value);

const omit = (query: Query, ...names: readonly string[]): Query =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)));

/** Counts the listings in a range as the difference of two searches, because the upper border is exclusive. */
async function countRange(query: Query, field: string, { from, to }: Facet['ranges'][number]): Promise<number> {
  const most = Number(query[`${field}_max`] ?? Number.POSITIVE_INFINITY);
  const countFrom = async (border: number): Promise<number> => {
    const least = Math.max(border, Number(query[`${field}_min`] ?? 0));
    return least > most ? 0 : count({ ...query, [`${field}_min`]: String(least) });
  };
  return (await countFrom(from)) - (to === null ? 0 : await countFrom(to));
}

const latin = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, text]) => [
      name,
      name === 'q' ? text : text.replace(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit))),
    ]),
  );

/** Compares sampled buckets of all facets with counts. Returns the number of compared buckets with listings. */
async function compare(filters: Query, excludeOwn: boolean, known: ReadonlyMap<string, Facet>): Promise<number> {
  const query = latin({ city, ...filters });
  if (contradicts(query)) return 0;
  let compared = 0;
  const expect = (expected: number, found: number, what: string): void => {
    if (expected !== found) throw new Error(`${what}: ${found}, expected ${expected}`);
    if (found > 0) compared++;
  };
  const answer = await facets({ ...query, exclude_own: String(excludeOwn) });
  expect(await count(query), answer.total, 'total');
  for (const { field, values, ranges } of answer.facets) {
    if (RANGES.includes(field)) {
      const others = excludeOwn ? omit(query, `${field}_min`, `${field}_max`) : query;
      const all = known.get(field)?.ranges ?? [];
      // Filters of the field itself are the ones that `exclude_own` must ignore.
      for (const range of Object.keys(others).length === Object.keys(query).length ? some(all) : all) {
        const found = ranges.find(({ from }) => from === range.from)?.count ?? 0;
        expect(await countRange(others, field, range), found, `${field} from ${range.from}`);
      }
      continue;
    }
    const own = excludeOwn ? undefined : query[field];
    const given = own?.split(',');
    for (const { value } of some(known.get(field)?.values ?? [])) {
      const found = values.find((each) => each.value === value)?.count ?? 0;
      const isAdded = ADDED.includes(field) && given !== undefined;
      const wanted = isAdded ? [...given, value].join(',') : value;
      const isExcluded = !isAdded && given !== undefined && !given.includes(value);
      expect(isExcluded ? 0 : await count({ ...query, [field]: wanted }), found, `${field}=${value}`);
    }
  }
  return compared;
}

test('the count of each facet value and range equals the count of a search, which `exclude_own` makes without its own filter', async (t) => {
  const all = await facets({ city });
  const known = new Map(all.facets.map((facet) => [facet.field, facet]));
  t.deepEqual([...known.keys()], [...FACET_NAMES]);
  for (const [field, { values, ranges }] of known) {
    t.true((RANGES.includes(field) ? ranges : values).length > 0, `${field} has no listings`);
    const counts = values.map((each) => each.count);
    t.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a),
      `${field}: most frequent first`,
    );
  }
  let compared = await compare({}, false, known);
  await fc.assert(
    fc.asyncProperty(chosenFilters(4), fc.boolean(), async (filters, excludeOwn) => {
      compared += await compare(filters, excludeOwn, known);
    }),
    { numRuns: RUNS + EXAMPLES.length, seed: SEED, endOnFailure: false, examples: EXAMPLES },
  );
  t.log(`ORACLE_SEED=${SEED}: ${compared} buckets with listings`);
  t.true(compared > 5 * RUNS);
});
