import { isLatin, withoutIgnorable } from '#domain/fold.ts';
import { compoundKeys } from '#domain/text/compounds.ts';
import { indexText } from '#domain/text/index-text.ts';
import { isPlaceWord, latinNameAt } from '#domain/text/latin-names.ts';
import { negationsIn } from '#domain/text/negation.ts';
import { type Alternative, spellingAt } from '#domain/text/searched-text.ts';
import { isSearchable, wordsIn } from '#domain/text/stop-words.ts';
import { allOf, anyOf, type Clause } from '../clause.ts';
import { isListedWord, synonymsAt } from './synonyms.ts';

/** A word or a phrase. A phrase matches as written, without stemming. */
interface SearchTerm {
  text: string;
  phrase: boolean;
}

/** All groups must match, each by any of its terms. */
export type SearchText = readonly (readonly SearchTerm[])[];

/** A word compiles to at most 21 leaf clauses, and the engine refuses more than 1,024. */
export const MAX_WORDS = 30;

/** Returns the number of words as the index separates them: `ac-ac` has two. Phrases are counted by their words. */
export const countWords = (query: SearchText): number =>
  query.flat().reduce((sum, { text, phrase }) => sum + wordsIn(text, phrase), 0);

/**
 * Parses words that must all appear, phrases in quotes, and `|` between two terms for either, which binds its neighbors
 * only: `new villa | duplex pool` is new AND (villa OR duplex) AND pool. An unclosed quote extends to the end. Stray
 * `|`, stop words and punctuation are ignored.
 */
export function parseSearchText(q: string): SearchText {
  const groups: SearchTerm[][] = [];
  let either = false;
  for (const match of withoutIgnorable(q).matchAll(
    /["“”„‟«»‹›＂]([^"“”„‟«»‹›＂]*)["“”„‟«»‹›＂]?|\||[^\s"“”„‟«»‹›＂|]+/g,
  )) {
    const token = match[0];
    if (token === '|') {
      either = groups.length > 0;
      continue;
    }
    const phrase = match[1] !== undefined;
    const text = (phrase ? match[1] : token)?.trim() ?? '';
    if (wordsIn(text, phrase) === 0) continue;
    const term: SearchTerm = { text, phrase };
    const last = groups.at(-1);
    if (either && last) last.push(term);
    else groups.push([term]);
    either = false;
  }
  return groups;
}

/** Fields of words, of unstemmed words (`exact`), and of words that the text states as absent. */
const FIELDS = { words: 'text.body', exact: 'text.body.exact', absent: 'text.absent' } as const;

/**
 * An empty text matches nothing.
 * @param options.typos whether words that the index lacks match within one edit. False for stored queries: a small
 * batch of listings has few words.
 */
export function searchTextClause(query: SearchText, { typos = true }: { typos?: boolean } = {}): Clause {
  const clauses: Clause[] = [];
  let run: string[] = [];
  const endRun = (): void => {
    if (run.length > 0) clauses.push(runClause(run, typos));
    run = [];
  };
  for (const group of query) {
    const [first] = group;
    if (group.length === 1 && first && !first.phrase) {
      run.push(first.text);
      continue;
    }
    endRun();
    clauses.push(anyOf(group.map((term) => (term.phrase ? phraseClause(term.text) : runClause([term.text], typos)))));
  }
  endRun();
  if (clauses.length === 0) return { match_none: {} };
  return allOf(clauses);
}

/** Folds words together, because folding can join or split them. Without the words for a district beside a name. */
export function queryWords(run: readonly string[]): string[] {
  const words = indexText(run.join(' ')).toLowerCase().split(SEPARATOR).filter(isSearchable);
  return words.filter((_, at) => !isBesideName(words, at));
}

const DISTRICT_BEFORE = new Set(['حي', 'بحي', 'حاره', 'بحاره', 'ضاحيه', 'بضاحيه', 'hay', 'hai', 'hayy']);
const DISTRICT_BEHIND = new Set(['district', 'neighborhood', 'neighbourhood']);

/** Returns whether a word says only that the name after it (`حي الملقا`) or before it (`Malqa district`) is of a district. */
function isBesideName(words: readonly string[], at: number): boolean {
  const [word = '', next = ''] = words.slice(at, at + 2);
  if (DISTRICT_BEFORE.has(word)) {
    if (isLatin(next)) return latinNameAt(words, at + 1) !== null;
    return isPlaceWord(next) || (/^ال[\u0621-\u064a]{3}/.test(next) && !isListed(next));
  }
  if (!DISTRICT_BEHIND.has(word)) return false;
  // Of the words before it, at most four are the name.
  return [1, 2, 3, 4].some((length) => length <= at && latinNameAt(words, at - length)?.length === length);
}

/** Returns the words that must occur, without phrases and negated words. Each is searched alone. */
export function presentWords(query: SearchText): string[] {
  const run = query.flatMap((group) => group.flatMap(({ text, phrase }) => (phrase ? [] : [text])));
  const words = queryWords(run);
  const negated = negationsIn(words);
  return words.filter((_, at) => !negated.some(({ start, end }) => at >= start && at < end));
}

/** Matches texts that state the absence of a word or of a synonym. */
export const statedAbsent = (word: string): Clause =>
  anyOf([word, ...synonymsOf([word])].map((term) => termClause(term, FIELDS.absent)));

/** Words after a negation match texts that state their absence: `villa without pool`. */
function runClause(run: readonly string[], typos: boolean): Clause {
  const words = queryWords(run);
  const clauses: Clause[] = [];
  let from = 0;
  for (const { start, end, absent } of negationsIn(words)) {
    if (end - start === absent.length) continue;
    if (start > from) clauses.push(wordsClause(words.slice(from, start), typos));
    clauses.push(absentClause(words.slice(start, end), absent));
    from = end;
  }
  if (from < words.length) clauses.push(wordsClause(words.slice(from), typos));
  return allOf(clauses);
}

/** Separators of words, as in the engine. A period or comma may be part of a number. */
const SEPARATOR = /(?:[\s\-\u2010-\u2015;()&+!?؛؟]|(?<!\bw)\/)+/;

/** Matches the absence of all words or of their synonyms, or the whole negation or a synonym of it. */
function absentClause(words: readonly string[], absent: readonly string[]): Clause {
  return anyOf([
    allOf(absent.map(statedAbsent)),
    ...(absent.length > 1 ? synonymsOf(absent) : []).map((term) => termClause(term, FIELDS.absent)),
    { match_phrase: { [FIELDS.words]: { query: words.join(' ') } } },
    ...synonymsOf(words).map((term) => termClause(term)),
  ]);
}

/** Matches words, except in texts that mention a word or its synonym only as absent. */
function wordsClause(words: readonly string[], typos: boolean): Clause {
  const others = new Set(words.flatMap((_, at) => [...synonymsAt(words, at).values()].flat()));
  const { phrases = [], single = [] } = Object.groupBy(others, (term) => (term.includes(' ') ? 'phrases' : 'single'));
  return {
    bool: {
      filter: sequenceClauses(words, 0, words.length, words.length, typos),
      must_not: [
        { match: { [FIELDS.absent]: { query: [...words, ...single].join(' ') } } },
        ...phrases.map((term) => termClause(term, FIELDS.absent)),
      ],
    },
  };
}
/**
 * At each position, the longest sequence with a synonym or another spelling matches by one of these terms, or by its
 * words separately.
 */
function sequenceClauses(
  words: readonly string[],
  from: number,
  end: number,
  longest: number,
  typos: boolean,
): Clause[] {
  const clauses: Clause[] = [];
  for (let at = from; at < end; ) {
    const spelling = otherSpelling(words, at);
    const terms = termsAt(words, at, spelling);
    const length = Math.max(1, ...[...terms.keys()].filter((each) => each <= longest && at + each <= end));
    const others = [...(terms.get(length) ?? [])].map((term) => termClause(term));
    const written =
      length === 1
        ? writtenClause(words[at] as string, typos && spelling === null)
        : allOf(sequenceClauses(words, at, at + length, length - 1, typos));
    clauses.push(anyOf([written, ...others]));
    at += length;
  }
  return clauses;
}

/** Returns synonyms and other spellings with their synonyms, by the number of replaced words. */
function termsAt(words: readonly string[], at: number, spelling: Alternative | null): Map<number, Set<string>> {
  const terms = new Map([...synonymsAt(words, at)].map(([length, found]) => [length, new Set(found)]));
  if (spelling !== null) {
    const all = spelling.spellings.flatMap((each) => [each, ...synonymsOf(each.split(' '))]);
    terms.set(spelling.length, new Set([...(terms.get(spelling.length) ?? []), ...all]));
  }
  const word = words[at] as string;
  const keys = (spelling !== null && !spelling.isGuess) || isListed(word) ? [] : compoundKeys(word);
  if (keys.length > 0) terms.set(1, new Set([...(terms.get(1) ?? []), ...keys]));
  return terms;
}

const synonymsOf = (words: readonly string[]): readonly string[] => synonymsAt(words, 0).get(words.length) ?? [];

/** Returns another spelling of a number or a name, or of words that are written together or separately. */
export function otherSpelling(words: readonly string[], at: number): Alternative | null {
  const word = words[at] as string;
  const known = spellingAt(words, at, isKnownWord(word));
  if (known !== null) return known;
  const joined = joinWords(word, words[at + 1]);
  if (joined !== null) return { spellings: [joined], length: 2 };
  const split = splitWord(word);
  return split === null ? null : { spellings: [split], length: 1 };
}

const termClause = (term: string, field: string = FIELDS.words): Clause =>
  term.includes(' ') ? { match_phrase: { [field]: { query: term } } } : matchAll(field, term);

/**
 * Matches a folded word as written, or within one edit if the index lacks it: the engine takes only the nearest word.
 * Listed words and names are not corrected. Stems may differ by more than one edit; Arabic words are also compared by
 * stems of at least four letters, because of attached letters.
 */
function writtenClause(word: string, typos: boolean): Clause {
  const clause = matchAll(FIELDS.words, word);
  if (!typos || !mayBeMisspelled(word)) return clause;
  const asWritten = { match: { [FIELDS.exact]: { query: word, ...ONE_EDIT, fuzziness: 1 } } };
  if (isLatin(word)) return anyOf([clause, asWritten]);
  const { [FIELDS.words]: stemmed } = clause.match as Record<string, object>;
  return anyOf([{ match: { [FIELDS.words]: { ...stemmed, ...ONE_EDIT, fuzziness: 'AUTO:4,100' } } }, asWritten]);
}

/**
 * The engine builds an automaton for each corrected word, whose size grows with the word and which no timeout ends. Longer
 * words match as written.
 */
export const MAX_CORRECTED_LETTERS = 40;
export const mayBeMisspelled = (word: string): boolean => MAY_BE_MISSPELLED.test(word) && !isKnownWord(word);
const MAY_BE_MISSPELLED = new RegExp(`^[a-z\\u00c0-\\u024f\\u0621-\\u064a]{5,${MAX_CORRECTED_LETTERS}}$`);
/** Matches within one edit. The first letter must match exactly. */
const ONE_EDIT = { prefix_length: 1, max_expansions: 1 } as const;

/** Matches anywhere in the field. */
function matchAll(field: string, text: string): Clause {
  // An index with other stop words may drop a word that was kept here.
  return { match: { [field]: { query: text, operator: 'and', zero_terms_query: 'all' } } };
}

function phraseClause(text: string): Clause {
  return { match_phrase: { [FIELDS.exact]: { query: indexText(text) } } };
}

const ATTACHED = /^(?:و?(?:بال|ال|لل)|[وبل])(?=[\u0621-\u064a]{3})/;
const ENDING = /(?<=..)(?:ات|تين|ين|ان|ها|تها|ه|es|s|ing|ed)$/;

function isListed(word: string): boolean {
  const bare = word.replace(ATTACHED, '');
  const stem = bare.replace(ENDING, '');
  return [word, bare, stem, `${stem}ه`].some(isListedWord);
}

const isKnownWord = (word: string): boolean => isListed(word) || isPlaceWord(word);

/** Shorter parts occur in too many words. */
const SHORTEST_PART = 3;

function splitWord(word: string): string | null {
  if (word.length < 2 * SHORTEST_PART || isKnownWord(word)) return null;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at += 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    if (isListedWord(first) && isListedWord(second)) return `${first} ${second}`;
  }
  return null;
}

/** Joins words such as `town house` or `smart home` if the result is listed, or both are listed English words. */
function joinWords(first: string, second: string | undefined): string | null {
  if (second === undefined) return null;
  const joined = first + second;
  return isListedWord(joined) || (isLatin(joined) && isListedWord(first) && isListedWord(second)) ? joined : null;
}
