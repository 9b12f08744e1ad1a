import type { StoredListing } from '#domain/listings/listing.ts';
import { StoreError } from '#domain/store-error.ts';
import { indexBehind } from '#search/aliases.ts';
import { sendBulk } from '#search/bulk.ts';
import { BulkError, IndexVersionError, openListingIndex } from '#search/listing-index/index.ts';
import { mergeIndex } from '#search/segments.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { mergeIndexes } from '#workers/housekeeping/merge-job.ts';
import { ownIndexes } from './own-indexes.ts';

const own = ownIndexes();
test.after(() => own.remove());

const write = (stored: StoredListing, version: number) =>
  ({ op: 'index', id: stored.display.id, version, stored }) as const;

async function versionIn(index: string, id: number): Promise<number | null> {
  const response = await fetch(`${process.env.OPENSEARCH_URL}/${index}/_doc/${id}?_source=false`);
  const body = (await response.json()) as { found?: boolean; _version?: number };
  return body.found ? (body._version ?? null) : null;
}

test('writes to a listing are applied in the order of their versions', async (t) => {
  const index = await own.open();
  const stored = makeListing();
  const { id } = stored.display;
  t.deepEqual(await index.bulk([write(stored, 5)]), { applied: 1, stale: 0 });
  t.deepEqual(await index.bulk([write(stored, 5)]), { applied: 1, stale: 0 });
  t.deepEqual(await index.bulk([write(stored, 4)]), { applied: 0, stale: 1 });
  t.deepEqual(await index.bulk([{ op: 'delete', id, version: 4 }]), { applied: 0, stale: 1 });
  t.is(await versionIn(index.alias, id), 5);
  t.deepEqual(await index.bulk([{ op: 'delete', id, version: 6 }]), { applied: 1, stale: 0 });
  t.deepEqual(await index.bulk([write(stored, 5)]), { applied: 0, stale: 1 });
  t.is(await versionIn(index.alias, id), null);
});

test('a bulk load disables index refreshes, and the refresh interval is restored even after a crash', async (t) => {
  const index = await own.open();
  const live = (await indexBehind(own.client, index.alias)) as string;
  const interval = async (): Promise<string | undefined> => {
    const response = await fetch(`${process.env.OPENSEARCH_URL}/${live}/_settings/index.refresh_interval`);
    const body = (await response.json()) as Record<string, { settings: { index: { refresh_interval?: string } } }>;
    return body[live]?.settings.index.refresh_interval;
  };
  const stored = makeListing();
  await index.withoutRefresh(async () => {
    t.is(await interval(), '-1');
    await index.bulk([write(stored, 1)]);
  });
  t.is(await interval(), '5s');
  await t.throwsAsync(
    index.withoutRefresh(() => Promise.reject(new Error('interrupted'))),
    { message: 'interrupted' },
  );
  t.is(await interval(), '5s');
  await own.client.indices.putSettings({ index: live, body: { index: { refresh_interval: '-1' } } });
  await index.withoutRefresh(async () => {});
  t.is(await interval(), '5s');
});

test('the merge job merges an index with many segments or deletions, and skips an index that is already merged', async (t) => {
  const other = ownIndexes();
  t.teardown(() => other.remove());
  const index = await other.open();
  const job = mergeIndexes(other.client, [index.alias]);
  const run = () => job.run(null as never, new Date());
  t.deepEqual(await run(), { segments: 0, documents: 0, deleted: 0, merges: 0 });
  const all = Array.from({ length: 8 }, () => makeListing());
  for (const stored of all) {
    await index.bulk([write(stored, 1)]);
    await index.refresh();
  }
  const before = await run();
  t.like(before, { documents: 8, merges: 1 });
  t.true((before.segments ?? 0) > 4);
  await mergeIndex(other.client, index.alias);
  await index.refresh();
  t.deepEqual(await run(), { segments: 1, documents: 8, deleted: 0, merges: 0 });
  await index.bulk([{ op: 'delete', id: all[0]?.display.id ?? 0, version: 2 }]);
  await index.refresh();
  t.like(await run(), { documents: 7, merges: 1 });
});

test('a refused document is reported with its id, and the other documents in its batch are written', async (t) => {
  const index = await own.open();
  const good = makeListing();
  const bad = makeListing({ bedrooms: 100_000 });
  const error = await t.throwsAsync(index.bulk([write(good, 1), write(bad, 1)]), { instanceOf: BulkError });
  t.deepEqual(error?.ids, [bad.display.id]);
  t.true(error?.message.includes(String(bad.display.id)));
  t.is(await versionIn(index.alias, good.display.id), 1);
});

test('a write to an unavailable engine is retried and then fails with the ids of the documents', async (t) => {
  const pauses: number[] = [];
  const refusing = {
    send: async () => {
      pauses.push(performance.now());
      throw Object.assign(new Error('no connection'), { name: 'ConnectionError' });
    },
  };
  const error = await t.throwsAsync(
    sendBulk(
      refusing as never,
      'x',
      [7, 8].map((id) => ({ id, lines: '' })),
      { attempts: 3 },
    ),
    {
      instanceOf: BulkError,
    },
  );
  t.deepEqual(error?.ids, [7, 8]);
  t.is(pauses.length, 3);
});

for (const [version, advice] of [
  [0, /Run `npm run reindex`/],
  [99, /Start the newer release/],
] as const) {
  test(`an index with version ${version} is rejected with an error that states the remedy`, async (t) => {
    const other = ownIndexes();
    t.teardown(() => other.remove());
    const index = await other.open();
    await other.client.indices.putMapping({ index: index.alias, body: { _meta: { version } } });
    await t.throwsAsync(openListingIndex(other.client), {
      instanceOf: IndexVersionError,
      message: advice,
    });
  });
}

test('writes to a lost index fail with an error that a run retries', async (t) => {
  const other = ownIndexes();
  t.teardown(() => other.remove());
  const index = await other.open();
  await other.client.indices.delete({ index: (await indexBehind(other.client, index.alias)) as string });
  const error = await t.throwsAsync(index.bulk([write(makeListing(), 1)]), { instanceOf: StoreError });
  t.true(error?.unavailable);
});
