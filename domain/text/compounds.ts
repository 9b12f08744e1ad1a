import { isLatin } from '../fold.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * No gazetteer lists compounds and projects. Their names are compared across scripts by consonants: `Arizona Compound`
 * and `كمباوند أريزونا` have the key `0rdn0`.
 */

const stopWords = new Set(STOP_WORDS);
const withPrefixes = (words: string): ReadonlySet<string> =>
  new Set(
    words
      .split(/\s+/)
      .flatMap((word) => ['', 'ال', 'ب', 'بال', 'ل', 'لل', 'و', 'وال'].map((letters) => letters + word)),
  );
const COMPLEXES = withPrefixes('مجمع');
const MARKERS: ReadonlySet<string> = new Set([
  ...withPrefixes(
    `كمباوند كومباوند مجمع مشروع منتجع برج ابراج تاور تاورز فيليج فيليدج فيلج ريزيدنس ريزيدنسي قاردنز جاردنز هايتس هيلز بلازا
    ريزورت`,
  ),
  ...'compound project village villas residence residences residency tower towers gardens heights hills plaza resort'.split(
    ' ',
  ),
]);
/** Words after مجمع that make it another kind of complex. */
const OTHER_COMPLEX =
  /^(?:ال)?(?:تجاري|طبي|تعليمي|رياضي|خدمي|اداري|صناعي|حكومي|ترفيهي|تجاريه|مدارس|مدرسي|عيادات|اسواق|محلات|مكاتب|ورش|مستودعات|مول)$/;
/** Largest distance in words between a name and its marker. */
const REACH = 2;
const SHORTEST = 2;

export const isMarker = (word: string): boolean => MARKERS.has(word);

/** Returns whether a word such as `مجمع` means a compound, unlike `مجمع تجاري`. */
export function isCompound(words: readonly string[], at: number): boolean {
  if (!COMPLEXES.has(words[at] as string)) return false;
  const behind = words.slice(at + 1, at + 4);
  return behind.length > 0 && !behind.some((word) => OTHER_COMPLEX.test(word));
}

export function compoundKeysNear(words: readonly string[], at: number): string[] {
  if (COMPLEXES.has(words[at] as string) && !isCompound(words, at)) return [];
  const before = words.slice(Math.max(0, at - REACH), at).reverse();
  return [before, words.slice(at + 1, at + REACH + 1)]
    .flatMap(untilStopWord)
    .flatMap((word) => (isMarker(word) ? [] : compoundKeys(word)));
}

function untilStopWord(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => stopWords.has(word));
  return end < 0 ? words : words.slice(0, end);
}

/** Returns the keys of a word, or none if it has too few consonants. */
export function compoundKeys(word: string): string[] {
  if (stopWords.has(word) || /\d/.test(word)) return [];
  const forms = isLatin(word) ? latinConsonants(word) : [arabicConsonants(word)];
  const keys = forms.map((consonants) => consonants.replace(/(.)\1+/g, '$1'));
  return [...new Set(keys)].filter(({ length }) => length >= SHORTEST).map((key) => `0${key}0`);
}

/** One letter for each class of consonants. Letters that one of the scripts does not distinguish share a class. */
const ARABIC_CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ب: 'b',
    ف: 'f',
    تطث: 't',
    دضذظز: 'd',
    سص: 's',
    ش: 'x',
    قكغخج: 'k',
    ح: 'h',
    ه: 'h',
    ل: 'l',
    م: 'm',
    ن: 'n',
    ر: 'r',
  }).flatMap(([letters, consonant]) => [...letters].map((letter) => [letter, consonant] as const)),
);

const arabicConsonants = (word: string): string =>
  [...word.replace(/^و?ال(?=..)/, '').replace(/ه$/, '')].map((letter) => ARABIC_CLASSES.get(letter) ?? '').join('');

/** `ch` may be ش or ك, and a final `at` is the ending ة before another name. */
function latinConsonants(word: string): string[] {
  const bare = word
    .normalize('NFD')
    .replace(/\p{M}|'/gu, '')
    .replace(/^(?:al|el)(?=[^aeiou])/, '')
    .replace(/h$/, '');
  return [bare, bare.replace(/at$/, '')].flatMap((form) =>
    ['x', 'k'].map((ch) =>
      form
        .replace(/c(?=[eiy])/g, 's')
        .replace(/ch/g, ch)
        .replace(/sh/g, 'x')
        .replace(/kh|gh|ck|[qgjc]/g, 'k')
        .replace(/th/g, 't')
        .replace(/dh|z/g, 'd')
        .replace(/ph|v/g, 'f')
        .replace(/p/g, 'b')
        .replace(/[aeiouwy]/g, ''),
    ),
  );
}
