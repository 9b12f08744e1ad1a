import { Places } from '#domain/geography/reference.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../search/own-indexes.ts';

const YASMIN = 1002;
const PROJECT = 41;
const DEVELOPER = 77;

const own = ownIndexes();

const places = new Places();
let app: TestApp;
let key: string;
const at = (lat: number, lng: number) => ({ city: 'riyadh', neighborhood_id: YASMIN, lat, lng });
const names = own.client.aliases;
const put = (index: string, display: object) =>
  app.services.opensearch.index({ index, refresh: true, body: { display } });
test.before(async () => {
  app = await startTestApp({
    env: { INDEX_PREFIX: own.prefix, DATABASE_URL: await createDatabase('suggest'), UNCHARGED_CALLS_PER_MINUTE: '60' },
    overrides: { places },
    indexes: ['projects', 'developers'],
  });
  key = (await createOrganization(app.services)).key;
  await indexListings(app.services, [
    makeListing({ location: at(24.8, 46.6), compound_name: 'Palm Grove' }),
    makeListing({ location: at(24.9, 46.7), compound_name: 'palm grove' }),
    makeListing({ location: at(24.85, 46.65), project_id: PROJECT }),
  ]);
  await put(names.projects, {
    id: PROJECT,
    name_en: 'Sedra Heights',
    name_ar: 'سدرة هايتس',
    location: { city: 'riyadh', lat: 24.85, lng: 46.65 },
  });
  await put(names.developers, {
    id: DEVELOPER,
    name_en: 'Roshn',
    name_ar: 'روشن',
    cities: [{ city: 'riyadh', project_count: 1 }],
  });
});
test.after(async () => {
  await app.close();
  await own.remove();
});

const suggest = (query: Readonly<Record<string, string>>) =>
  app.request(`/v1/suggest?${new URLSearchParams(query)}`, { key });

test('a neighborhood is suggested with the number and the bounding box of its listings, at no cost', async (t) => {
  const { status, body, headers, text } = await suggest({ q: 'alyasmeen', limit: '1' });
  t.is(status, 200, text);
  t.is(headers.get('x-request-units'), '0');
  const { box, ...rest } = body.data[0];
  t.is(body.data.length, 1);
  t.like(rest, { kind: 'neighborhood', id: YASMIN, city: 'riyadh', name_ar: 'الياسمين', listing_count: 3 });
  const expected = [46.6, 24.8, 46.7, 24.9];
  for (const [at, degrees] of expected.entries()) t.true(Math.abs(box[at] - degrees) < 1e-6);
});

test('compounds, projects and developers are suggested on a plan without the scope of projects', async (t) => {
  const first = async (q: string) => (await suggest({ q })).body.data[0];
  t.like(await first('palm gr'), { kind: 'compound', id: null, city: 'riyadh', listing_count: 2 });
  t.like(await first('سدره هايتس'), { kind: 'project', id: PROJECT, name_en: 'Sedra Heights', listing_count: 1 });
  t.like(await first('roshn'), { kind: 'developer', id: DEVELOPER, city: null, box: null });
  t.like(await first('Heights'), { kind: 'project', id: PROJECT });
});

test('the `city` parameter restricts suggestions to a city, and an unknown city is refused', async (t) => {
  t.like((await suggest({ q: 'الروضة', city: 'jeddah' })).body.data[0], { kind: 'neighborhood', city: 'jeddah' });
  t.deepEqual((await suggest({ q: 'roshn', city: 'jeddah' })).body.data, []);
  const { status, body } = await suggest({ q: 'roshn', city: 'atlantis' });
  t.is(status, 404);
  t.like(body.error, { code: 'city_not_found', param: 'city' });
});
