import type { StoredListing } from '#domain/listings/listing.ts';
import { StoreError } from '#domain/store-error.ts';
import { sendBulk } from '#stores/opensearch/bulk.ts';
import { indexBehind } from '#stores/opensearch/indexes.ts';
import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
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

for (const status of [429, 503])
  test(`items of a bulk request that fail with ${status} are sent again, without the others, until they are written`, async (t) => {
    const sent: string[][] = [];
    const client = {
      send: async (_method: string, _path: string, { bulkBody = '' }: { bulkBody?: string }) => {
        const ids = [...bulkBody.matchAll(/"_id":"(\d+)"/g)].map(([, id]) => id as string);
        sent.push(ids);
        // The second item fails twice.
        const isFailing = (id: string): boolean => id === '2' && sent.length < 3;
        const items = ids.map((id) => ({
          index: isFailing(id) ? { status, error: { reason: 'busy' } } : { status: 200 },
        }));
        return { errors: ids.some(isFailing), items };
      },
    } as unknown as OpenSearch;
    const writes = [1, 2, 3].map((id) => ({ id, lines: `{"index":{"_id":"${id}"}}\n{}\n` }));
    await sendBulk(client, 'alias', writes);
    t.deepEqual(sent, [['1', '2', '3'], ['2'], ['2']]);
  });
