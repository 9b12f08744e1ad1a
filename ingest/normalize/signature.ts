import { foldDigits } from '#domain/fold.ts';

/** Number of hash values per signature. More values reduce the error (about 0.5 / sqrt(n)) but make rows longer. */
export const SIGNATURE_SIZE = 24;

/** One arbitrary odd multiplier per hash function. They must not change, because signatures are stored. */
const MULTIPLIERS = Uint32Array.from(
  { length: SIGNATURE_SIZE },
  (_, index) => (Math.imul(index + 1, 0x9e3779b1) ^ (index * 0x85ebca6b)) | 1,
);
/** Letters that are written for each other. Signatures are stored, so this folding does not follow `foldText`. */
const FOLDED: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ک: 'ك',
};
const WORD = /[\p{L}\p{N}\p{Cs}\p{So}\u{10000}-\u{10ffff}]+/gu;

/** A fast precheck: other characters than those of most texts, none of which is a mark. */
const MAYBE_MARK = /[^\s!-\u02ff\u0600-\u060f\u061b-\u064a\u0660-\u066f\u2000-\u206f\ud83c-\ud83e\udc00-\udfff]/;

const withoutMarks = (text: string): string => (MAYBE_MARK.test(text) ? text.replace(/\p{M}+/gu, '') : text);

const wordsIn = (text: string): string[] =>
  foldDigits(withoutMarks(text.toLowerCase()))
    .replace(/[أإآٱةىیئؤک]/g, (letter) => FOLDED[letter] as string)
    .match(WORD) ?? [];

/**
 * Returns the MinHash signature of a text's words and word pairs (base64, 16 bits per position); empty for a text
 * without words. The share of equal positions in two signatures estimates the Jaccard similarity of the texts.
 */
export function textSignature(text: string): string {
  const hashes = wordsIn(text).map(hashOf);
  if (hashes.length === 0) return '';
  const minima = new Uint32Array(SIGNATURE_SIZE).fill(0xffffffff);
  for (const [at, hash] of hashes.entries()) {
    include(minima, hash);
    if (at > 0) include(minima, Math.imul(hashes[at - 1] as number, 31) ^ hash);
  }
  // Minima of many hash values are small numbers, so they are mixed again to make their upper 16 bits differ between
  // texts.
  const values = Uint16Array.from(minima, (minimum) => Math.imul(minimum, 0x9e3779b1) >>> 16);
  return Buffer.from(values.buffer).toString('base64');
}

/** FNV-1a over UTF-16 code units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

function include(minima: Uint32Array, token: number): void {
  const mixed = Math.imul(token ^ (token >>> 15), 0x2c1b3c6d);
  const base = mixed ^ (mixed >>> 12);
  for (let place = 0; place < SIGNATURE_SIZE; place++) {
    const product = Math.imul(base + place, MULTIPLIERS[place] as number);
    const value = (product ^ (product >>> 16)) >>> 0;
    if (value < (minima[place] as number)) minima[place] = value;
  }
}

/** Returns the values of a signature as numbers that are unique across positions. */
export function slotsOf(signature: string): number[] {
  const packed = Buffer.from(signature, 'base64');
  return Array.from({ length: packed.length / 2 }, (_, place) => place * 0x10000 + packed.readUInt16LE(place * 2));
}
