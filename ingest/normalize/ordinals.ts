/** Ordinals in folded text, with both genders in Arabic: `الثاني عشر`, `twenty-first`, `3rd`. */

const ARABIC_UNITS = ['اول|اولي', 'ثاني?', 'ثالث', 'رابع', 'خامس', 'سادس', 'سابع', 'ثامن', 'تاسع', 'عاشر'].map(
  (word, index) => ({ value: index + 1, word: index === 0 ? word : `${word}ه?` }),
);
/** First words of the ordinals 11 and 21, 31, …. */
const ARABIC_FIRST = { value: 1, word: 'حادي(?:ه)?|واحد(?:ه)?' };
const ARABIC_TENS = ['عشر', 'ثلاث', 'اربع', 'خمس', 'ست', 'سبع', 'ثمان', 'تسع'].map((stem, index) => ({
  value: (index + 2) * 10,
  word: `${stem}[يو]ن`,
}));
const LATIN_UNITS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'].map(
  (word, index) => ({ value: index + 1, word }),
);
const LATIN_TEENS =
  'eleventh,twelfth,thirteenth,fourteenth,fifteenth,sixteenth,seventeenth,eighteenth,nineteenth'.split(',');
const LATIN_TENS = ['twent', 'thirt', 'fort', 'fift', 'sixt', 'sevent', 'eight', 'ninet'];

/** Returns all ordinals from 1 to 99 with patterns for them, longest first. */
function ordinals(): { value: number; pattern: string }[] {
  const found: { value: number; pattern: string }[] = [];
  const article = '(?:ال)?';
  const compound = [ARABIC_FIRST, ...ARABIC_UNITS.slice(1, 9)];
  for (const { value, word } of compound) {
    for (const ten of ARABIC_TENS)
      found.push({ value: value + ten.value, pattern: `${article}(?:${word}) ?و ?${article}${ten.word}` });
    found.push({ value: value + 10, pattern: `${article}(?:${word}) ?عشره?` });
  }
  for (const { value, word } of ARABIC_TENS) found.push({ value, pattern: `${article}${word}` });
  for (const { value, word } of ARABIC_UNITS) found.push({ value, pattern: `${article}(?:${word})` });
  for (const [index, ten] of LATIN_TENS.entries()) {
    for (const { value, word } of LATIN_UNITS.slice(0, 9))
      found.push({ value: (index + 2) * 10 + value, pattern: `${ten}y[ -]?${word}` });
  }
  for (const [index, ten] of LATIN_TENS.entries()) found.push({ value: (index + 2) * 10, pattern: `${ten}ieth` });
  for (const [index, word] of LATIN_TEENS.entries()) found.push({ value: index + 11, pattern: word });
  for (const { value, word } of LATIN_UNITS) found.push({ value, pattern: word });
  return found;
}

const ORDINALS = ordinals();
export const ORDINAL_PATTERN = `(?:${ORDINALS.map(({ pattern }) => pattern).join('|')})`;
const WHOLE = ORDINALS.map(({ value, pattern }) => ({ value, pattern: new RegExp(`^(?:${pattern})$`, 'u') }));

/** Reads an ordinal from 1 to 99, folded; null for anything else. */
export const readOrdinal = (word: string): number | null =>
  WHOLE.find(({ pattern }) => pattern.test(word))?.value ?? null;
