import type { ExecutionContext } from 'ava';
import { indexBehind } from '#search/aliases.ts';
import { analyzeText, MAX_ANALYZED } from '#search/relevance/analyze.ts';
import { compareRelevance, largestLoss } from '#search/relevance/between.ts';
import { readPairs } from '#search/relevance/pairs.ts';
import { reviewSwap } from '#search/relevance/review.ts';
import { cli as run } from '#test/cli.ts';
import { makeListing } from '#test/factories.ts';
import { test } from '#test/test.ts';
import { type OwnIndexes, ownIndexes, refill } from './own-indexes.ts';

/** Runs a command of docs/search-engineer.md against the indexes of a prefix. */
async function cli(own: OwnIndexes, ...args: string[]): Promise<string> {
  const { code, out, err } = await run(args, { INDEX_PREFIX: own.prefix });
  if (code !== 0) throw new Error(err);
  return out;
}

/** An index with a unique prefix and the texts of the pairs. */
async function pairsIndex(t: ExecutionContext): Promise<OwnIndexes> {
  const own = ownIndexes();
  t.teardown(() => own.remove());
  const index = await own.open();
  const texts = [...new Set(readPairs().map(({ text }) => text))];
  await index.bulk(
    texts.map((title, at) => ({ op: 'index', id: at + 1, version: 1, stored: makeListing({ id: at + 1, title }) })),
  );
  await index.refresh();
  return own;
}

test('an analysis explains every token, and the files on disk give the same result as an index', async (t) => {
  const own = await pairsIndex(t);
  for (const text of ['Villas without the pool', "شقق مفروشة في حي الملقا شهرياً driver's", '', '3غرف <b>"{}']) {
    const onDisk = await analyzeText(own.client, text);
    t.deepEqual(await analyzeText(own.client, text, `${own.prefix}listings`), onDisk);
    for (const { token, why } of onDisk.tokens)
      t.true(why.length > 0 && (token !== null || /stop word/.test(why.join())));
  }
  const { tokens } = await analyzeText(own.client, 'the شقق');
  t.deepEqual(tokens, [
    { word: 'the', token: null, why: ['stop word (src/domain/text/stop-words.ts)'] },
    { word: 'شقق', token: 'شقه', why: ['listed stem: شقق → شقه', tokens[1]?.why[1] as string] },
  ]);
  t.regex(tokens[1]?.why[1] ?? '', /^words\.txt line \d+$/);
  await t.throwsAsync(analyzeText(own.client, 'a'.repeat(MAX_ANALYZED + 1)), { instanceOf: RangeError });

  t.regex(await cli(own, 'analyze', 'villa without pool'), /stated as absent[\s\S]*synonyms\.txt line \d+/);
  const printed = JSON.parse(await cli(own, '--json', 'analyze', 'شقق مفروشة', '--index', 'listings'));
  t.is(printed.tokens.length, 2);
});

test('two indexes with the same documents and analysis have the same relevance, and lost documents lower recall', async (t) => {
  const own = await pairsIndex(t);
  const from = (await indexBehind(own.client, own.client.aliases.listings)) as string;
  const { index: to } = await refill(own.client, { keep: [from] });
  const same = await compareRelevance(own.client, from, to);
  t.deepEqual(same.changed, []);
  t.is(largestLoss(same), 0);
  const [frequent, pairs] = same.sets;
  t.true((frequent?.queries ?? 0) > 5 && (pairs?.queries ?? 0) > 50, JSON.stringify(same.sets));
  t.is(pairs?.serving.recall, 1);

  await own.client.deleteByQuery({
    index: to,
    refresh: true,
    body: { query: { range: { 'filter.id': { lte: 100 } } } },
  });
  const review = await reviewSwap(own.client, from, to);
  t.is(review.documents.serving - review.documents.candidate, 100);
  t.true(largestLoss(review.relevance) > 0.1, JSON.stringify(review.relevance.sets));
  t.true(review.relevance.changed.length > 10);
  t.true(review.relevance.changed.every(({ serving, candidate }) => candidate < serving));

  const printed = JSON.parse(
    await cli(own, '--json', 'relevance', '--between', from.slice(own.prefix.length), 'listings'),
  );
  t.deepEqual(printed.sets, review.relevance.sets);
  t.regex(await cli(own, 'relevance', '--between', from.slice(own.prefix.length), 'listings'), /precision of 100/);
});
