import { distance } from 'fastest-levenshtein';
import { isLatin } from '../fold.ts';
import { memoize } from '../memoize.ts';
import { readNumber } from '../text/numerals.ts';
import { amountAt } from './amounts.ts';
import { DICTIONARY } from './dictionary.ts';
import { isPlaceWord, placeNames } from './place-names.ts';
import type { Token } from './tokens.ts';

/** Shortest corrected word. An edit of a shorter word often results in an unrelated word. */
const SHORTEST_CORRECTED = 4;
const SHORTEST_PART = 2;
/** Shortest word that is corrected to a place name without an article or a word that introduces a place. */
const SHORTEST_UNINTRODUCED = 8;
const INTRODUCTIONS = new Set('في حي بحي احياء او و من in at near district or and of to'.split(' '));
const names = placeNames();
const LONGEST = 30;
const PREFIX = /^(?:وال|بال|فال|كال|لل|ال|[وبفل])(?=..)/;

/** Returns whether a word is in the dictionary, a number or part of a place name, possibly with a prefix. */
function isKnown(word: string): boolean {
  return [word, word.replace(/^[وبفل](?=..)/, ''), word.replace(PREFIX, '')].some(
    (form) =>
      DICTIONARY.knows(form) ||
      isPlaceWord(form) ||
      readNumber([form], 0) !== null ||
      amountAt([wordToken(form)], 0) !== null,
  );
}

const wordToken = (text: string): Token => ({ text, start: 0, end: text.length, kind: 'word' });

/**
 * Corrects misspelled words, and splits joined ones. Tokens keep their range in the sentence.
 * @param isName whether a word is part of a name that no list has
 */
export function correctSpelling(tokens: readonly Token[], isName: (word: string) => boolean): Token[] {
  return tokens.flatMap((token, at) => {
    const { text, kind } = token;
    if (kind !== 'word' || text.length < SHORTEST_CORRECTED || text.length > LONGEST || isKnown(text) || isName(text))
      return [token];
    const split = splitJoined(text);
    if (split !== null) {
      const middle = Math.min(token.end - 1, token.start + split[0].length);
      return [
        { ...token, text: split[0], end: middle },
        { ...token, text: split[1], start: middle },
      ];
    }
    const corrected = nearestWord(text);
    // `هادئة` is not a misspelling of `البادية`.
    const isIntroduced = /^[وف]?(?:بال|ال)/.test(text) || INTRODUCTIONS.has(tokens[at - 1]?.text ?? '');
    if (corrected !== null && names.has(corrected) && text.length < SHORTEST_UNINTRODUCED && !isIntroduced)
      return [token];
    return [corrected === null ? token : { ...token, text: corrected }];
  });
}

/** Splits joined words such as `شقهللايجار`. Prefers the longest possible first word. */
function splitJoined(word: string): [string, string] | null {
  for (let at = word.length - SHORTEST_PART; at >= SHORTEST_PART; at -= 1) {
    const parts: [string, string] = [word.slice(0, at), word.slice(at)];
    const shortest = Math.min(parts[0].length, parts[1].length);
    if (shortest < 3 && !(parts[0] === 'حي' || parts[0] === 'في')) continue;
    if (isLatin(word) && shortest < 4) continue;
    if (parts.every((part) => DICTIONARY.knows(part) || isPlaceWord(part.replace(PREFIX, '')) || isPlaceWord(part)))
      return parts;
  }
  return null;
}

const candidates: ReadonlyMap<number, (readonly [candidate: string, result: string])[]> = Map.groupBy(
  [
    ...[...DICTIONARY.words()].map((word) => [word, word] as const),
    ...[...names].map(([name, bare]) => [bare, name] as const),
  ],
  ([candidate]) => candidate.length,
);

/** Returns the word within one edit, or two of a long word, if all candidates mean the same. */
const nearestWord = memoize((word): string | null => {
  const bare = word.replace(PREFIX, '');
  const prefix = word.slice(0, word.length - bare.length);
  if (bare.length < SHORTEST_CORRECTED && word.length < SHORTEST_CORRECTED) return null;
  const allowed = bare.length >= 8 ? 2 : 1;
  let best = allowed + 1;
  const found = new Map<string, string>();
  const consider = (given: string, candidate: string, result: string): void => {
    const edits = isTransposed(given, candidate) ? 1 : distance(given, candidate);
    if (edits > best || edits > allowed) return;
    if (edits < best) found.clear();
    best = edits;
    found.set(candidate, result);
  };
  const near = (given: string, resultOf: (candidate: string, result: string) => string): void => {
    for (
      let length = Math.max(SHORTEST_CORRECTED, given.length - allowed);
      length <= given.length + allowed;
      length += 1
    )
      for (const [candidate, result] of candidates.get(length) ?? [])
        consider(given, candidate, resultOf(candidate, result));
  };
  // The prefix may be part of the word itself: `للبيع`.
  if (prefix !== '') near(word, (_, result) => result);
  if (found.size === 0 && bare.length >= SHORTEST_CORRECTED)
    near(bare, (candidate, result) => (candidate === result ? prefix.replace(/ال$|^لل$/, '') + candidate : result));
  const meanings = new Set([...found.values()].map((result) => DICTIONARY.nameAt([result], 0)?.value ?? result));
  return meanings.size === 1 ? ([...found.values()][0] as string) : null;
});

function isTransposed(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((char, index) => char !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
