import { randomBytes } from 'node:crypto';
import { generateKey } from '#accounts/keys.ts';
import { createSearchEngine, type SearchEngine } from '#search/read-engine.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { testConfig } from '#test/env.ts';
import { eventually } from '#test/eventually.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';

/** Wraps the real engine and counts the pooled responses that it returns and that are freed. */
function watch(engine: SearchEngine) {
  const seen = { lent: 0, freed: 0 };
  const search: SearchEngine = {
    ...engine,
    searchPooled: async (...asked) => {
      seen.lent++;
      const answer = await engine.searchPooled(...asked);
      let freed = false;
      return {
        bytes: answer.bytes,
        free: () => {
          if (!freed) seen.freed++;
          freed = true;
          answer.free();
        },
      };
    },
  };
  return { search, seen };
}

/** Waits until all responses are freed, because a refused call does not wait for its prefetched search. */
const allFreed = () => eventually(() => seen.freed === seen.lent);

const { search, seen } = watch(createSearchEngine({ ...testConfig().opensearch, timeout: 5_000, connections: 4 }));
let app: TestApp;
test.before(async () => {
  app = await startTestApp({ overrides: { search } });
});
test.after(() => app.close());

test('a search is prefetched before the charge only for a recently admitted key', async (t) => {
  const { slug } = await app.addCity();
  await indexListings(app.services, [makeListing({ location: { city: slug } })]);
  const { key } = await createOrganization(app.services, { plan: 'starter' });
  const path = `/v1/listings?city=${slug}&listing_type=rent`;
  const lentBy = async (target: string, of: string, status: number): Promise<number> => {
    const before = seen.lent;
    t.is((await app.request(target, { key: of })).status, status);
    return seen.lent - before;
  };
  const stranger = generateKey('live', randomBytes);
  t.is(await lentBy(path, stranger, 401), 0);
  const other = await createOrganization(app.services, { plan: 'starter' });
  t.is(await lentBy(`${path}&limit=80`, other.key, 400), 0, 'more rows than the plan has');
  t.is(await lentBy(path, key, 200), 1);
  t.is(await lentBy(path, key, 200), 1, 'searched once, although before the charge');
  t.is(await lentBy(`${path}&limit=80`, key, 400), 1, 'searched for a call that is then refused');
  t.is(await lentBy(`${path}&limit=80`, key, 400), 0, 'not again');
  t.is(await lentBy(`${path}&cursor=nonsense`, key, 400), 0);
  await t.notThrowsAsync(allFreed());
});

test('a burst over the rate limit causes at most one more search than charged calls', async (t) => {
  const { slug } = await app.addCity();
  const { key } = await createOrganization(app.services, { columns: { units_per_minute: 31 } });
  const path = `/v1/listings?city=${slug}&listing_type=rent`;
  t.is((await app.request(path, { key })).status, 200);
  const before = seen.lent;
  const answers = await Promise.all(Array.from({ length: 200 }, () => app.request(path, { key })));
  t.is(answers.filter(({ status }) => status === 200).length, 30);
  t.true(seen.lent - before <= 31, `${seen.lent - before} searches`);
  await t.notThrowsAsync(allFreed());
});

test('the memory of prefetched responses that are not used is freed', async (t) => {
  const { slug } = await app.addCity();
  const listings = Array.from({ length: 3 }, () => makeListing({ location: { city: slug } }));
  await indexListings(app.services, listings);
  const { key } = await createOrganization(app.services, { plan: 'starter' });
  const path = `/v1/listings?city=${slug}&listing_type=rent&limit=1`;
  const first = await app.request(path, { key });
  const { next_cursor: cursor } = JSON.parse(first.text).pagination as { next_cursor: string };
  // The service can detect a cursor for another query only after it has identified the caller.
  for (let call = 0; call < 20; call++)
    t.is((await app.request(`${path}&beds=1&cursor=${cursor}`, { key })).status, 400);
  await t.notThrowsAsync(allFreed());
});
