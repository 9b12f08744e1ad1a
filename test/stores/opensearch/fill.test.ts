import { sendListings } from '#stores/opensearch/bulk.ts';
import { type Fill, fillIndex } from '#stores/opensearch/fill.ts';
import { generationsOf, indexBehind } from '#stores/opensearch/indexes.ts';
import { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { testEnv } from '#test/env.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

const own = ownIndexes();
const { client } = own;
const { listings } = client.aliases;
test.before(async () => {
  await own.open();
});
test.after(() => own.remove());

const fill = (write: Fill['write'], options: Partial<Fill> = {}, using: OpenSearch = client) =>
  fillIndex(using, { name: 'listings', recordIntent: async () => {}, write, ...options });

const writeOne = async (target: string): Promise<number> => {
  await sendListings(client, target, [{ op: 'index', id: 1, version: 1, stored: makeListing({ id: 1 }) }]);
  return 1;
};

test('a fill moves the alias in one step, records its intent first, and restores the settings', async (t) => {
  const before = await indexBehind(client, listings);
  const events: string[] = [];
  const recordIntent: Fill['recordIntent'] = async ({ index, documents }, current) => {
    t.is(current, before);
    t.is(documents, 1);
    t.is(await indexBehind(client, listings), before);
    events.push(index);
  };
  const { index } = await fill(writeOne, { recordIntent });
  t.deepEqual(events, [index]);
  t.is(await indexBehind(client, listings), index);
  t.deepEqual(await generationsOf(client, listings), [index]);
  const [settings] = Object.values((await client.indices.getSettings({ index })).body);
  const { refresh_interval, translog, auto_expand_replicas } = (settings?.settings?.index ?? {}) as Record<
    string,
    unknown
  >;
  t.deepEqual(
    { refresh_interval, translog, auto_expand_replicas },
    { refresh_interval: '5s', translog: undefined, auto_expand_replicas: '0-1' },
  );
});

test('a fill warms the index of the listings before the alias moves, and applies the number of copies', async (t) => {
  const more = new OpenSearch({ urls: testEnv().OPENSEARCH_URL.split(','), indexPrefix: own.prefix, copies: 3 });
  t.teardown(() => more.close());
  let queries = 0;
  const review: Fill['review'] = async ({ to }) => {
    const { indices } = await client.send<SearchStats>('GET', `/${to}/_stats/search`);
    queries = indices[to]?.total.search.query_total ?? 0;
  };
  const { index } = await fill(writeOne, { review }, more);
  t.true(queries >= 18, `${queries} searches`);
  const [settings] = Object.values((await client.indices.getSettings({ index })).body);
  t.is((settings?.settings?.index as Record<string, unknown> | undefined)?.auto_expand_replicas, '0-2');
});

interface SearchStats {
  indices: Record<string, { total: { search: { query_total: number } } }>;
}

for (const [what, options] of [
  ['documents are missing', { write: async (target: string) => (await writeOne(target)) + 1 }],
  ['the intent cannot be recorded', { recordIntent: () => Promise.reject(new Error('the lock was lost')) }],
  ['the sample differs', { complete: () => Promise.reject(new Error('a listing differs')) }],
] as const)
  test(`if ${what}, the old index keeps serving and the new one is deleted`, async (t) => {
    const before = await indexBehind(client, listings);
    await t.throwsAsync(fill(writeOne, options));
    t.is(await indexBehind(client, listings), before);
    t.deepEqual(await generationsOf(client, listings), [before]);
  });

test('a fill deletes the index of a killed one, which can then write to no index', async (t) => {
  let abandoned = '';
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const stalled = fill(async (target) => {
    abandoned = target;
    reached.resolve();
    await released.promise;
    return writeOne(target);
  });
  stalled.catch(() => {});
  await reached.promise;
  const { index } = await fill(writeOne);
  released.resolve();
  await t.throwsAsync(stalled);
  t.not(abandoned, '');
  t.is(await indexBehind(client, listings), index);
  t.deepEqual(await generationsOf(client, listings), [index]);
});

test('without free disk for another copy and its merge, nothing is created', async (t) => {
  const before = await indexBehind(client, listings);
  const full = Object.create(client) as OpenSearch;
  full.send = async <T>(...request: Parameters<OpenSearch['send']>): Promise<T> =>
    request[1] === '/_nodes/stats/fs'
      ? ({ nodes: { a: { fs: { total: { available_in_bytes: 10 } } } } } as T)
      : client.send<T>(...request);
  await t.throwsAsync(fill(writeOne, {}, full), { message: /free disk/ });
  t.deepEqual(await generationsOf(client, listings), [before]);
});
