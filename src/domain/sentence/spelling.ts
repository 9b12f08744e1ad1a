import { distance } from 'fastest-levenshtein';
import { isLatin } from '../fold.ts';
import { memoize } from '../memoize.ts';
import { readNumber } from '../text/numerals.ts';
import { DICTIONARY } from './dictionary.ts';
import { isPlaceWord, placeNames } from './places.ts';
import type { Token } from './tokens.ts';

/** Shortest corrected word. An edit of a shorter word often results in an unrelated word. */
const SHORTEST_CORRECTED = 4;
/** Shortest word that is corrected to a place name without an article. */
const SHORTEST_BARE_NAME = 8;
const LONGEST = 30;
const names = placeNames();
const PREFIX = /^(?:وال|بال|فال|كال|لل|ال|[وبفل])(?=..)/;

function isKnown(word: string): boolean {
  return [word, word.replace(/^[وبفل](?=..)/, ''), word.replace(PREFIX, '')].some(
    (form) => DICTIONARY.knows(form) || isPlaceWord(form) || readNumber([form], 0) !== null,
  );
}

/** Corrects misspelled words, and splits joined ones. Tokens keep their range in the sentence. */
export function correctSpelling(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => {
    const { text, kind } = token;
    if (kind !== 'word' || text.length < SHORTEST_CORRECTED || text.length > LONGEST || isKnown(text)) return [token];
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
    const mayBeName = text.length >= SHORTEST_BARE_NAME || /^[وف]?(?:بال|ال)/.test(text);
    return [corrected === null || (names.has(corrected) && !mayBeName) ? token : { ...token, text: corrected }];
  });
}

/** Splits joined words such as `شقهللايجار`. Prefers the longest possible first word. */
function splitJoined(word: string): [string, string] | null {
  const shortest = isLatin(word) ? 4 : 3;
  for (let at = word.length - shortest; at >= shortest; at -= 1) {
    const parts: [string, string] = [word.slice(0, at), word.slice(at)];
    if (parts.every((part) => DICTIONARY.knows(part) || isPlaceWord(part.replace(PREFIX, '')))) return parts;
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

/** Returns the word within one edit, if all candidates mean the same. */
const nearestWord = memoize((word): string | null => {
  // The prefix may be part of the word itself: `للبيع`.
  const found = [word, word.replace(PREFIX, '')].map(wordsNear).find(({ length }) => length > 0) ?? [];
  const meanings = new Set(found.map((result) => DICTIONARY.nameAt([result], 0)?.value ?? result));
  return meanings.size === 1 ? (found[0] as string) : null;
});

const wordsNear = (given: string): string[] =>
  [given.length - 1, given.length, given.length + 1]
    .filter((length) => length >= SHORTEST_CORRECTED && given.length >= SHORTEST_CORRECTED)
    .flatMap((length) => candidates.get(length) ?? [])
    .filter(([candidate]) => isTransposed(given, candidate) || distance(given, candidate) <= 1)
    .map(([, result]) => result);

function isTransposed(a: string, b: string): boolean {
  const at = [...a].findIndex((char, index) => char !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}
