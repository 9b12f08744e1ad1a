import { isLatin } from '#domain/fold.ts';
import { isPlaceWord } from '#domain/text/names.ts';
import { readWordList } from './word-lists.ts';

/** Folded words of both lists. */
const listed = new Set(
  [...readWordList('words.txt'), ...readWordList('synonyms.txt')].flatMap((line) => line.split(/[\s,]+/)),
);

/** Attached Arabic prefixes and regular endings. */
const ATTACHED = /^(?:و?(?:بال|ال|لل)|[وبل])(?=[\u0621-\u064a]{3})/;
const ENDING = /(?<=..)(?:ات|تين|ين|ان|ها|تها|ه|es|s|ing|ed)$/;

export function isListed(word: string): boolean {
  const bare = word.replace(ATTACHED, '');
  const stem = bare.replace(ENDING, '');
  return [word, bare, stem, `${stem}ه`].some((form) => listed.has(form));
}

/** Returns whether a word is listed or the name of a place, and therefore not misspelled. */
export const isKnownWord = (word: string): boolean => isListed(word) || isPlaceWord(word);

/** Shorter parts occur in too many words. */
const SHORTEST_PART = 3;

/** Splits a word such as `livingroom` or `غرفةنوم` into two listed words; null otherwise. */
export function splitWord(word: string): string | null {
  if (word.length < 2 * SHORTEST_PART || isKnownWord(word)) return null;
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at += 1) {
    const [first, second] = [word.slice(0, at), word.slice(at)];
    if (listed.has(first) && listed.has(second)) return `${first} ${second}`;
  }
  return null;
}

/**
 * Joins words such as `town house` or `smart home` if the result is listed, or both are listed English words; null
 * otherwise.
 */
export function joinWords(first: string, second: string | undefined): string | null {
  if (second === undefined) return null;
  const joined = first + second;
  return listed.has(joined) || (isLatin(joined) && listed.has(first) && listed.has(second)) ? joined : null;
}
