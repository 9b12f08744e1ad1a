import { endpoints } from '#src/endpoints/index.ts';
import { filterParameters } from '#src/endpoints/listings/parameters.ts';
import { sharedApp, type TestApp } from '#test/app.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

let app: TestApp;
let key: string;
let city: string;
test.before(async () => {
  app = await sharedApp();
  key = (await createOrganization(app.services)).key;
  city = (await app.addCity()).slug;
  const texts = ['شقة بدون عمولة', 'apartment without commission and no pool', 'شقة مع مصعد', 'شقة'];
  await indexListings(
    app.services,
    texts.map((description) => makeListing({ description, location: { city } })),
  );
});

interface Hint {
  data: unknown[] & { total: number; negated_words?: string[] };
  pagination: { negated_words?: string[] };
}

async function hintsOf(q: string): Promise<[found: number, search: unknown, count: unknown]> {
  const query = new URLSearchParams({ listing_type: 'rent', city, q });
  const search = (await app.request(`/v1/listings?${query}`, { key })).body as unknown as Hint;
  const count = (await app.request(`/v1/listings/count?${query}`, { key })).body as unknown as Hint;
  return [count.data.total, search.pagination.negated_words, count.data.negated_words];
}

test('an empty result names the words that listings mention only as absent, and no other result does', async (t) => {
  t.deepEqual(await hintsOf('عمولة'), [0, ['عموله'], ['عموله']]);
  t.deepEqual(await hintsOf('commission pool'), [0, ['commission', 'pool'], ['commission', 'pool']]);
  t.deepEqual(await hintsOf('مصعد commission'), [0, ['commission'], ['commission']]);
  t.deepEqual(await hintsOf('بدون عمولة'), [2, undefined, undefined]);
  t.deepEqual(await hintsOf('مصعد'), [1, undefined, undefined]);
  t.deepEqual(await hintsOf('jacuzzi'), [0, undefined, undefined]);
  t.deepEqual(await hintsOf('"عمولة كاملة"'), [0, undefined, undefined]);
});

/** With the location of the listings. */
const BOX = '46.6,24.6,46.8,24.8';
const ZOOM = '12';
const TEXT_FILTER = filterParameters.find(({ name }) => name === 'q');
const searches = endpoints.filter(({ parameters }) => parameters.some((each) => each === TEXT_FILTER));

for (const { operationId, path, parameters } of searches) {
  test(`${operationId} names negated words`, async (t) => {
    const required = parameters.filter(({ required }) => required).map(({ name, example }) => [name, `${example}`]);
    const hint = async (q: string) => {
      const query = new URLSearchParams({ ...Object.fromEntries(required), listing_type: 'rent', city, q });
      if (query.has('zoom'))
        for (const [name, value] of Object.entries({ bbox: BOX, zoom: ZOOM })) query.set(name, value);
      const { status, body } = await app.request(`${path}?${query}`, { key });
      t.is(status, 200, JSON.stringify(body));
      const { data, pagination } = body as unknown as Hint;
      return data.negated_words ?? pagination?.negated_words;
    };
    t.deepEqual(await hint('commission pool'), ['commission', 'pool']);
    t.is(await hint('مصعد'), undefined);
  });
}

test('searches, counts, facets and maps are the operations with `q` among their filters', (t) => {
  const names = searches.map(({ operationId }) => operationId);
  t.deepEqual(names.sort(), ['countListings', 'listFacets', 'mapListings', 'searchListings']);
});
