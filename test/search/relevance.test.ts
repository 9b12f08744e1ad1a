import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { readAds, scoreAds } from '#search/relevance/ads.ts';
import { PARTS, partOf, REQUIRED_SHARE, readPairs, scorePairs } from '#search/relevance/pairs.ts';
import { searchPairs } from '#search/relevance/texts.ts';
import { PUBLIC_DATA, testWhere } from '#test/present.ts';
import { ownIndexes } from './own-indexes.ts';

const { client } = ownIndexes();
test.after.always(() => client.close());

test('at least 95% of the relevance pairs in each part have the expected outcome', async (t) => {
  const pairs = readPairs();
  const scores = scorePairs(pairs, await searchPairs(client, pairs));
  for (const part of PARTS) {
    const { right, share, wrong } = scores[part];
    t.log(`${part}: ${right} of ${right + wrong.length}`);
    t.true(share >= REQUIRED_SHARE, `${part}: ${share}; \`npm run relevance\` shows the misses`);
  }
});

test('a third of the relevance pairs are held out, and no pair is repeated', (t) => {
  const pairs = readPairs();
  t.is(pairs.length, 490);
  t.is(pairs.filter((pair) => partOf(pair) === 'held out').length, 173);
  t.is(new Set(pairs.map(({ query, text }) => `${query}\t${text}`)).size, pairs.length);
});

const PUBLIC_ADS = join(PUBLIC_DATA, 'listings', 'aqar_riyadh_apartments_sale_2022.ndjson');
testWhere(existsSync(PUBLIC_ADS))('frequent queries find real ads with 97% precision and recall', async (t) => {
  const { precision, recall, queries } = await scoreAds(client, await readAds(PUBLIC_ADS));
  t.log(`precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  t.true(precision >= 0.97 && recall >= 0.97);
  t.deepEqual(
    queries.filter((score) => score.precision < 0.9 || score.recall < 0.9),
    [],
  );
});
