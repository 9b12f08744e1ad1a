import { readFile } from 'node:fs/promises';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import type { Neighborhood } from '#domain/geography/places.ts';
import { Places } from '#domain/geography/reference.ts';
import { parseSentence } from '#domain/sentence/parse.ts';
import { filterParameters, sortParameter } from '#endpoints/listings/parameters.ts';
import { compileParameters } from '#http/parameters.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../search/own-indexes.ts';

const QUOTA = { units_per_minute: 1_000_000, units_per_month: 1_000_000 };
const SENTENCES = new URL('../../domain/sentence/sentences.jsonl', import.meta.url);
/** A name of eleven cities, and the neighborhood of Jeddah. */
const SHARED_NAME = 'الروضة';
const OF_JEDDAH = 2011;
const OF_RIYADH = 1035;

const own = ownIndexes();

const places = new Places();
let app: TestApp;
let key: string;
test.before(async () => {
  app = await startTestApp({
    env: {
      INDEX_PREFIX: own.prefix,
      DATABASE_URL: await createDatabase('parse'),
      UNCHARGED_CALLS_PER_MINUTE: '100000',
    },
    overrides: { places },
  });
  key = (await createOrganization(app.services, { columns: QUOTA })).key;
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
  const { filters, sort, understood, not_understood, missing, search_url } = response.body.data;
  t.like(filters, { city: 'riyadh', listing_type: 'sale', property_type: 'villa', price_min: '2250000' });
  t.is(sort, 'price_asc');
  t.deepEqual(missing, []);
  for (const { words, start, end } of [...understood, ...not_understood]) t.is(q.slice(start, end), words);
  t.deepEqual(
    not_understood.map(({ words }: { words: string }) => words),
    ['مطلة على البحر'],
  );
  const { pathname, search, searchParams } = new URL(search_url);
  t.deepEqual(Object.fromEntries(searchParams), { ...filters, sort });
  t.is((await app.request(`${pathname}${search}`, { key })).status, 200);
});

test('search_url is null if the sentence lacks a required filter', async (t) => {
  t.like(await parse('شقة بالرياض'), { missing: ['listing_type'], search_url: null });
  t.like(await parse('zzzz qqqq'), { filters: {}, missing: ['city', 'listing_type'], search_url: null });
});

test('a neighborhood name that exists in several cities selects the city with 90% of its listings', async (t) => {
  const q = `شقة للإيجار في حي ${SHARED_NAME}`;
  const before = await parse(q);
  t.is(before.filters.city, undefined);
  t.is(before.search_url, null);
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

test('a search near a neighborhood without a known center uses the center of its listings', async (t) => {
  const { id, name_ar, city } = NEIGHBORHOODS.find(
    (each) => each.center === null && NEIGHBORHOODS.filter(({ name_ar }) => name_ar === each.name_ar).length === 1,
  ) as Neighborhood;
  const q = `شقة قريبة من حي ${name_ar}`;
  app.services.neighborhoodCounts.clear();
  t.is((await parse(q)).filters.near, undefined);
  await indexListings(
    app.services,
    [24.1, 24.3].map((lat) => makeListing({ location: { city, neighborhood_id: id, lat, lng: 46.5 } })),
  );
  app.services.neighborhoodCounts.clear();
  t.like((await parse(q)).filters, { near: '24.2,46.5', radius_m: '2000' });
});

test('the filters of every labelled sentence are accepted by a search', async (t) => {
  const sentences = (await readFile(SENTENCES, 'utf8')).trim().split('\n');
  const decode = compileParameters([...filterParameters, sortParameter]);
  for (const { q } of sentences.map((line): { q: string } => JSON.parse(line))) {
    const { filters, sort } = parseSentence(q, { listingsOf: () => 1 });
    const query = new URLSearchParams({ city: 'riyadh', listing_type: 'rent', ...filters, ...(sort && { sort }) });
    t.deepEqual(decode(query, places).faults, [], q);
  }
});
