import { hasToken, isSearchable } from '#domain/text/stop-words.ts';
import type { Clause } from '../clause.ts';

/** A word matches by stem and synonym; a phrase matches whole, unstemmed. */
export interface SearchTerm {
  text: string;
  phrase: boolean;
}

/** All groups must match; of a group, any term. */
export type SearchText = readonly (readonly SearchTerm[])[];

export const MAX_TERMS = 30;

/**
 * Reads the `q` language: words that must all appear, `"quoted phrases"`, and `|` between two terms for either.
 * `|` binds its two neighbors only: `new villa | duplex pool` is new AND (villa OR duplex) AND pool.
 * A quote that never closes is a phrase to the end. Stray `|`, and words that the engine does not search (stop words,
 * signs), are ignored: without a word left, the result has no group.
 */
export function parseSearchText(q: string): SearchText {
  const groups: SearchTerm[][] = [];
  let either = false;
  for (const match of q.matchAll(/["“”]([^"“”]*)["“”]?|\||[^\s"“”|]+/g)) {
    const token = match[0];
    if (token === '|') {
      either = groups.length > 0;
      continue;
    }
    const phrase = match[1] !== undefined;
    const text = (phrase ? match[1] : token)?.trim() ?? '';
    if (!(phrase ? hasToken(text) : isSearchable(text))) continue;
    const term: SearchTerm = { text, phrase };
    const last = groups.at(-1);
    if (either && last) last.push(term);
    else groups.push([term]);
    either = false;
  }
  return groups;
}

/** The clause over one analyzed field and its `.exact` sub-field. An empty search text matches nothing. */
export function searchTextClause(query: SearchText, field: string): Clause {
  const clauses: Clause[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length > 0) clauses.push(wordsClause(run, field));
    run = [];
  };
  for (const group of query) {
    const [first] = group;
    if (group.length === 1 && first && !first.phrase) {
      run.push(first.text);
      continue;
    }
    endRun();
    clauses.push(
      anyOf(group.map((term) => (term.phrase ? phraseClause(term.text, field) : wordClause(term.text, field)))),
    );
  }
  endRun();
  if (clauses.length === 0) return { match_none: {} };
  return allOf(clauses);
}

/**
 * Words beside each other: each for itself, or together. Together they may be a synonym's name (swimming pool); only
 * together would be wrong, because the engine takes such a name as a phrase and the words may stand apart.
 */
function wordsClause(words: readonly string[], field: string): Clause {
  const each = allOf(words.map((word) => wordClause(word, field)));
  if (words.length === 1) return each;
  return anyOf([{ match: { [field]: { query: words.join(' '), operator: 'and' } } }, each]);
}

function wordClause(word: string, field: string): Clause {
  // A "word" such as 3-bedroom is several tokens; all of them must appear. An index made with other stop words may drop
  // a word that the parser kept: it must not match nothing, and the other words with it.
  return { match: { [field]: { query: word, operator: 'and', zero_terms_query: 'all' } } };
}

function phraseClause(text: string, field: string): Clause {
  return { match_phrase: { [`${field}.exact`]: { query: text } } };
}

const anyOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { should: clauses, minimum_should_match: 1 } };

const allOf = (clauses: readonly Clause[]): Clause =>
  clauses.length === 1 && clauses[0] ? clauses[0] : { bool: { filter: clauses } };
