import { readFile } from 'node:fs/promises';
import { Places } from '#domain/geography/reference.ts';
import { parseSentence } from '#domain/sentence/parse.ts';
import { filterParameters, sortParameter } from '#endpoints/listings/parameters.ts';
import { compileParameters } from '#http/parameters.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../search/own-indexes.ts';

const SENTENCES = new URL('../../domain/sentence/sentences.jsonl', import.meta.url);
/** A name of eleven cities, and the neighborhood of Jeddah. */
const SHARED_NAME = 'الروضة';
const OF_JEDDAH = 2011;
const OF_RIYADH = 1035;

const own = ownIndexes();

let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({
    env: { INDEX_PREFIX: own.prefix, DATABASE_URL: await createDatabase('parse') },
    overrides: { places: new Places() },
  });
  key = (await createOrganization(app.services)).key;
});
test.after(async () => {
  await app.close();
  await own.remove();
});

const parse = async (q: string) => {
  const { status, body, text } = await app.request(`/v1/listings/parse?${new URLSearchParams({ q })}`, { key });
  if (status !== 200) throw new Error(text);
  return body.data;
};

test('parsing a sentence costs no units, and search_url is a search with the returned filters', async (t) => {
  const q = 'فيلا للبيع في الياسمين بالرياض بحدود مليونين ونص مطلة على البحر الأرخص';
  const response = await app.request(`/v1/listings/parse?${new URLSearchParams({ q })}`, { key });
  t.is(response.headers.get('x-request-units'), '0');
  const { filters, sort, understood, not_understood, search_url } = response.body.data;
  t.like(filters, { city: 'riyadh', listing_type: 'sale', property_type: 'villa', price_min: '2250000' });
  t.is(sort, 'price_asc');
  for (const { words, start, end } of [...understood, ...not_understood]) t.is(q.slice(start, end), words);
  t.is(not_understood[0].words, 'مطلة على البحر');
  const { pathname, search, searchParams } = new URL(search_url);
  t.deepEqual(Object.fromEntries(searchParams), { ...filters, sort });
  t.is((await app.request(`${pathname}${search}`, { key })).status, 200);
});

test('a neighborhood name that exists in several cities selects the city with 90% of its listings', async (t) => {
  const q = `شقة للإيجار في حي ${SHARED_NAME}`;
  const before = await parse(q);
  t.like(before, { search_url: null, missing: ['city'] });
  t.true(before.alternatives.length > 5);

  const make = (city: string, neighborhood_id: number) => makeListing({ location: { city, neighborhood_id } });
  await indexListings(app.services, [
    ...Array.from({ length: 18 }, () => make('jeddah', OF_JEDDAH)),
    make('riyadh', OF_RIYADH),
  ]);
  app.services.neighborhoodCounts.clear();
  const after = await parse(q);
  t.like(after.filters, { city: 'jeddah', neighborhood_id: String(OF_JEDDAH) });
  t.is(after.alternatives.length, before.alternatives.length - 1, 'the other cities are still listed');
});

test('the filters of every labelled sentence are accepted by a search', async (t) => {
  const sentences = (await readFile(SENTENCES, 'utf8')).trim().split('\n');
  const decode = compileParameters([...filterParameters, sortParameter]);
  for (const { q } of sentences.map((line): { q: string } => JSON.parse(line))) {
    const { filters, sort } = parseSentence(q, { listingsOf: () => 1 });
    const query = new URLSearchParams({ city: 'riyadh', listing_type: 'rent', ...filters, ...(sort && { sort }) });
    t.deepEqual(decode(query, app.services.places).faults, [], q);
  }
});
