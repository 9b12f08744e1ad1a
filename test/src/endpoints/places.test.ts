import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outline } from '#domain/geography/boundaries.ts';
import { NEIGHBORHOODS } from '#domain/geography/gazetteer.ts';
import { Places } from '#domain/geography/reference.ts';
import { parseSentence } from '#domain/sentence/parse.ts';
import { filterParameters, sortParameter } from '#src/endpoints/listings/parameters.ts';
import { compileParameters } from '#src/http/parameters.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { featureOf, fileOf, square } from '#test/boundaries.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { folderOfFile } from '#test/temporary-folder.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../stores/opensearch/own-indexes.ts';

const SENTENCES = new URL('../../domain/sentence/sentences.jsonl', import.meta.url);
/** A name of eleven cities, and the neighborhood of Jeddah. */
const SHARED_NAME = 'الروضة';
const OF_JEDDAH = 2011;
const OF_RIYADH = 1035;
const YASMIN = 1002;
const PROJECT = 41;
const MALQA = 1001;

const file = join(folderOfFile(), 'boundaries.geojson');
const own = ownIndexes();
const at = (lat: number, lng: number) => ({ city: 'riyadh', neighborhood_id: YASMIN, lat, lng });

let app: TestApp;
let key: string;
test.before(async () => {
  await writeFile(file, fileOf(featureOf({ neighborhood_id: MALQA }, square(24.8, 46.6))));
  app = await startTestApp({
    env: { INDEX_PREFIX: own.prefix, DATABASE_URL: await createDatabase('places'), BOUNDARIES_FILE: file },
    overrides: { places: new Places() },
    indexes: ['projects', 'developers'],
  });
  key = (await createOrganization(app.services, { plan: 'free' })).key;
  await indexListings(app.services, [
    makeListing({ location: at(24.8, 46.6), compound_name: 'Palm Grove' }),
    makeListing({ location: at(24.9, 46.7), compound_name: 'palm grove' }),
    makeListing({ location: at(24.85, 46.65), project_id: PROJECT }),
  ]);
  const { projects, developers } = own.client.aliases;
  for (const [index, display] of [
    [projects, { id: PROJECT, name_en: 'Sedra Heights', name_ar: 'سدرة هايتس', location: { ...at(24.85, 46.65) } }],
    [developers, { id: 77, name_en: 'Roshn', name_ar: 'روشن', cities: [{ city: 'riyadh', project_count: 1 }] }],
  ] as const)
    await app.services.opensearch.index({ index, refresh: true, body: { display } });
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

test('a misspelled neighborhood is an alternative, and a year of construction an age by the current year', async (t) => {
  const { alternatives, not_understood } = await parse('villa for sale in Alyasmn Riyadh');
  t.like(alternatives[0], { words: 'Alyasmn', city: 'riyadh', neighborhood_id: YASMIN });
  t.is(not_understood[0].reason, 'ambiguous');
  const { filters } = await parse('villa built since 2020');
  t.is(filters.max_age, String(new Date(app.services.clock.now()).getUTCFullYear() - 2020));
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
  app.services.suggestions.clear();
  const after = await parse(q);
  t.like(after.filters, { city: 'jeddah', neighborhood_id: String(OF_JEDDAH) });
  t.is(after.alternatives.length, before.alternatives.length - 1, 'the other cities are still listed');
});

test('the filters of every labelled sentence are accepted by a search', async (t) => {
  const sentences = (await readFile(SENTENCES, 'utf8')).trim().split('\n');
  const decode = compileParameters([...filterParameters, sortParameter]);
  for (const { q } of sentences.map((line): { q: string } => JSON.parse(line))) {
    const { filters, sort } = parseSentence(q, { listingsOf: () => 1, year: 2026 });
    const query = new URLSearchParams({ city: 'riyadh', listing_type: 'rent', ...filters, ...(sort && { sort }) });
    t.deepEqual(decode(query, app.services.places).faults, [], q);
  }
});

test('places, compounds, projects and developers are suggested with their listings, at no cost', async (t) => {
  for (const [query, first] of [
    ['q=alyasmeen&limit=1', { kind: 'neighborhood', id: YASMIN, city: 'riyadh', listing_count: 3 }],
    ['q=palm gr', { kind: 'compound', id: null, city: 'riyadh', listing_count: 2 }],
    ['q=سدره هايتس', { kind: 'project', id: PROJECT, name_en: 'Sedra Heights', listing_count: 1 }],
    ['q=roshn', { kind: 'developer', id: 77, city: null, box: null }],
    ['q=الروضة&city=jeddah', { kind: 'neighborhood', city: 'jeddah' }],
  ] as const) {
    const { status, body, headers, text } = await app.request(`/v1/suggest?${encodeURI(query)}`, { key });
    t.is(status, 200, text);
    t.is(headers.get('x-request-units'), '0');
    t.like(body.data[0], first, query);
    if (query.includes('limit=1')) {
      t.is(body.data.length, 1);
      for (const [at, degrees] of [46.6, 24.8, 46.7, 24.9].entries())
        t.true(Math.abs(body.data[0].box[at] - degrees) < 1e-6);
    }
  }
  t.deepEqual((await app.request('/v1/suggest?q=roshn&city=jeddah', { key })).body.data, []);
});

test('boundaries come from the configured file, otherwise they are approximate, and they cost no units', async (t) => {
  const { status, body, headers } = await app.request('/v1/cities/riyadh/boundaries', { key });
  t.is(status, 200);
  t.is(headers.get('x-request-units'), '0');
  const features = body.data.features as Outline[];
  t.deepEqual(
    features.map(({ id }) => id).sort((a, b) => a - b),
    NEIGHBORHOODS.flatMap(({ id, city }) => (city === 'riyadh' ? [id] : [])).sort((a, b) => a - b),
  );
  for (const { id, properties } of features) t.is(properties.approximate, id !== MALQA);
  t.deepEqual(features.find(({ id }) => id === MALQA)?.geometry?.coordinates, [square(24.8, 46.6).coordinates]);
});
