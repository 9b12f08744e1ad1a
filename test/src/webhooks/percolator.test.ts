import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { GeoPolygon } from '#domain/geography/shapes.ts';
import { toDocument } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { type FilterValues, filterRows } from '#queries/filters/table.ts';
import { filterParameters } from '#src/endpoints/listings/parameters.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { percolate, type Subscription, syncSubscriptions } from '#stores/opensearch/derived-index/percolator.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { removeIndexes } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { pull } from '#test/market.ts';
import { seeded } from '#test/random.ts';
import { test } from '#test/test.ts';
import { contradicts, type Query } from '../../queries/filters/oracle.ts';
import { chosenFilters } from '../../queries/filters/random-filters.ts';
import * as varied from '../../queries/filters/varied-city.ts';

const SEED = Number(process.env.ORACLE_SEED ?? randomInt(2 ** 31));
const LISTINGS = 300;
const SUBSCRIPTIONS = 200;
const NOW = Date.parse('2026-06-01T12:00:37Z');

const prefix = `${process.env.INDEX_PREFIX ?? ''}percolator_`;
let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({
    env: { INDEX_PREFIX: prefix },
    indexes: ['webhooks'],
    overrides: { clock: { now: () => NOW, chargeTime: () => null } },
  });
  key = (await createOrganization(app.services)).key;
});
test.after(async () => {
  await app.close();
  await removeIndexes(prefix);
});

/** Converts `lat,lng;lat,lng;...` to a GeoJSON Polygon. */
function geoJson(text: string): GeoPolygon {
  const ring = text.split(';').map((point) => point.split(',').map(Number).reverse());
  return { type: 'Polygon', coordinates: [[...ring, ring[0] as number[]]] };
}

/** Replaces the subscriptions in the index. */
const keep = (subscriptions: readonly Subscription[]) =>
  syncSubscriptions(app.services.opensearch, {
    filled: null,
    recordIntent: async () => {},
    async *read() {
      yield subscriptions;
    },
    count: async () => subscriptions.length,
  });

const match = (stored: readonly StoredListing[]) =>
  percolate(app.services.opensearch, stored.map(toDocument), null, 10_000);

test('a subscription matches names, numbers and negations as a search does, but without typo tolerance', async (t) => {
  const texts = ['شقة في حي الياسمين شارع عشرين بدون مصعد', 'Flat in Al Yasmeen, elevator'];
  const queries = ['yasmin', 'الياسمين 20', 'مصعد', 'بدون مصعد', 'elevater'];
  await keep(queries.map((q, at) => ({ number: at + 1, filters: { q } })));
  const matches = await match(texts.map((description, at) => makeListing({ id: at + 1, title: null, description })));
  t.deepEqual(
    matches.map((numbers) => numbers.map((number) => queries[number - 1])),
    [
      ['yasmin', 'الياسمين 20', 'بدون مصعد'],
      ['yasmin', 'مصعد'],
    ],
  );
});

test('a listing matches a subscription exactly when a search with the same filters returns it', async (t) => {
  const random = seeded(SEED);
  const [city, other] = [(await app.addCity({}, varied.ITS_NEIGHBORHOODS)).slug, (await app.addCity()).slug];
  const seconds = Math.floor(NOW / 60_000) * 60;
  const stored = [
    ...varied.variedListings(city, LISTINGS, seconds, random),
    ...varied.variedListings(other, 50, seconds, random),
  ];
  await indexListings(app.services, stored);
  const timely = filterRows().flatMap(({ name, changesWithTime }) => (changesWithTime ? [name] : []));
  const queries = fc
    .sample(chosenFilters(5), { numRuns: SUBSCRIPTIONS * 2, seed: SEED })
    .map((query): Query => ({ ...query, city, listing_type: random() < 0.5 ? 'rent' : 'sale' }))
    .filter((query) => !contradicts(query) && !timely.some((name) => name in query))
    .slice(0, SUBSCRIPTIONS);
  const decode = compileParameters(filterParameters);
  const subscriptions = queries.map((query, index): Subscription => {
    const { values, faults } = decode(query as Record<string, string>, app.services.places);
    if (faults.length > 0) throw new Error(JSON.stringify({ query, faults }));
    const { polygon, ...others } = values as FilterValues;
    const shape = polygon === undefined ? {} : { polygon: geoJson(polygon) };
    return {
      number: index + 1,
      filters: { ...others, ...shape, city: [city], listing_type: [query.listing_type as string] },
    };
  });
  await keep(subscriptions);
  const matches = new Map<number, number[]>();
  for (let at = 0; at < stored.length; at += 200) {
    const part = stored.slice(at, at + 200);
    for (const [index, numbers] of (await match(part)).entries())
      for (const number of numbers)
        matches.set(number, [...(matches.get(number) ?? []), part[index]?.display.id as number]);
  }
  let rows = 0;
  for (const [index, query] of queries.entries()) {
    const found = (await pull(app, key, query as Record<string, string>)).map(({ id }) => id).sort((a, b) => a - b);
    const matched = (matches.get(index + 1) ?? []).sort((a, b) => a - b);
    t.deepEqual(matched, found, `ORACLE_SEED=${SEED} ${JSON.stringify(query)}`);
    rows += found.length;
  }
  t.log(`ORACLE_SEED=${SEED}: ${queries.length} subscriptions, ${rows} matches`);
  t.true(rows > SUBSCRIPTIONS);
});
