import type { StoredListing } from '#domain/listings/listing.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { startTestApp, type TestApp, type TestResponse } from '#test/app.ts';
import { createKey, createOrganization, indexListings, makeListing } from '#test/factories.ts';
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

for (const sort of ['newest', 'updated_asc', 'price_asc']) {
  test(`${sort}: listings added or removed while a client pages do not repeat or hide other listings`, async (t) => {
    const city = (await app.addCity()).slug;
    const make = (minute: number): StoredListing =>
      makeListing(
        { location: { city }, price: { yearly_sar: 40_000 + Math.floor(minute / 3) } },
        { first_seen: FIRST_SEEN + Math.floor(minute / 4) * 60 },
      );
    const listings = Array.from({ length: 200 }, (_, minute) => make(minute));
    await indexListings(app.services, listings);
    const order = (await walk(city, sort, async () => {})).flat();
    t.is(order.length, 200);
    const index = await openListingIndex(app.services.opensearch);
    const gone = new Set<number>();
    let reached = 0;
    const pages = await walk(city, sort, async (number, rows) => {
      // Removes listings before and after the current position, and adds listings everywhere.
      reached = Math.max(reached, ...rows.map((id) => order.indexOf(id)));
      const ahead = order[reached + 4];
      const removed = [rows[0] as number, ...(ahead === undefined ? [] : [ahead])];
      if (ahead !== undefined) gone.add(ahead);
      await index.bulk([
        ...removed.map((id) => ({ op: 'delete' as const, id, version: 2 })),
        ...[make(number * 20), make(199), make(0)].map((stored) => ({
          op: 'index' as const,
          id: stored.display.id,
          version: 1,
          stored,
        })),
      ]);
      await index.refresh();
    });
    const walked = pages.flat();
    t.is(new Set(walked).size, walked.length, `${sort}: a listing was repeated`);
    const known = new Set(order);
    t.deepEqual(
      walked.filter((id) => known.has(id)),
      order.filter((id) => !gone.has(id)),
      `${sort}: a listing that was there all along was skipped`,
    );
  });
}

/** Returns the pages of a paged search with 40 rows each. `between` runs after each page. */
async function walk(
  city: string,
  sort: string,
  between: (page: number, rows: number[]) => Promise<void>,
): Promise<number[][]> {
  const pages: number[][] = [];
  let cursor = '';
  do {
    const page = await search({ city, sort, limit: '40', ...(cursor ? { cursor } : {}) });
    const rows = idsOf(page);
    pages.push(rows);
    cursor = page.body.pagination.next_cursor ?? '';
    if (cursor && pages.length < 15) await between(pages.length, rows);
  } while (cursor && pages.length < 100);
  return pages;
}

test('a cursor is valid only for its filters, sort and organization, but for any limit', async (t) => {
  const query: Query = { city: crowded, sort: 'price_asc', beds: '3', limit: '10' };
  const first = await search(query);
  const cursor: string = first.body.pagination.next_cursor;
  const other = await createOrganization(app.services);
  const { beds: _, ...without } = query;
  const changes: [Query, string?][] = [
    [{ ...query, beds: '2,3' }],
    [{ ...query, sort: 'newest' }],
    [without],
    [query, other.key],
  ];
  for (const [changed, asKey] of changes) {
    const { status, body } = await search({ ...changed, cursor }, asKey);
    t.deepEqual(
      [status, body.error?.code, body.error?.param],
      [400, 'invalid_cursor', 'cursor'],
      JSON.stringify(changed),
    );
  }
  const same = await search({ ...query, cursor });
  const { limit: __, ...unlimited } = query;
  for (const limit of ['3', '10', '37']) {
    const next = await search({ ...query, limit, cursor });
    t.is(next.status, 200);
    t.is(next.body.data.length, Number(limit));
    t.deepEqual(idsOf(next).slice(0, 3), idsOf(same).slice(0, 3));
  }
  // The order of the filters and the key of the organization do not matter.
  const turned = await search({ cursor, ...Object.fromEntries(Object.entries(unlimited).reverse()) });
  t.deepEqual(idsOf(turned), idsOf(same));
});

for (const [plan, kind, depth] of [
  ['free', 'live', 500],
  ['free', 'test', 250],
  ['pro', 'test', 250],
] as const) {
  test(`a ${kind} key on the ${plan} plan reaches a paging depth of exactly ${depth} rows`, async (t) => {
    const { id } = await createOrganization(app.services, { plan, columns: ROOM });
    const asKey = await createKey(app.services, id, { kind });
    // Does not divide the depth, so the last page is shorter.
    const limit = '21';
    let cursor = '';
    const seen: number[] = [];
    while (seen.length < depth) {
      const page: TestResponse = await search({ city: crowded, limit, ...(cursor ? { cursor } : {}) }, asKey);
      // A test key has 30 units a minute on every plan.
      if (page.status === 429) {
        await app.services.pool.query(
          "delete from rate_windows where subject = 'key' and subject_id in (select id from api_keys where organization_id = $1)",
          [id],
        );
        continue;
      }
      t.is(page.status, 200, page.text);
      seen.push(...idsOf(page));
      const { has_more, next_cursor, result_window_reached } = page.body.pagination;
      t.true(has_more);
      t.is(result_window_reached, seen.length === depth);
      cursor = next_cursor;
    }
    t.is((await search({ city: crowded, limit, cursor }, asKey)).body.error.code, 'result_window_exceeded');
    t.deepEqual(seen, [...ids].reverse().slice(0, depth));
  });
}

test('a cursor from a key with a greater paging depth is refused beyond the depth of the key that uses it', async (t) => {
  const { id, key: live } = await createOrganization(app.services, { plan: 'free', columns: ROOM });
  const testKey = await createKey(app.services, id, { kind: 'test' });
  let cursor = '';
  for (let rows = 0; rows < 250; rows += 25) {
    const page = await search({ city: crowded, limit: '25', ...(cursor ? { cursor } : {}) }, live);
    cursor = page.body.pagination.next_cursor;
  }
  const { status, body } = await search({ city: crowded, limit: '25', cursor }, testKey);
  t.deepEqual([status, body.error.code, body.error.param], [400, 'result_window_exceeded', 'cursor']);
  t.is(body.error.details.paging_depth, 250);
  t.is((await search({ city: crowded, limit: '25', cursor }, live)).status, 200);
});

test('results that end exactly at the paging depth do not set result_window_reached', async (t) => {
  const city = (await app.addCity()).slug;
  await indexListings(
    app.services,
    Array.from({ length: 250 }, () => makeListing({ location: { city } })),
  );
  const { key: asKey } = await createOrganization(app.services, { plan: 'enterprise', columns: { paging_depth: 250 } });
  let cursor = '';
  for (const more of [true, true, false]) {
    const page = await search({ city, limit: '100', ...(cursor ? { cursor } : {}) }, asKey);
    const { has_more, next_cursor, result_window_reached } = page.body.pagination;
    t.deepEqual([has_more, next_cursor !== null, result_window_reached], [more, more, false]);
    cursor = next_cursor;
  }
});

test('concurrent pages are identical to those of sequential requests', async (t) => {
  const limits = [1, 7, 25, 60, 100];
  // The time of the last read of a source may change.
  const page = async (limit: number): Promise<string> =>
    (await search({ city: crowded, limit: String(limit) })).text.replace(/"last_seen_at":"[^"]*"/g, '');
  const alone: string[] = [];
  for (const limit of limits) alone.push(await page(limit));
  const together = await Promise.all(Array.from({ length: 20 }, () => Promise.all(limits.map(page))));
  for (const pages of together) t.deepEqual(pages, alone);
});
