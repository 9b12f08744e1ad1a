import type { StoredListing } from '#domain/listings/listing.ts';
import { StoreError } from '#domain/store-error.ts';
import { indexBehind } from '#search/aliases.ts';
import { sendBulk } from '#search/bulk.ts';
import { BulkError, IndexVersionError, openListingIndex } from '#search/listing-index/index.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
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

test('the refresh interval that a bulk load disables is restored even after a crash', async (t) => {
  const index = await own.open();
  const live = (await indexBehind(own.client, index.alias)) as string;
  await own.client.indices.putSettings({ index: live, body: { index: { refresh_interval: '-1' } } });
  await t.throwsAsync(index.withoutRefresh(() => Promise.reject(new Error('interrupted'))));
  const settings = await fetch(`${process.env.OPENSEARCH_URL}/${live}/_settings/index.refresh_interval`);
  t.regex(await settings.text(), /"refresh_interval":"5s"/);
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
  let attempts = 0;
  const send = async () => {
    attempts++;
    throw Object.assign(new Error('no connection'), { name: 'ConnectionError' });
  };
  const documents = [7, 8].map((id) => ({ id, lines: '' }));
  const error = await t.throwsAsync(sendBulk({ send } as never, 'x', documents, { attempts: 3 }), {
    instanceOf: BulkError,
  });
  t.deepEqual([error?.ids, attempts], [[7, 8], 3]);
});

test('an index of another release is rejected with the remedy, and writes to a lost index fail with an error that a run retries', async (t) => {
  const other = ownIndexes();
  t.teardown(() => other.remove());
  const index = await other.open();
  for (const [version, message] of [
    [0, /Run `npm run reindex`/],
    [99, /Start the newer release/],
  ] as const) {
    await other.client.indices.putMapping({ index: index.alias, body: { _meta: { version } } });
    await t.throwsAsync(openListingIndex(other.client), { instanceOf: IndexVersionError, message });
  }
  await other.client.indices.delete({ index: (await indexBehind(other.client, index.alias)) as string });
  const error = await t.throwsAsync(index.bulk([write(makeListing(), 1)]), { instanceOf: StoreError });
  t.true(error?.unavailable);
});
