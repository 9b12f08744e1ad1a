import { SERVED_INDEXES } from '#domain/index-state.ts';
import { readRegistry, settleIndex } from '#postgres/index-registry.ts';
import { createPool } from '#postgres/pool.ts';
import { generationsOf, indexBehind } from '#search/aliases.ts';
import { createMissingIndexes } from '#start/stores.ts';
import { createDatabase } from '#test/engines.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

test('services that start concurrently create one index per alias, and never an empty one for a lost index', async (t) => {
  const own = ownIndexes();
  const { client } = own;
  const pool = createPool(await createDatabase('missing_indexes'), { max: 6 });
  t.teardown(() => Promise.all([own.remove(), pool.end()]));
  await Promise.all([1, 2, 3].map(() => createMissingIndexes(pool, client)));
  const registry = await readRegistry(pool);
  for (const name of SERVED_INDEXES) {
    const index = await indexBehind(client, client.aliases[name]);
    t.deepEqual(await generationsOf(client, client.aliases[name]), [index], name);
    t.is(registry.get(name)?.record?.serving, index, name);
  }
  const listings = (await indexBehind(client, client.aliases.listings)) as string;
  await settleIndex(pool, 'listings', { index: listings, documents: 5, run: 1 });
  await client.indices.delete({ index: listings });
  await createMissingIndexes(pool, client);
  t.is(await indexBehind(client, client.aliases.listings), null);
});
