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
 * `|` binds its two neighbours only: `new villa | duplex pool` is new AND (villa OR duplex) AND pool.
 * A quote that never closes is a phrase to the end; stray `|` are ignored.
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
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    const term: SearchTerm = { text, phrase };
    const last = groups.at(-1);
    if (either && last) last.push(term);
    else groups.push([term]);
    either = false;
  }
  return groups;
}

/** The clause over one analysed field and its `.exact` sub-field. An empty search text matches nothing. */
export function searchTextClause(query: SearchText, field: string): Clause {
  const groups = query.map((group) => {
    const terms = group.map((term) => termClause(term, field));
    return terms.length === 1 && terms[0] ? terms[0] : { bool: { should: terms, minimum_should_match: 1 } };
  });
  if (groups.length === 0) return { match_none: {} };
  return groups.length === 1 && groups[0] ? groups[0] : { bool: { filter: groups } };
}

function termClause(term: SearchTerm, field: string): Clause {
  if (term.phrase) return { match_phrase: { [`${field}.exact`]: { query: term.text } } };
  // A "word" such as 3-bedroom is several tokens; all of them must appear.
  return { match: { [field]: { query: term.text, operator: 'and' } } };
}
