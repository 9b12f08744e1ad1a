import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { toDocument } from '#domain/listings/document.ts';
import type { Listing } from '#domain/listings/listing.ts';
import { LISTING_TYPES } from '#domain/listings/vocabulary.ts';
import { filterRows } from '#queries/filters/table.ts';
import { SORT_NAMES } from '#queries/listings/sorts.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings } from '#test/factories.ts';
import { pagesOf } from '#test/pages.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { contradicts, countOracle, type Known, meaningOf, type Query, searchOracle } from './oracle.ts';
import { ALWAYS_GIVEN, chosenFilters, OWN_TEXTS, TEXTS } from './random-filters.ts';
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
let all: Known[];

test.before(async () => {
  app = await startTestApp({ overrides: { clock: { now: () => NOW, chargeTime: () => null } } });
  key = (await createOrganization(app.services)).key;
  const random = seeded(SEED);
  city = (await app.addCity({}, varied.ITS_NEIGHBORHOODS)).slug;
  const stored = varied.variedListings(city, LISTINGS, Math.floor(NOW / 60_000) * 60, random);
  const elsewhere = varied.variedListings((await app.addCity()).slug, 50, Math.floor(NOW / 60_000) * 60, random);
  await indexListings(app.services, [...stored, ...elsewhere]);
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
  const names = filterRows().map(({ name }) => name);
  for (const name of names) t.truthy(meaningOf(name), `test/queries/filters/oracle.ts has no meaning for ${name}`);
  t.deepEqual([...Object.keys(TEXTS), ...ALWAYS_GIVEN].sort(), [...names].sort());
  for (const name of Object.keys(OWN_TEXTS))
    t.true((names as string[]).includes(name), `${name} is no longer a filter`);
});

async function searchAll(query: Query, limit: number): Promise<Listing[]> {
  const rows: Listing[] = [];
  const parameters = new URLSearchParams({ ...query, limit: String(limit) });
  for await (const { body } of pagesOf(app, `/v1/listings?${parameters}`, key)) {
    rows.push(...body.data);
    if (body.data.length !== limit && body.pagination.has_more) throw new Error('a page before the last is incomplete');
  }
  return rows;
}

async function refused(query: Query): Promise<number> {
  const { sort: _, ...filters } = query;
  // A count has no order.
  const counts = contradicts(filters) ? [`/count?${new URLSearchParams(filters)}`] : [];
  for (const path of [`?${new URLSearchParams(query)}`, ...counts]) {
    const { status, text: answer, body } = await app.request(`/v1/listings${path}`, { key });
    if (status !== 400 || body.error.code !== 'invalid_value') throw new Error(`contradictory: ${status} ${answer}`);
  }
  return 0;
}

async function compare(query: Query, limit: number): Promise<number> {
  if (contradicts(query)) return refused(query);
  const expected = searchOracle(all, query);
  const found = await searchAll(query, limit);
  const ids = (listings: readonly Listing[]): string => listings.map(({ id }) => id).join(' ');
  if (ids(found) !== ids(expected.map(({ served }) => served))) {
    const wanted = new Set(expected.map(({ served }) => served.id));
    const got = new Set(found.map(({ id }) => id));
    const missing = expected.find(({ served }) => !got.has(served.id))?.served;
    const surplus = found.find(({ id }) => !wanted.has(id));
    throw new Error(
      `search differs from the oracle: ${found.length} rows, expected ${expected.length}\nmissing: ${JSON.stringify(missing)}\nsurplus: ${JSON.stringify(surplus)}`,
    );
  }
  const { sort: _, ...filters } = query;
  const counted = await app.request(`/v1/listings/count?${new URLSearchParams(filters)}`, { key });
  const total: number = counted.body.data.total;
  if (total !== countOracle(all, query)) throw new Error(`count ${total}, expected ${countOracle(all, query)}`);
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

test('random filters and sorts: all pages of a search and the count match the oracle', async (t) => {
  let rows = 0;
  await fc.assert(
    fc.asyncProperty(
      chosenFilters(6),
      fc.constantFrom(...LISTING_TYPES),
      fc.constantFrom(undefined, ...SORT_NAMES),
      fc.constantFrom(23, 50, 100),
      async (filters, listing_type, sort, limit) => {
        rows += await compare({ city, listing_type, ...filters, ...(sort ? { sort } : {}) }, limit);
      },
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: false },
  );
  t.log(`ORACLE_SEED=${SEED}: ${(rows / RUNS).toFixed(1)} rows per query`);
  t.true(rows > RUNS, 'most queries matched no listing');
});

test('every sort over a whole city matches the oracle at three page sizes', async (t) => {
  for (const sort of SORT_NAMES) {
    for (const listing_type of LISTING_TYPES) {
      const near: Query = sort === 'distance' ? { near: '24.7013,46.6987', radius_m: '50000' } : {};
      for (const limit of [7, 50, 100]) t.true((await compare({ city, listing_type, sort, ...near }, limit)) > 50);
    }
  }
});
