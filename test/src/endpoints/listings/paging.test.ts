import type { StoredListing } from '#domain/listings/listing.ts';
import { openListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
import { pagesOf } from '#test/pages.ts';
import { test } from '#test/test.ts';

const SAME_TIME = 1_000;
const FIRST_SEEN = Math.floor(Date.now() / 1000) - 5 * 86_400;
/** High rate limits, because each test sends many requests. Page size and paging depth are those of the plan. */
const ROOM = { units_per_minute: 1_000_000, units_per_month: 1_000_000 };

let app: TestApp;
let key: string;
/** A city of listings with equal timestamps and ascending ids. */
let crowded: string;
let listings: StoredListing[];
let ids: number[];
test.before(async () => {
  app = await startTestApp();
  key = (await createOrganization(app.services)).key;
  crowded = (await app.addCity()).slug;
  listings = Array.from({ length: SAME_TIME }, () =>
    makeListing({ location: { city: crowded } }, { first_seen: FIRST_SEEN }),
  );
  ids = listings.map(({ display }) => display.id).sort((a, b) => a - b);
  await indexListings(app.services, listings);
});
test.after(() => app.close());

type Query = Readonly<Record<string, string>>;
const search = (query: Query, asKey = key): Promise<TestResponse> =>
  app.request(`/v1/listings?${new URLSearchParams({ listing_type: 'rent', ...query })}`, { key: asKey });
const idsOf = ({ body }: TestResponse): number[] => body.data.map(({ id }: { id: number }) => id);

test('listings added or removed while a client pages do not repeat or hide other listings', async (t) => {
  for (const sort of ['newest', 'price_asc']) {
    const city = (await app.addCity()).slug;
    const make = (minute: number): StoredListing =>
      makeListing(
        { location: { city }, price: { yearly_sar: 40_000 + Math.floor(minute / 3) } },
        { first_seen: FIRST_SEEN + Math.floor(minute / 4) * 60 },
      );
    const listings = Array.from({ length: 200 }, (_, minute) => make(minute));
    await indexListings(app.services, listings);
    const pages = () => pagesOf(app, `/v1/listings?city=${city}&listing_type=rent&sort=${sort}&limit=20`, key);
    const order: number[] = [];
    for await (const page of pages()) order.push(...idsOf(page));
    t.is(order.length, 200);
    const index = await openListingIndex(app.services.opensearch);
    const gone = new Set<number>();
    const walked: number[] = [];
    let number = 0;
    for await (const page of pages()) {
      walked.push(...idsOf(page));
      if (++number >= 15) continue;
      // Removes listings before and after the current position, and adds listings everywhere.
      const ahead = order[Math.max(...walked.map((id) => order.indexOf(id))) + 4];
      if (ahead !== undefined) gone.add(ahead);
      const removed = [idsOf(page)[0] as number, ...(ahead === undefined ? [] : [ahead])];
      const added = [make(number * 20), make(199), make(0)];
      await index.bulk([
        ...removed.map((id) => ({ op: 'delete' as const, id, version: 2 })),
        ...added.map((stored) => ({ op: 'index' as const, id: stored.display.id, version: 1, stored })),
      ]);
      await index.refresh();
    }
    t.true(number > 5);
    t.is(new Set(walked).size, walked.length, `${sort}: a listing was repeated`);
    t.deepEqual(
      walked.filter((id) => order.includes(id)),
      order.filter((id) => !gone.has(id)),
      `${sort}: a listing that was there all along was skipped`,
    );
  }
});

test('a cursor is valid only for its filters, sort and organization, but for any limit', async (t) => {
  const query: Query = { city: crowded, sort: 'price_asc', beds: '3' };
  const { next_cursor: cursor } = (await search({ ...query, limit: '10' })).body.pagination;
  const other = await createOrganization(app.services);
  const { beds: _, ...without } = query;
  const changes: [Query, string?][] = [
    [{ ...query, beds: '2,3' }],
    [{ ...query, sort: 'newest' }],
    [without],
    [query, other.key],
  ];
  for (const [changed, asKey] of changes) {
    const { body } = await search({ ...changed, cursor }, asKey);
    t.like(body.error, { code: 'invalid_cursor', param: 'cursor' }, JSON.stringify(changed));
  }
  const [short, long] = [
    await search({ ...query, limit: '3', cursor }),
    await search({ cursor, ...query, limit: '37' }),
  ];
  t.deepEqual([short.body.data.length, long.body.data.length], [3, 37]);
  t.deepEqual(idsOf(short), idsOf(long).slice(0, 3));
});

test('a test key reaches a paging depth of exactly 250 rows', async (t) => {
  const { id, key: live } = await createOrganization(app.services, { plan: 'pro', columns: ROOM });
  const asKey = await createKey(app.services, id, { kind: 'test' });
  const tooMany = (await search({ city: crowded, limit: '26' }, asKey)).body.error;
  t.like(tooMany, { code: 'invalid_value', param: 'limit' });
  const limit = '25';
  let cursor = '';
  const seen: number[] = [];
  while (seen.length < 250) {
    const page: TestResponse = await search({ city: crowded, limit, ...(cursor ? { cursor } : {}) }, asKey);
    t.is(page.status, 200, page.text);
    seen.push(...idsOf(page));
    const { has_more, next_cursor, result_window_reached } = page.body.pagination;
    const ends = seen.length === 250;
    t.deepEqual([has_more, next_cursor === null, result_window_reached], [!ends, ends, ends]);
    cursor = next_cursor;
  }
  t.deepEqual(seen, [...ids].reverse().slice(0, 250));
  for (let at = 0; at < 250; at += 50)
    cursor = (await search({ city: crowded, limit: '50', ...(cursor ? { cursor } : {}) }, live)).body.pagination
      .next_cursor;
  const { body } = await search({ city: crowded, limit, cursor }, asKey);
  t.like(body.error, { code: 'result_window_exceeded', param: 'cursor', details: { paging_depth: 250 } });
  t.is((await search({ city: crowded, limit, cursor }, live)).status, 200, 'the depth is that of the key that sends');
});
