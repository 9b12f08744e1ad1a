import { foldText } from '../fold.ts';
import { memoize } from '../memoize.ts';

/**
 * Keys for comparing names of places. `exact` drops parts that never distinguish two places (the article, "district",
 * spaces, letter case, the position of a direction). `loose` also unifies transliterations, so it counts only if it
 * identifies a single place in the city.
 */
export interface NameKeys {
  exact: string;
  loose: string;
}

// A map, because words of a text may be names of object properties (`constructor`).
const SIDES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1': 'north northern shamali shamaly shamaliyah shamaliah shamalia shamaliyyah',
    '2': 'south southern janubi janouby janoubi janubiyah janoubiyah junoobiah janubia janoubiah janubiyyah',
    '3': 'east eastern sharqi sharqy sharqiyah sharqiah sharqia sharqiyyah',
    '4': 'west western gharbi gharby gharabi garbi gharbiyah gharbiah gharbia gharbiyyah',
    '5': 'central middle wusta wosta awsat',
  }).flatMap(([side, words]) => words.split(' ').map((word) => [word, side] as const)),
);

/** Articles, including sun-letter forms, and words for "neighborhood". */
const NOISE = new Set(
  'al el an ar as ash at ath az ad adh ul district dist distt neighborhood neighbourhood neighborgood hay hayy scheme ح حي الحي مخطط'.split(
    ' ',
  ),
);

/** Longer texts have no keys. Real names are far shorter. */
const MAX_CHARACTERS = 300;

/** Returns the keys of a name in either language. Both are empty if the name has only dropped parts. */
export const nameKeys = memoize((name): NameKeys => {
  const folded = foldText(name.slice(0, MAX_CHARACTERS))
    .replace(/['’‘`ʻʼ]/g, '')
    .replace(/\([^()]*\)/g, ' ');
  const words = folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return /[\u0621-\u064a]/.test(folded) ? arabicKeys(words) : latinKeys(words);
});

function arabicKeys(words: string[]): NameKeys {
  const exact = words
    .filter((word) => !NOISE.has(word))
    .map((word) => (word.startsWith('ال') && word.length > 3 ? word.slice(2) : word))
    .join('')
    // "عبدالعزيز" is also written as two words.
    .replace(/عبدال/g, 'عبد');
  return { exact, loose: evenOutArabic(exact) };
}

function evenOutArabic(exact: string): string {
  return exact
    .replace(/^ابن/, 'بن')
    .replace(/(شمالي|جنوبي|شرقي|غربي)ه$/, '$1')
    .replace(/(?:اوسط|وسطي)$/, 'وسط')
    .replace(/ء/g, '')
    .replace(/ظ/g, 'ض')
    .replace(/و{2}/g, 'و')
    .replace(/(.{3})ا$/, '$1ه');
}

function latinKeys(words: string[]): NameKeys {
  const kept = words.filter((word) => !NOISE.has(word));
  const sides = kept.flatMap((word) => SIDES.get(word) ?? []).join('');
  const rest = kept.filter((word) => !SIDES.has(word)).map(dropGluedArticle);
  const exact = rest.join('') + sides;
  return { exact, loose: rest.map(unifyTransliteration).join('') + sides };
}

/** Returns the key of a word in Latin letters; empty for an article and for words that mean "neighborhood". */
export function latinWordKey(word: string): string {
  return NOISE.has(word) ? '' : (SIDES.get(word) ?? unifyTransliteration(dropGluedArticle(word)));
}

function dropGluedArticle(word: string): string {
  return word.length > 5 && /^a(?:l[^aeiou]|([dnrstz])\1)/.test(word) ? word.slice(2) : word;
}

function unifyTransliteration(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/^al(?=[a-z]{4})/, '')
    .replace(/y(?=y)/g, '')
    .replace(/(iya|iah|ia|ya)h?$/, 'iya')
    .replace(/ee|ie|ei/g, 'i')
    .replace(/oo|ou|ow(?=[^aeiou]|$)/g, 'u')
    .replace(/ay|ai/g, 'ai')
    .replace(/q/g, 'k')
    .replace(/gh?/g, 'j')
    .replace(/e/g, 'i')
    .replace(/o/g, 'u')
    .replace(/dh(?!i$)/g, 'd')
    .replace(/(.)\1+/g, '$1')
    .replace(/h$/, '')
    .replace(/y$/, 'i');
}
