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

/** Cost of a missing vowel. Arabic writes only long vowels, so each written vowel is significant. */
const WRITTEN_COST: Readonly<Record<Alphabets, number>> = { arabic: 0.5, latin: 0.3, across: 0.35 };
const VOWEL_COST: Readonly<Record<Alphabets, number>> = { arabic: 0.5, latin: 0.15, across: 0.05 };
const HALF_VOWEL_COST: Readonly<Record<Alphabets, number>> = { arabic: 0.6, latin: 0.35, across: 0.25 };

function costOfMissing(sound: string, alphabets: Alphabets): number {
  if (isIn(WRITTEN_VOWELS, sound)) return WRITTEN_COST[alphabets];
  if (isIn(VOWELS, sound)) return VOWEL_COST[alphabets];
  if (isIn(HALF_VOWELS, sound)) return HALF_VOWEL_COST[alphabets];
  return sound === 'h' ? 0.6 : 1;
}

function costOfExchange(a: string, b: string): number {
  if (a === b || (isIn(WRITTEN_VOWELS + VOWELS, a) && a.toLowerCase() === b.toLowerCase())) return 0;
  const [soft, other] = [a, b].map((sound) => isIn(SOFT_SOUNDS, sound));
  if (soft && other) return 0.12;
  if (soft || other) return 1;
  return LIKE_SOUNDS.find(([groups]) => groups.some((group) => isIn(group, a) && isIn(group, b)))?.[1] ?? 1;
}

/** Every sound is an ASCII character. */
const CODES = 128;
const EXCHANGES = Float64Array.from({ length: CODES * CODES }, (_, at) =>
  costOfExchange(String.fromCharCode(Math.floor(at / CODES)), String.fromCharCode(at % CODES)),
);
const exchangeCost = (a: number, b: number): number => EXCHANGES[a * CODES + b] as number;

const tableOf = (alphabets: Alphabets): Float64Array =>
  Float64Array.from({ length: CODES }, (_, code) => costOfMissing(String.fromCharCode(code), alphabets));
const MISSING: Readonly<Record<Alphabets, Float64Array>> = {
  arabic: tableOf('arabic'),
  latin: tableOf('latin'),
  across: tableOf('across'),
};

/** Returns the comparable length of a word, approximately its number of consonants. */
export function weightOf(sounds: string, alphabets: Alphabets): number {
  let weight = 0;
  for (let at = 0; at < sounds.length; at++) weight += MISSING[alphabets][sounds.charCodeAt(at)] as number;
  return weight;
}

const MAX_CACHED_PAIRS = 200_000;
/** Creates a cached comparison of two words, given as one string with a space. Pairs occur repeatedly. */
const comparison = (alphabets: Alphabets): ((pair: string) => number) =>
  memoize((pair) => compare(...(pair.split(' ') as [string, string]), alphabets), MAX_CACHED_PAIRS);
const COMPARISONS: Readonly<Record<Alphabets, (pair: string) => number>> = {
  arabic: comparison('arabic'),
  latin: comparison('latin'),
  across: comparison('across'),
};

/** Returns the phonetic similarity of two words, from 0 to 1. */
export function soundLikeness(a: string, b: string, alphabets: Alphabets): number {
  if (a === b) return 1;
  // Arguments are sorted, so that rounding does not depend on their order.
  return COMPARISONS[alphabets](a < b ? `${a} ${b}` : `${b} ${a}`);
}

/** Returns 1 minus the Damerau-Levenshtein distance of two words, with phonetic costs, per weight of the longer. */
function compare(a: string, b: string, alphabets: Alphabets): number {
  const most = Math.max(weightOf(a, alphabets), weightOf(b, alphabets));
  if (most === 0) return 0;
  const missing = MISSING[alphabets];
  let [earlier, before, row] = [0, 0, 0].map(() => new Float64Array(b.length + 1)) as [Row, Row, Row];
  for (let to = 1; to <= b.length; to++)
    before[to] = (before[to - 1] as number) + (missing[b.charCodeAt(to - 1)] as number);
  for (let at = 1; at <= a.length; at++) {
    const sound = a.charCodeAt(at - 1);
    row[0] = (before[0] as number) + (missing[sound] as number);
    for (let to = 1; to <= b.length; to++) {
      const other = b.charCodeAt(to - 1);
      let cost = Math.min(
        (before[to] as number) + (missing[sound] as number),
        (row[to - 1] as number) + (missing[other] as number),
        (before[to - 1] as number) + exchangeCost(sound, other),
      );
      if (at > 1 && to > 1 && sound === b.charCodeAt(to - 2) && other === a.charCodeAt(at - 2))
        cost = Math.min(cost, (earlier[to - 2] as number) + SWAP_COST);
      row[to] = cost;
    }
    [earlier, before, row] = [before, row, earlier];
  }
  return Math.max(0, 1 - (before[b.length] as number) / most);
}

type Row = Float64Array;

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
