/**
 * Phonetic comparison of words across alphabets, for example `Qasr`, `Kasr` and `قصر`. Every sound is encoded as one
 * character, so that words can be compared as strings. All functions are pure.
 */

import { memoize } from '#domain/memoize.ts';

/** Each Arabic letter, followed by its sound. */
const ARABIC_SOUNDS: Readonly<Record<string, string>> = Object.fromEntries(
  'اA عa ءa بb تt ثc جj حh خx دd ذo رr زz سs ش$ صs ضd طt ظo غg فf قq كk گg لl مm نn هh وw يy پb ڤf'
    .split(' ')
    .map(([letter, sound]) => [letter, sound]),
);
/** Pairs of Latin letters that form one sound. `c` is the sound in `think`, `o` the sound in `this`. */
const LATIN_PAIRS: Readonly<Record<string, string>> = { sh: '$', kh: 'x', gh: 'g', th: 'c', dh: 'o', ph: 'f', ch: '$' };
const LATIN_SOUNDS: Readonly<Record<string, string>> = { e: 'i', o: 'u', c: 'k', p: 'b', v: 'f' };

/** Returns the sounds of a word that was folded by `foldText`. Other characters are removed. */
export function soundsOf(word: string): string {
  // `ah`, `a` and (before another word) `at` spell the same ending. The plural ending is often spelled in the same way.
  const letters = word.length > 3 ? word.replace(/(?:a?h|at|ه|ات)$/, 'a') : word;
  let sounds = '';
  let last = '';
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string;
    const pair = LATIN_PAIRS[letters.slice(at, at + 2)];
    if (pair !== undefined) at++;
    const sound = pair ?? ARABIC_SOUNDS[letter] ?? LATIN_SOUNDS[letter] ?? (/[a-z]/.test(letter) ? letter : '');
    if (sound !== '' && sound !== last) {
      sounds += sound;
      last = sound;
    }
  }
  return sounds.replace(/^[aiu]/, (vowel) => vowel.toUpperCase());
}

const VOWELS = 'aiu';
/** Vowels that both alphabets write: those at the beginning of a word, and the Arabic alef. */
const WRITTEN_VOWELS = 'AIU';
/** Sounds that can be a consonant or a long vowel. */
const HALF_VOWELS = 'wy';
const SOFT_SOUNDS = WRITTEN_VOWELS + VOWELS + HALF_VOWELS;
/** Groups of sounds that are sometimes written with the same letters, and the cost of substituting one for another. */
const LIKE_SOUNDS: readonly (readonly [groups: readonly string[], cost: number])[] = [
  [['do', 'oz', 'qk', 'qg', 'jg', 'sc', 'tc', 'xk', 'hx', '$s'], 0.15],
  [['kg', 'tcdoz', 'qkgjx'], 0.35],
];
const SWAP_COST = 0.7;

const isIn = (group: string, sound: string): boolean => group.includes(sound);

/** Alphabets of two words: both Arabic, both Latin, or one of each. */
export type Alphabets = 'arabic' | 'latin' | 'across';

/** Costs of a missing sound. Arabic writes only long vowels, so each written vowel is significant. */
const MISSING_COSTS: Readonly<Record<Alphabets, { written: number; vowel: number; halfVowel: number }>> = {
  arabic: { written: 0.5, vowel: 0.5, halfVowel: 0.6 },
  latin: { written: 0.3, vowel: 0.15, halfVowel: 0.35 },
  across: { written: 0.35, vowel: 0.05, halfVowel: 0.25 },
};

function costOfMissing(sound: string, alphabets: Alphabets): number {
  const costs = MISSING_COSTS[alphabets];
  if (isIn(WRITTEN_VOWELS, sound)) return costs.written;
  if (isIn(VOWELS, sound)) return costs.vowel;
  if (isIn(HALF_VOWELS, sound)) return costs.halfVowel;
  return sound === 'h' ? 0.6 : 1;
}

function costOfExchange(a: string, b: string): number {
  if (a === b || (isIn(WRITTEN_VOWELS + VOWELS, a) && a.toLowerCase() === b.toLowerCase())) return 0;
  const [soft, other] = [a, b].map((sound) => isIn(SOFT_SOUNDS, sound));
  if (soft && other) return 0.12;
  if (soft || other) return 1;
  return LIKE_SOUNDS.find(([groups]) => groups.some((group) => isIn(group, a) && isIn(group, b)))?.[1] ?? 1;
}

/** Returns the comparable length of a word, approximately its number of consonants. */
export const weightOf = (sounds: string, alphabets: Alphabets): number =>
  [...sounds].reduce((sum, sound) => sum + costOfMissing(sound, alphabets), 0);

const MAX_CACHED_PAIRS = 200_000;
/** Pairs of words occur repeatedly. */
const compareCached = memoize((pair) => compare(...(pair.split(' ') as [string, string, Alphabets])), MAX_CACHED_PAIRS);

/** Returns the phonetic similarity of two words, from 0 to 1. */
export function soundLikeness(a: string, b: string, alphabets: Alphabets): number {
  if (a === b) return 1;
  // Arguments are sorted, so that rounding does not depend on their order.
  return compareCached(a < b ? `${a} ${b} ${alphabets}` : `${b} ${a} ${alphabets}`);
}

/** Returns 1 minus the Damerau-Levenshtein distance of two words, with phonetic costs, per weight of the longer. */
function compare(a: string, b: string, alphabets: Alphabets): number {
  const most = Math.max(weightOf(a, alphabets), weightOf(b, alphabets));
  if (most === 0) return 0;
  const missing = (sound: string): number => costOfMissing(sound, alphabets);
  // `rows[at][to]` is the distance of the first sounds of both words.
  const rows: number[][] = [[0]];
  for (const [to, sound] of [...b].entries()) rows[0]?.push((rows[0][to] as number) + missing(sound));
  const distance = (at: number, to: number): number => rows[at]?.[to] as number;
  for (let at = 1; at <= a.length; at++) {
    const sound = a.charAt(at - 1);
    const row = [distance(at - 1, 0) + missing(sound)];
    rows.push(row);
    for (let to = 1; to <= b.length; to++) {
      const other = b.charAt(to - 1);
      row[to] = Math.min(
        distance(at - 1, to) + missing(sound),
        distance(at, to - 1) + missing(other),
        distance(at - 1, to - 1) + costOfExchange(sound, other),
        at > 1 && to > 1 && sound === b.charAt(to - 2) && other === a.charAt(at - 2)
          ? distance(at - 2, to - 2) + SWAP_COST
          : Number.POSITIVE_INFINITY,
      );
    }
  }
  return Math.max(0, 1 - distance(a.length, b.length) / most);
}

/** Returns the consonants of a word, with interchangeable ones unified: equal for most spellings of a word. */
export function skeletonOf(sounds: string): string {
  const skeleton = sounds
    .slice(0, 1)
    .replace(/[aiu]/i, '')
    .concat(sounds.slice(1).replace(/[aiuwyh]/gi, ''))
    .replace(/[qkgjx]/g, 'k')
    .replace(/[tcdoz]/g, 't')
    .replace(/\$/g, 's');
  return skeleton.replace(/(.)\1+/g, '$1');
}
