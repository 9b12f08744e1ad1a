import { readAliased } from '#search/indexes.ts';
import { openListingIndex } from '#search/listing-index/index.ts';
import { writeMeta } from '#search/meta.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../search/own-indexes.ts';

const START = Date.parse('2026-03-01T00:00:00Z') * 1_000;
const own = ownIndexes();

// A separate database, because listings recorded by other tests would make the empty index a lost index.
let app: TestApp;
let key: string;
let city: string;
test.before(async () => {
  app = await startTestApp({ env: { INDEX_PREFIX: own.prefix, DATABASE_URL: await createDatabase('modified') } });
  key = (await createOrganization(app.services)).key;
  city = (await app.addCity()).slug;
});
test.after(async () => {
  await app.close();
  await own.remove();
});

const open = () => openListingIndex(own.client);
async function publish(watermark: number): Promise<void> {
  await (await open()).publish(watermark);
  await app.services.indexGuard.refresh();
}
const search = (query: Readonly<Record<string, string>>) =>
  app.request(`/v1/listings?${new URLSearchParams({ city, listing_type: 'rent', sort: 'modified_asc', ...query })}`, {
    key,
  });
const times = ({ body }: { body: { data: { modified_at: string }[] } }): string[] =>
  body.data.map(({ modified_at }) => modified_at.slice(-10));

test('before the first publication, the returned watermark precedes all listings', async (t) => {
  const empty = await search({});
  t.is(empty.status, 200);
  t.deepEqual(empty.body, {
    data: [],
    pagination: {
      limit: 10,
      next_cursor: null,
      has_more: false,
      result_window_reached: false,
      watermark: '1970-01-01T00:00:00.000000Z',
    },
  });
});

test('pages end at the watermark even if it moves between pages, and other sort orders return no watermark', async (t) => {
  const listings = Array.from({ length: 6 }, (_, at) =>
    makeListing({ location: { city } }, { modified: START + 10 * at, first_seen: 1_770_000_000 - at }),
  );
  const index = await open();
  await index.bulk(listings.map((stored) => ({ op: 'index', id: stored.display.id, version: 1, stored })));
  await index.refresh();
  t.deepEqual(times(await search({})), [], 'written, and not published');
  t.is((await search({ sort: 'newest' })).body.data.length, 6);
  t.false('watermark' in (await search({ sort: 'newest' })).body.pagination);

  await publish(START + 30);
  const first = await search({ limit: '2' });
  t.deepEqual(times(first), ['00.000000Z', '00.000010Z']);
  t.is(first.body.pagination.watermark, '2026-03-01T00:00:00.000030Z');
  const cursor = first.body.pagination.next_cursor;
  t.deepEqual(times(await search({ limit: '2', cursor })), ['00.000020Z', '00.000030Z']);
  const ended = await search({ limit: '4' });
  t.is(ended.body.data.length, 4);
  t.like(ended.body.pagination, { has_more: false, next_cursor: null });

  await publish(START + 40);
  t.is((await search({ limit: '2', cursor })).body.data.length, 2);
  t.deepEqual(times(await search({ modified_since: '2026-03-01T00:00:00.00003Z' })), ['00.000030Z', '00.000040Z']);
  t.deepEqual(times(await search({ modified_since: '2026-03-01T03:00:00.000041+03:00' })), []);
  const { body } = await app.request(
    `/v1/listings/count?city=${city}&listing_type=rent&modified_since=2026-03-01T00:00:00.000030Z`,
    { key },
  );
  t.is(body.data.total, 3, 'a count knows no watermark');
});

test('if the index of an earlier release has no watermark, modified_asc returns 503 and other sort orders work', async (t) => {
  const index = await readAliased(own.client, 'listings');
  await writeMeta(own.client, index?.index as string, { watermark: undefined });
  await app.services.indexGuard.refresh();
  const refused = await search({});
  t.is(refused.status, 503);
  t.truthy(refused.headers.get('retry-after'));
  t.is((await search({ sort: 'updated_asc' })).status, 200);
  const since = 'modified_since=2026-03-01T00:00:00Z';
  for (const path of ['/v1/listings', '/v1/listings/count'])
    t.is((await app.request(`${path}?city=${city}&listing_type=rent&${since}`, { key })).status, 503, path);
  await publish(START + 50);
  t.is((await search({})).status, 200);
});
