import { aggregationBody, type Clause } from '../clause.ts';
import type { ClauseContext } from '../filters/kinds.ts';
import type { FilterValues } from '../filters/table.ts';
import { parseSearchText, presentWords, searchTextClause, statedAbsent } from '../text/search-text.ts';
import { searchFilter } from './search.ts';

export interface NegatedResponse {
  aggregations: { words: { buckets: Readonly<Record<string, { doc_count: number }>> } };
}

/**
 * Counts the listings that have a word of `q`, and those that state its absence, with all other filters.
 * @returns null for a `q` of phrases or negated words only
 */
export function negatedBody(
  { q = '', ...others }: FilterValues,
  context: ClauseContext,
): Record<string, unknown> | null {
  const filters: Record<string, Clause> = {};
  for (const [at, word] of wordsOf(q).entries()) {
    filters[`${at} present`] = searchTextClause([[{ text: word, phrase: false }]]);
    filters[`${at} absent`] = statedAbsent(word);
  }
  if (Object.keys(filters).length === 0) return null;
  return aggregationBody(searchFilter(others, context), { words: { filters: { filters } } });
}

/** Returns the words that listings only state as absent, folded. */
export function readNegated(q: string, { aggregations: { words } }: NegatedResponse): string[] {
  const count = (key: string): number => words.buckets[key]?.doc_count ?? 0;
  return wordsOf(q).filter((_, at) => count(`${at} present`) === 0 && count(`${at} absent`) > 0);
}

const wordsOf = (q: string): string[] => [...new Set(presentWords(parseSearchText(q)))];
