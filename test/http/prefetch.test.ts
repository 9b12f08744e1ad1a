import { randomBytes } from 'node:crypto';
import { generateKey } from '#accounts/keys.ts';
import { createSearchEngine, type SearchEngine } from '#search/read-engine.ts';
import { startTestApp } from '#test/app.ts';
import { testConfig } from '#test/env.ts';
import { createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { test } from '#test/serial.ts';

/** Wraps the real engine and counts the searches. */
function watch(engine: SearchEngine) {
  const seen = { lent: 0 };
  const search: SearchEngine = {
    ...engine,
    search: <T>(...asked: Parameters<SearchEngine['search']>) => {
      // A page takes one search for digests, and possibly another for listings that are not cached.
      if (asked[1].stored_fields === '_none_') seen.lent++;
      return engine.search<T>(...asked);
    },
  };
  return { search, seen };
}

const { search, seen } = watch(createSearchEngine({ ...testConfig().opensearch, timeout: 5_000, connections: 4 }));
const app = await startTestApp({ overrides: { search } });
test.after.always(app.close);

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
});
