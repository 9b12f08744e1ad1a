/**
 * Letters of Persian and Urdu keyboards and of foreign sounds, with the Arabic letters that are written in their place.
 */
const LIKE_ARABIC: Readonly<Record<string, string>> = {
  ڤ: 'ف',
  پ: 'ب',
  چ: 'ج',
  ژ: 'ز',
  ڪ: 'ك',
  ک: 'ك',
  گ: 'ك',
  ں: 'ن',
};

/** Characters without an appearance, such as soft hyphens and marks of direction, which occur in pasted text. */
export const withoutIgnorable = (text: string): string => text.replace(/\p{Default_Ignorable_Code_Point}+/gu, '');

/**
 * Folds a text for comparison: drops ignorable characters, Arabic diacritics and tatweel, unifies variants of letters,
 * also of Persian and Urdu, converts digits to Latin and letters to lower case, and collapses white space.
 */
export const foldText = (text: string): string => foldUnits(text, false) ?? foldWhole(text);

/**
 * Returns the number of characters of a text as written or folded, whichever is greater: folding replaces one character
 * by up to 18. A text that is too long as written is not folded.
 */
export function longestLength(text: string, max = Number.POSITIVE_INFINITY): number {
  const written = lengthOf(text);
  return written > max ? written : Math.max(written, lengthOf(foldText(text)));
}

const lengthOf = (text: string): number => [...text].length;

/** Folds each line of a text. */
export const foldLines = (text: string): string => foldUnits(text, true) ?? text.split('\n').map(foldWhole).join('\n');

const foldWhole = (text: string): string =>
  withoutIgnorable(foldDigits(text))
    .normalize('NFKC')
    .replace(/[\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0640]+/g, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/[ةھۀہۂۃە]/g, 'ه')
    .replace(/[ىیئےۓ]/g, 'ي')
    .replace(/ؤ/g, 'و')
    .replace(/[ڤپچژڪکگں]/g, (letter) => LIKE_ARABIC[letter] as string)
    .toLowerCase()
    .replace(/\s{2,}|[^\S ]/g, ' ')
    .trim();

/** Reused for short texts. */
const buffer = new Uint16Array(8_192);
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });
const SPACE = 32;
const LINE_BREAK = 10;
const NEW = 0;
const DROPPED = 1;
/** The folding of the code unit has another length, or depends on its neighbors. */
const COMPLEX = 2;
/** For each UTF-16 code unit, its folded one, or one of the constants above. Filled as code units occur. */
const folded = new Uint16Array(0x10000);

function foldUnit(code: number): number {
  const char = String.fromCharCode(code);
  const alone = foldWhole(`1${char}1`).slice(1, -1);
  // Combining marks, except those of emojis, and the letters of Hangul compose, and a final sigma has another lower case.
  const isComplex =
    alone.length > 1 || (alone !== '' && /[[\p{M}--\u20e3]\p{Cs}\u1100-\u11ffΣ]/v.test(char.normalize('NFKC')));
  return isComplex || code <= COMPLEX ? COMPLEX : alone === '' ? DROPPED : alone.charCodeAt(0);
}

/** Returns whether two surrogates are an emoji, which folding keeps. */
const isEmoji = (high: number, low: number): boolean =>
  (high === 0xd83c && low >= 0xdf00 && low <= 0xdfff) ||
  (high === 0xd83d && low >= 0xdc00 && low <= 0xdfff) ||
  (high === 0xd83e && low >= 0xdc00 && low <= 0xdeff);

/** Folds unit by unit, three times as fast; null for a text with a complex character. */
function foldUnits(text: string, keepsLines: boolean): string | null {
  const units = text.length <= buffer.length ? buffer : new Uint16Array(text.length);
  let size = 0;
  let last = SPACE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    let unit = folded[code] as number;
    if (unit === NEW) folded[code] = unit = foldUnit(code);
    if (unit === DROPPED) continue;
    if (keepsLines && code === LINE_BREAK) {
      if (size > 0 && units[size - 1] === SPACE) size--;
      units[size++] = LINE_BREAK;
      last = SPACE;
    } else if (unit === COMPLEX) {
      const low = text.charCodeAt(++at);
      if (!isEmoji(code, low)) return null;
      units[size++] = code;
      units[size++] = last = low;
    } else if (unit !== SPACE || last !== SPACE) units[size++] = last = unit;
  }
  if (size > 0 && units[size - 1] === SPACE) size--;
  return decoder.decode(units.subarray(0, size));
}

/** Converts Arabic-Indic and Persian digits, and the Arabic decimal and thousands separators. */
export function foldDigits(text: string): string {
  if (!/[\u0660-\u0669\u06f0-\u06f9\u066b\u066c]/.test(text)) return text;
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9\u066b\u066c]/g, (char) => {
    const code = char.charCodeAt(0);
    if (code === 0x66b) return '.';
    if (code === 0x66c) return ',';
    return String(code >= 0x6f0 ? code - 0x6f0 : code - 0x660);
  });
}

/** Decides by the first letter. */
export const isLatin = (word: string): boolean => (word >= 'a' && word < '{') || (word >= '\u00c0' && word <= '\u024f');
