import { foldText } from '#domain/fold.ts';
import { messageOf } from '#domain/message-of.ts';
import type { Clause } from '#queries/clause.ts';
import { countWords, MAX_WORDS, parseSearchText, searchTextClause } from '#queries/text/search-text.ts';
import { withSynonyms } from '#queries/text/synonyms.ts';
import { type ListedLine, readListedLines } from '#queries/text/word-lists.ts';
import type { OpenSearch } from '../opensearch-client.ts';
import { analyzeText } from './analyze.ts';
import { searchListings } from './between.ts';

export const HITS = 10;

export interface TrialInput {
  q: string;
  /** Number of the edited line of synonyms; 0 for a new line, null without an edit. */
  line: number | null;
  edit: string;
}

export type Trial = Awaited<ReturnType<typeof tryQuery>>;
export type TrialResults = Trial['columns'][number];

/** @throws Error if the query has no searched word or too many, or a synonym is invalid */
export async function tryQuery(client: OpenSearch, input: TrialInput) {
  const query = parseSearchText(input.q);
  if (query.length === 0 || countWords(query) > MAX_WORDS)
    throw new Error(`The query has no searched word, or more than ${MAX_WORDS} words.`);
  const lines = readListedLines('synonyms.txt');
  const now = searchTextClause(query);
  const edited = input.line === null ? null : withSynonyms(editedLines(lines, input), () => searchTextClause(query));
  const [analysis, first, changed, second] = await Promise.all([
    analyzeText(client, input.q),
    search(client, 'listings', now),
    edited === null ? null : search(client, 'listings', edited),
    search(client, 'listings-previous', now),
  ]);
  const numbers = new Set(analysis.query.flatMap(({ expansions }) => expansions.flatMap(({ line }) => line ?? [])));
  return {
    analysis,
    /** For the serving index, with the edited line if there is one, and for the previous index. */
    columns: [
      { ...first, title: 'listings' },
      ...(changed === null ? [] : [{ ...changed, title: 'listings, with the edited line' }]),
      { ...second, title: 'listings-previous' },
    ],
    lines: lines.filter(({ number }) => numbers.has(number)),
    replaces: lines.some(({ number }) => number === input.line),
  };
}

/** The edited line replaces an existing one or is added. */
function editedLines(lines: readonly ListedLine[], { line, edit }: TrialInput): string[] {
  const texts = lines.map(({ number, text }) => (number === line ? foldText(edit) : text));
  return lines.some(({ number }) => number === line) ? texts : [...texts, foldText(edit)];
}

async function search(client: OpenSearch, alias: string, query: Clause) {
  try {
    const [found] = await searchListings(client, client.prefix + alias, [{ bool: { filter: [query] } }], HITS);
    const { total = 0, hits = [] } = found ?? {};
    return { total, hits: hits.map(({ id, display }) => ({ id, title: display.title ?? display.headline })) };
  } catch (error) {
    return { total: 0, hits: [], error: messageOf(error) };
  }
}
