import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { PARTS, REQUIRED_SHARE, readPairs, scorePairs } from '#stores/opensearch/relevance/pairs.ts';
import { searchPairs } from '#stores/opensearch/relevance/texts.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from './own-indexes.ts';

let client: OpenSearch;
test.before(() => {
  client = ownIndexes().client;
});
test.after(() => client?.close());

test('at least 95% of the relevance pairs in each part have the expected outcome', async (t) => {
  const pairs = readPairs();
  const scores = scorePairs(pairs, await searchPairs(client, pairs));
  for (const part of PARTS) {
    const { right, share, wrong } = scores[part];
    t.log(`${part}: ${right} of ${right + wrong.length}`);
    t.true(share >= REQUIRED_SHARE, `${part}: ${share}; \`npm run cli -- relevance\` shows the misses`);
  }
});
