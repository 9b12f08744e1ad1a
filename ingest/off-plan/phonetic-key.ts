/**
 * Phonetic comparison of words across alphabets, for example `Qasr`, `Kasr` and `قصر`. Every sound is encoded as one
 * character, so that words can be compared as strings. All functions are pure.
 */

import { memoize } from '#domain/memoize.ts';

/** By sound, the letters for it. Sounds that are sometimes written with the same letters are one. */
const SOUNDS: ReadonlyMap<string, string> = new Map(
  'aءعاa bبپbp tتثدذزضطظtdz kجخغقكگckqgjx sسشصs fفڤfv hهحh iie uou rر lل mم nن wو yي'
    .split(' ')
    .flatMap(([sound = '', ...letters]) => [sound, ...letters].map((letter) => [letter, sound] as const)),
);
const LATIN_PAIRS: Readonly<Record<string, string>> = { sh: 's', kh: 'k', gh: 'k', th: 't', dh: 't', ph: 'f', ch: 's' };

/** Returns the sounds of a word that was folded by `foldText`. Other characters are removed. */
export function soundsOf(word: string): string {
  // `ah`, `a` and (before another word) `at` spell the same ending. The plural ending is often spelled in the same way.
  const letters = word.length > 3 ? word.replace(/(?:a?h|at|ه|ات)$/, 'a') : word;
  return letters
    .replace(/[skgtdpc]h/g, (pair) => LATIN_PAIRS[pair] as string)
    .replace(/./gu, (letter) => SOUNDS.get(letter) ?? '')
    .replace(/(.)\1+/g, '$1');
}

/** Vowels, which Arabic often does not write, and sounds that can be a consonant or part of a long vowel. */
const SOFT_SOUNDS = 'aiuwyh';
const isSoft = (sound: string): boolean => SOFT_SOUNDS.includes(sound);

/** Costs of a missing sound, of a soft sound instead of another, and of two sounds in reverse order. */
const SOFT_COST = 0.25;
const SOFT_EXCHANGE_COST = 0.12;
const SWAP_COST = 0.7;

const costOfMissing = (sound: string): number => (isSoft(sound) ? SOFT_COST : 1);

function costOfExchange(a: string, b: string): number {
  if (a === b) return 0;
  return isSoft(a) && isSoft(b) ? SOFT_EXCHANGE_COST : 1;
}

/** Approximately the number of consonants. */
export const weightOf = (sounds: string): number => [...sounds].reduce((sum, sound) => sum + costOfMissing(sound), 0);

const MAX_CACHED_PAIRS = 200_000;
/** Pairs of words occur repeatedly. */
const compareCached = memoize((pair) => compare(...(pair.split(' ') as [string, string])), MAX_CACHED_PAIRS);

/** From 0 to 1. */
export function soundLikeness(a: string, b: string): number {
  if (a === b) return 1;
  // Arguments are sorted, so that rounding does not depend on their order.
  return compareCached(a < b ? `${a} ${b}` : `${b} ${a}`);
}

/** 1 minus the Damerau-Levenshtein distance with phonetic costs, per weight of the longer word. */
function compare(a: string, b: string): number {
  const most = Math.max(weightOf(a), weightOf(b));
  if (most === 0) return 0;
  // `rows[at][to]` is the distance of the first sounds of both words.
  const rows: number[][] = [[0]];
  for (const [to, sound] of [...b].entries()) rows[0]?.push((rows[0][to] as number) + costOfMissing(sound));
  const distance = (at: number, to: number): number => rows[at]?.[to] as number;
  for (let at = 1; at <= a.length; at++) {
    const sound = a.charAt(at - 1);
    const row = [distance(at - 1, 0) + costOfMissing(sound)];
    rows.push(row);
    for (let to = 1; to <= b.length; to++) {
      const other = b.charAt(to - 1);
      row[to] = Math.min(
        distance(at - 1, to) + costOfMissing(sound),
        distance(at, to - 1) + costOfMissing(other),
        distance(at - 1, to - 1) + costOfExchange(sound, other),
        at > 1 && to > 1 && sound === b.charAt(to - 2) && other === a.charAt(at - 2)
          ? distance(at - 2, to - 2) + SWAP_COST
          : Number.POSITIVE_INFINITY,
      );
    }
  }
  return Math.max(0, 1 - distance(a.length, b.length) / most);
}

/** Consonants, equal for most spellings of a word. */
export const skeletonOf = (sounds: string): string =>
  sounds.replace(/^[aiu]|(?<=.)[aiuwyh]/g, '').replace(/(.)\1+/g, '$1');
