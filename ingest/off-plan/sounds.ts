/**
 * How words sound, whatever alphabet they are written in: `Qasr`, `Kasr` and `قصر` are one. Every sound is one letter, so
 * that two words can be compared as strings. All pure.
 */

const ARABIC_SOUNDS: Readonly<Record<string, string>> = {
  ا: 'a',
  ع: 'a',
  ء: 'a',
  ب: 'b',
  ت: 't',
  ث: 'c',
  ج: 'j',
  ح: 'h',
  خ: 'x',
  د: 'd',
  ذ: 'o',
  ر: 'r',
  ز: 'z',
  س: 's',
  ش: '$',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'o',
  غ: 'g',
  ف: 'f',
  ق: 'q',
  ك: 'k',
  گ: 'g',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  و: 'w',
  ي: 'y',
  پ: 'b',
  ڤ: 'f',
};
/** Sounds that take two Latin letters; the one of `c` is that of `think`, of `o` that of `this`. */
const LATIN_PAIRS: Readonly<Record<string, string>> = { sh: '$', kh: 'x', gh: 'g', th: 'c', dh: 'o', ph: 'f', ch: '$' };
const LATIN_SOUNDS: Readonly<Record<string, string>> = { e: 'i', o: 'u', c: 'k', p: 'b', v: 'f' };

/** The sounds of a folded word (`foldText`). What is neither letter is left out. */
export function soundsOf(word: string): string {
  // `ah`, `a` and, before another word, `at`: the ending that Arabic writes with one letter.
  const letters = word.length > 3 ? word.replace(/(?:a?h|at|ه)$/, 'a') : word;
  let sounds = '';
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] as string;
    const pair = LATIN_PAIRS[letters.slice(at, at + 2)];
    if (pair !== undefined) at++;
    const sound = pair ?? ARABIC_SOUNDS[letter] ?? LATIN_SOUNDS[letter] ?? (/[a-z]/.test(letter) ? letter : '');
    if (!sounds.endsWith(sound)) sounds += sound;
  }
  return sounds;
}

const VOWELS = 'aiu';
/** In Latin letters they stand for consonants and for long vowels. */
const HALF_VOWELS = 'wy';
/** Sounds that one hand or another writes with the same letters, and what it costs to take one for the other. */
const LIKE_SOUNDS: readonly (readonly [groups: readonly string[], cost: number])[] = [
  [['do', 'oz', 'qk', 'qg', 'jg', 'sc', 'tc', 'xk', 'hx', '$s'], 0.15],
  [['kg', 'tcdoz', 'qkgjx'], 0.35],
];
/** Of two letters that have changed places. */
const SWAP_COST = 0.7;

const isIn = (group: string, sound: string): boolean => group.includes(sound);

/** The alphabets of two words: both Arabic, both Latin, or one each. */
export type Alphabets = 'arabic' | 'latin' | 'across';

/** What it costs that one word lacks a vowel: Arabic writes the long ones alone, and each of them counts. */
const VOWEL_COST: Readonly<Record<Alphabets, number>> = { arabic: 0.5, latin: 0.15, across: 0.05 };
const HALF_VOWEL_COST: Readonly<Record<Alphabets, number>> = { arabic: 0.6, latin: 0.35, across: 0.25 };

function missingCost(sound: string, alphabets: Alphabets): number {
  if (isIn(VOWELS, sound)) return VOWEL_COST[alphabets];
  if (isIn(HALF_VOWELS, sound)) return HALF_VOWEL_COST[alphabets];
  return sound === 'h' ? 0.6 : 1;
}

function exchangeCost(a: string, b: string): number {
  if (a === b) return 0;
  const [soft, other] = [isIn(VOWELS, a) || isIn(HALF_VOWELS, a), isIn(VOWELS, b) || isIn(HALF_VOWELS, b)];
  if (soft && other) return 0.12;
  if (soft || other) return 1;
  return LIKE_SOUNDS.find(([groups]) => groups.some((group) => isIn(group, a) && isIn(group, b)))?.[1] ?? 1;
}

/** How much of a word can be compared: about the number of its consonants. */
export function weightOf(sounds: string, alphabets: Alphabets): number {
  let weight = 0;
  for (const sound of sounds) weight += missingCost(sound, alphabets);
  return weight;
}

/** How alike two words sound, from 0 to 1. */
export function soundLikeness(a: string, b: string, alphabets: Alphabets): number {
  if (a === b) return 1;
  const most = Math.max(weightOf(a, alphabets), weightOf(b, alphabets));
  if (most === 0) return 0;
  let [earlier, before, row] = [0, 0, 0].map(() => new Float64Array(b.length + 1)) as [Row, Row, Row];
  for (let to = 1; to <= b.length; to++)
    before[to] = (before[to - 1] as number) + missingCost(b[to - 1] as string, alphabets);
  for (let at = 1; at <= a.length; at++) {
    const sound = a[at - 1] as string;
    const missing = missingCost(sound, alphabets);
    row[0] = (before[0] as number) + missing;
    for (let to = 1; to <= b.length; to++) {
      const other = b[to - 1] as string;
      let cost = Math.min(
        (before[to] as number) + missing,
        (row[to - 1] as number) + missingCost(other, alphabets),
        (before[to - 1] as number) + exchangeCost(sound, other),
      );
      if (at > 1 && to > 1 && sound === b[to - 2] && other === a[at - 2])
        cost = Math.min(cost, (earlier[to - 2] as number) + SWAP_COST);
      row[to] = cost;
    }
    [earlier, before, row] = [before, row, earlier];
  }
  return Math.max(0, 1 - (before[b.length] as number) / most);
}

type Row = Float64Array;

/** The consonants of a word, those that may be exchanged made one: what spellings of one word have in common. */
export function skeletonOf(sounds: string): string {
  const skeleton = sounds
    .slice(0, 1)
    .replace(/[aiu]/, '')
    .concat(sounds.slice(1).replace(/[aiuwyh]/g, ''))
    .replace(/[qkgjx]/g, 'k')
    .replace(/[tcdoz]/g, 't')
    .replace(/\$/g, 's');
  return skeleton.replace(/(.)\1+/g, '$1');
}
