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

/**
 * Folds a text for comparison: drops Arabic diacritics and tatweel, unifies variants of letters, also of Persian and
 * Urdu, converts digits to Latin and letters to lower case, and collapses white space.
 */
export function foldText(text: string): string {
  return foldDigits(text)
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
