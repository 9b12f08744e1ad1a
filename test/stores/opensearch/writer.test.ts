import type { StoredListing } from '#domain/listings/listing.ts';
import { StoreError } from '#domain/store-error.ts';
import { indexBehind } from '#stores/opensearch/indexes.ts';
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
  for (const version of [5, 5, 4]) await index.bulk([write(stored, version)]);
  await index.bulk([{ op: 'delete', id, version: 4 }]);
  t.is(await versionIn(index.alias, id), 5);
  await index.bulk([{ op: 'delete', id, version: 6 }]);
  await index.bulk([write(stored, 5)]);
  t.is(await versionIn(index.alias, id), null);
});

test('writes to a lost index fail with an error that a run retries', async (t) => {
  const other = ownIndexes();
  t.teardown(() => other.remove());
  const index = await other.open();
  await other.client.indices.delete({ index: (await indexBehind(other.client, index.alias)) as string });
  const error = await t.throwsAsync(index.bulk([write(makeListing(), 1)]), { instanceOf: StoreError });
  t.true(error?.unavailable);
});
