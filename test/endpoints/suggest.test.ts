import { Places } from '#domain/geography/reference.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../search/own-indexes.ts';

const YASMIN = 1002;
const PROJECT = 41;

const own = ownIndexes();
let app: TestApp;
let key: string;
const at = (lat: number, lng: number) => ({ city: 'riyadh', neighborhood_id: YASMIN, lat, lng });
test.before(async () => {
  app = await startTestApp({
    env: { INDEX_PREFIX: own.prefix, DATABASE_URL: await createDatabase('suggest'), UNCHARGED_CALLS_PER_MINUTE: '60' },
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
