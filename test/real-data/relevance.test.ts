import type { OpenSearch } from '#stores/opensearch/opensearch-client.ts';
import { readAds, scoreAds } from '#stores/opensearch/relevance/ads.ts';
import { test } from '#test/test.ts';
import { ownIndexes } from '../stores/opensearch/own-indexes.ts';
import { publicData, testWith } from './public-data.ts';

let client: OpenSearch | undefined;
test.before(() => {
  client = ownIndexes().client;
});
test.after(() => client?.close());

const ADS = ['listings', 'aqar_riyadh_apartments_sale_2022.ndjson'] as const;
testWith(...ADS)('frequent queries find real ads with 97% precision and recall', async (t) => {
  const { precision, recall, queries } = await scoreAds(client as OpenSearch, await readAds(publicData(...ADS)));
  t.log(`precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
  t.true(precision >= 0.97 && recall >= 0.97);
  t.deepEqual(
    queries.filter((score) => score.precision < 0.9 || score.recall < 0.9),
    [],
  );
});
