import { indexBehind } from '#search/aliases.ts';
import { compareRelevance, largestLoss } from '#search/relevance/between.ts';
import { readPairs } from '#search/relevance/pairs.ts';
import { cli } from '#test/cli.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { ownIndexes, refill } from './own-indexes.ts';

test('two indexes with the same documents and analysis have the same relevance, and lost documents lower recall', async (t) => {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  const texts = [...new Set(readPairs().map(({ text }) => text))];
  await index.bulk(
    texts.map((title, at) => ({ op: 'index', id: at + 1, version: 1, stored: makeListing({ id: at + 1, title }) })),
  );
  await index.refresh();
  const from = (await indexBehind(own.client, own.client.aliases.listings)) as string;
  const { index: to } = await refill(own.client, { keep: [from] });
  const same = await compareRelevance(own.client, from, to);
  t.deepEqual(same.changed, []);
  t.is(largestLoss(same), 0);

  const query = { range: { 'filter.id': { lte: 100 } } };
  await own.client.deleteByQuery({ index: to, refresh: true, body: { query } });
  const lossy = await compareRelevance(own.client, from, to);
  t.is(lossy.documents.serving - lossy.documents.candidate, 100);
  t.true(largestLoss(lossy) > 0.1, JSON.stringify(lossy.sets));
  t.true(lossy.changed.length > 10);
  t.true(lossy.changed.every(({ serving, candidate }) => candidate < serving));
  const between = ['--json', 'relevance', '--between', from.slice(own.prefix.length), 'listings'];
  t.deepEqual(JSON.parse((await cli(between, { INDEX_PREFIX: own.prefix })).out).sets, lossy.sets);
});
