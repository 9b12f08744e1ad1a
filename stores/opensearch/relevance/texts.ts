import { randomBytes } from 'node:crypto';
import { chunks } from '#domain/chunks.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';
import { compileTemplates } from '../templates.ts';

/** A query for all texts, or for those with the ids (positions) in `among`. */
interface TextQuery {
  query: string;
  among?: readonly string[];
}

/** Returns whether each query finds its text with the text analysis in the files. */
export async function searchPairs(
  client: OpenSearch,
  pairs: readonly { query: string; text: string }[],
): Promise<boolean[]> {
  const texts = pairs.map(({ text }) => [text]);
  const queries = pairs.map(({ query }, id) => ({ query, among: [String(id)] }));
  const found = await searchTexts(client, texts, queries);
  return found.map((ids) => ids.length === 1);
}

/** Indexes texts temporarily, and returns the ids of the matching ones for each query. */
export async function searchTexts(
  client: OpenSearch,
  texts: readonly (readonly string[])[],
  queries: readonly TextQuery[],
): Promise<string[][]> {
  const index = `${client.prefix}relevance-${randomBytes(5).toString('hex')}`;
  const { analysis, indexes } = compileTemplates();
  const { settings } = analysis.template as { settings: object };
  const { mappings } = indexes.listings.template as { mappings: { properties: { text: object } } };
  const body = {
    settings: { ...settings, index: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' } },
    mappings: { dynamic: 'strict', properties: { text: mappings.properties.text } },
  };
  await client.send('PUT', `/${index}`, { body, ...ADMIN_REQUEST });
  try {
    for (const part of chunks([...texts.entries()], BATCH)) await load(client, index, part);
    await client.indices.refresh({ index });
    return await search(client, index, texts.length, queries);
  } finally {
    await client.indices.delete({ index });
  }
}

const BATCH = 2_000;

async function load(
  client: OpenSearch,
  index: string,
  texts: readonly (readonly [id: number, text: readonly string[]])[],
): Promise<void> {
  const bulkBody = texts.flatMap(([id, text]) => [{ index: { _id: `${id}` } }, { text: searchedText(text) }]);
  const answer = await client.send<{ errors: boolean }>('POST', `/${index}/_bulk`, {
    query: { filter_path: 'errors,items.*.error' },
    bulkBody,
    ...ADMIN_REQUEST,
  });
  if (answer.errors) throw new Error(`Texts were refused: ${JSON.stringify(answer).slice(0, 500)}`);
}

async function search(
  client: OpenSearch,
  index: string,
  size: number,
  queries: readonly TextQuery[],
): Promise<string[][]> {
  const bulkBody = queries.flatMap(({ query, among }) => {
    const clause = searchTextClause(parseSearchText(query));
    const filter = among ? [{ ids: { values: among } }, clause] : [clause];
    return [{}, { size: among?.length ?? size, _source: false, query: { bool: { filter } } }];
  });
  type Answer = { responses: { hits?: { hits: { _id: string }[] } }[] };
  const { responses } = await client.send<Answer>('POST', `/${index}/_msearch`, { bulkBody, ...ADMIN_REQUEST });
  return responses.map((response) => {
    if (!response.hits) throw new Error(JSON.stringify(response));
    return response.hits.hits.map(({ _id }) => _id);
  });
}
