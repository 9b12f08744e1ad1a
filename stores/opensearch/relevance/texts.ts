import { randomBytes } from 'node:crypto';
import { chunks } from '#domain/chunks.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { withSynonyms } from '#queries/text/synonyms.ts';
import type { ListedLine } from '#queries/text/word-lists.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';
import { compileTemplates } from '../templates.ts';
import type { TextVersion } from './versions.ts';

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
  return found.map((hits) => hits.length === 1);
}

/** A matching text, with the tokens that matched if they are wanted. */
export interface MatchedText {
  id: string;
  tokens: string[];
}

interface SearchOptions {
  /** Defaults to the files on disk. */
  version?: TextVersion;
  explain?: boolean;
}

/** Indexes texts temporarily, and returns the matching ones for each query. */
export async function searchTexts(
  client: OpenSearch,
  texts: readonly (readonly string[])[],
  queries: readonly TextQuery[],
  options: SearchOptions = {},
): Promise<MatchedText[][]> {
  const index = `${client.prefix}relevance-${randomBytes(5).toString('hex')}`;
  const { analysis, indexes } = compileTemplates();
  const { settings } = options.version ?? (analysis.template as { settings: object });
  const { mappings } = indexes.listings.template as { mappings: { properties: { text: object } } };
  const body = {
    settings: { ...settings, index: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' } },
    mappings: { dynamic: 'strict', properties: { text: mappings.properties.text } },
  };
  await client.send('PUT', `/${index}`, { body, ...ADMIN_REQUEST });
  try {
    for (const part of chunks([...texts.entries()], BATCH)) await load(client, index, part);
    await client.indices.refresh({ index });
    return await search(client, index, texts.length, queries, options);
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
  { version, explain = false }: SearchOptions,
): Promise<MatchedText[][]> {
  const compile = () => queries.map(({ query }) => searchTextClause(parseSearchText(query)));
  const textOf = ({ text }: ListedLine): string => text;
  const clauses =
    version === undefined ? compile() : withSynonyms(version.synonyms.map(textOf), compile, version.words.map(textOf));
  const bulkBody = queries.flatMap(({ among }, at) => {
    const filter = among ? [{ ids: { values: among } }] : [];
    const clause = clauses[at];
    const query = { bool: explain ? { filter, must: [scored(clause)] } : { filter: [...filter, clause] } };
    return [{}, { size: among?.length ?? size, explain, _source: false, query }];
  });
  type Hit = { _id: string; _explanation?: Explanation };
  type Answer = { responses: { hits?: { hits: Hit[] } }[] };
  const { responses } = await client.send<Answer>('POST', `/${index}/_msearch`, { bulkBody, ...ADMIN_REQUEST });
  return responses.map((response) => {
    if (!response.hits) throw new Error(JSON.stringify(response));
    return response.hits.hits.map(({ _id, _explanation: why }) => ({
      id: _id,
      tokens: why === undefined ? [] : [...new Set(tokensIn(why))],
    }));
  });
}

/** The engine explains which clauses match only for scored ones. In JSON, a text has no unescaped quotes. */
const scored = (clause: unknown): unknown => JSON.parse(JSON.stringify(clause).replaceAll('"filter":', '"must":'));

interface Explanation {
  description: string;
  details: Explanation[];
}

/** The engine describes a matching clause as `weight(text.body:token in 7)`, with quotes around a phrase. */
const tokensIn = ({ description, details }: Explanation): string[] => [
  ...[...description.matchAll(/text\.[\w.]+:(?:"([^"]+)"|([^\s)\]]+))/g)].map(
    ([, phrase, token]) => phrase ?? token ?? '',
  ),
  ...details.flatMap(tokensIn),
];
