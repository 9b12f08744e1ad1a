import { foldText } from '../fold.ts';
import { latinWordKey } from '../geography/names.ts';

/** Words that never distinguish two names. */
const NOISE = /^(?:al|el|an|ar|as|ash|at|ath|az|ad|adh|ul|district|hay{1,2}|neighbou?rhood|حي|الحي|ال|في|in)$/;
const MAX_CHARACTERS = 100;

const isArabic = (word: string): boolean => /[\u0621-\u064a]/.test(word);

/** Apostrophes are dropped: `Ta'if`. */
const wordsOf = (text: string): string[] =>
  foldText(text.slice(0, MAX_CHARACTERS))
    .replace(/['’‘`ʻʼ]/g, '')
    .replace(/(?<!\p{L})عبد (?=ال)/gu, 'عبد')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Removes the article, in Latin letters also of a sun letter (`annakheel`), if enough of the word remains. */
function withoutArticle(word: string): string {
  if (isArabic(word)) return word.replace(/^(?:(?:وال|بال)(?=..)|ال(?=.))/, '');
  return word.replace(/^(?:a|e)(?:l(?=..)|(?=(sh|dh|th|[dlnrstz])\1..)(?:sh|dh|th|[dlnrstz]))/, '');
}

export const significantWords = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !NOISE.test(word))
    .map(withoutArticle);

/**
 * From the most to the least distinctive: the joined words, the same with transliterations of the same Arabic sounds
 * unified, and that without vowels (empty for Arabic script).
 * @param words folded words without articles and words for "neighborhood"
 */
export function formsOf(words: readonly string[]) {
  const plain = words.join('');
  const loose = words.map((word) => (isArabic(word) ? looseArabic(word) : looseLatin(word))).join('');
  return { plain, loose, consonants: isArabic(plain) ? '' : loose.replace(/[aeiouyw]/g, '') };
}

/** Unifies final letters that are confused, doubled letters, and hamza. */
const looseArabic = (word: string): string =>
  word
    .replace(/[ءئ]/g, '')
    .replace(/(.{2})[اه]$/, '$1')
    .replace(/(.{2})يي?$/, '$1ي')
    .replace(/ض/g, 'ظ')
    .replace(/(.)\1+/g, '$1');

function looseLatin(word: string): string {
  const unified = latinWordKey(word.replace(/aw(?=[^aeiouy]|$)|au|ow(?=[^aeiouy]|$)/g, 'u').replace(/gh/g, 'g'));
  return (unified === '' ? word : unified).replace(/[qgc]/g, 'k').replace(/(.)\1+/g, '$1');
}
