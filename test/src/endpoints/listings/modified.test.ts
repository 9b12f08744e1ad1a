import { openListingIndex } from '#stores/opensearch/listing-index/listing-index.ts';
import { startTestApp, type TestApp } from '#test/app.ts';
import { createDatabase } from '#test/engines.ts';
import { createOrganization, makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../../../stores/opensearch/own-indexes.ts';

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

test('pages end at the watermark even if it moves between pages, and other sort orders return no watermark', async (t) => {
  const listings = Array.from({ length: 6 }, (_, at) =>
    makeListing({ location: { city } }, { modified: START + 10 * at, first_seen: 1_770_000_000 - at }),
  );
  const index = await open();
  await index.bulk(listings.map((stored) => ({ op: 'index', id: stored.display.id, version: 1, stored })));
  await index.refresh();
  const empty = await search({});
  t.deepEqual(empty.body.data, [], 'written, and not published');
  t.is(empty.body.pagination.watermark, '1970-01-01T00:00:00.000000Z');
  t.is((await search({ sort: 'newest' })).body.data.length, 6);
  t.false('watermark' in (await search({ sort: 'newest' })).body.pagination);

  await publish(START + 30);
  const first = await search({ limit: '2' });
  t.deepEqual(times(first), ['00.000000Z', '00.000010Z']);
  t.is(first.body.pagination.watermark, '2026-03-01T00:00:00.000030Z');
  const cursor = first.body.pagination.next_cursor;
  t.deepEqual(times(await search({ limit: '2', cursor })), ['00.000020Z', '00.000030Z']);
  t.like((await search({ limit: '4' })).body.pagination, { has_more: false, next_cursor: null });

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
