import { randomBytes } from 'node:crypto';
import { chunks } from '#domain/chunks.ts';
import { searchedText } from '#domain/text/searched-text.ts';
import type { Clause } from '#queries/clause.ts';
import { parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { withSynonyms } from '#queries/text/synonyms.ts';
import type { ListedLine } from '#queries/text/word-lists.ts';
import { ADMIN_REQUEST, type OpenSearch } from '../opensearch-client.ts';
import { compileTemplates } from '../templates.ts';
import type { TextVersion } from './versions.ts';

/** A clause for all texts, or for those with the ids (positions) in `among`. */
export interface TextSearch {
  clause: Clause;
  among?: readonly string[];
}

/** Returns whether each query finds its text with the text analysis in the files. */
export async function searchPairs(
  client: OpenSearch,
  pairs: readonly { query: string; text: string }[],
): Promise<boolean[]> {
  const clauses = compileQueries(pairs);
  const searches = pairs.map((_, id) => ({ clause: clauses[id] as Clause, among: [String(id)] }));
  const texts = pairs.map(({ text }) => [text]);
  const found = await withTexts(client, texts, [diskSettings()], ([index = '']) =>
    searchIndex(client, index, searches),
  );
  return found.map((hits) => hits.length === 1);
}

/** Returns the ids (positions) of the texts that each query finds with the text analysis in the files. */
export async function searchTexts(
  client: OpenSearch,
  texts: readonly (readonly string[])[],
  queries: readonly { query: string }[],
): Promise<string[][]> {
  const searches = compileQueries(queries).map((clause) => ({ clause }));
  const found = await withTexts(client, texts, [diskSettings()], ([index = '']) =>
    searchIndex(client, index, searches),
  );
  return found.map((hits) => hits.map(({ id }) => id));
}

/** @param version defaults to the files on disk */
export function compileQueries(queries: readonly { query: string }[], version?: TextVersion): Clause[] {
  const compile = () => queries.map(({ query }) => searchTextClause(parseSearchText(query)));
  return version === undefined ? compile() : inVersion(version, compile);
}

/** Runs `work`, which is synchronous, with the words of a version. Takes 85 ms. */
export const inVersion = <Result>({ synonyms, words }: TextVersion, work: () => Result): Result =>
  withSynonyms(synonyms.map(textOf), work, words.map(textOf));

const textOf = ({ text }: ListedLine): string => text;
const diskSettings = (): object => (compileTemplates().analysis.template as { settings: object }).settings;

/** Runs `work` on temporary indexes of the same texts, one for each of the settings. */
export async function withTexts<Result>(
  client: OpenSearch,
  texts: readonly (readonly string[])[],
  settings: readonly object[],
  work: (indexes: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const names = settings.map(() => `${client.prefix}relevance-${randomBytes(5).toString('hex')}`);
  const documents = texts.map((text, id) => [{ index: { _id: `${id}` } }, { text: searchedText(text) }]);
  const { mappings } = compileTemplates().indexes.listings.template as { mappings: { properties: { text: object } } };
  const fill = async (index: string, analysis: object): Promise<void> => {
    const body = {
      settings: { ...analysis, index: INDEX_SETTINGS },
      mappings: { dynamic: 'strict', properties: { text: mappings.properties.text } },
    };
    await client.send('PUT', `/${index}`, { body, ...ADMIN_REQUEST });
    for (const part of chunks(documents, BATCH)) await load(client, index, part.flat());
    await client.indices.refresh({ index });
  };
  try {
    // An index that is still being created could not be deleted, so that a failure waits for the others.
    const filled = await Promise.allSettled(names.map((name, at) => fill(name, settings[at] ?? {})));
    for (const each of filled) if (each.status === 'rejected') throw each.reason;
    return await work(names);
  } finally {
    await client.indices.delete({ index: names, ignore_unavailable: true });
  }
}

/** A matching text, with the tokens that matched if they are explained. */
export interface MatchedText {
  id: string;
  tokens: string[];
}

const BATCH = 2_000;
/** More than the indexed texts. */
const MAX_HITS = 20_000;
const INDEX_SETTINGS = {
  number_of_shards: 1,
  number_of_replicas: 0,
  refresh_interval: '-1',
  max_result_window: MAX_HITS,
};

async function load(client: OpenSearch, index: string, bulkBody: object[]): Promise<void> {
  const answer = await client.send<{ errors: boolean }>('POST', `/${index}/_bulk`, {
    query: { filter_path: 'errors,items.*.error' },
    bulkBody,
    ...ADMIN_REQUEST,
  });
  if (answer.errors) throw new Error(`Texts were refused: ${JSON.stringify(answer).slice(0, 500)}`);
}

/** Returns the matching texts for each search. */
export async function searchIndex(
  client: OpenSearch,
  index: string,
  searches: readonly TextSearch[],
  { explain = false } = {},
): Promise<MatchedText[][]> {
  if (searches.length === 0) return [];
  const bulkBody = searches.flatMap(({ clause, among }) => {
    const filter = among ? [{ ids: { values: among } }] : [];
    const query = { bool: explain ? { filter, must: [scored(clause)] } : { filter: [...filter, clause] } };
    return [{}, { size: among?.length ?? MAX_HITS, explain, _source: false, query }];
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
