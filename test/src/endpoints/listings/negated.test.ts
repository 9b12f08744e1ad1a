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
