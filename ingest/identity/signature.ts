import { foldText } from '../../src/text/fold.ts';

/** Numbers in a signature. More make the estimate finer (its error is about 0.5 / sqrt(n)) and the row wider. */
export const SIGNATURE_SIZE = 24;

/** Odd multipliers, one a hash function; any fixed ones do. */
const MULTIPLIERS = Uint32Array.from(
  { length: SIGNATURE_SIZE },
  (_, index) => (Math.imul(index + 1, 0x9e3779b1) ^ (index * 0x85ebca6b)) | 1,
);
const minima = new Uint32Array(SIGNATURE_SIZE);
const packed = Buffer.alloc(SIGNATURE_SIZE * 2);

/**
 * The min-hash signature of a text's words and neighbouring word pairs: two texts' share of equal places estimates
 * the share of words and pairs they have in common. 16 bits a place, base64; empty for a text without words.
 */
export function textSignature(text: string): string {
  const folded = foldText(text);
  minima.fill(0xffffffff);
  let words = 0;
  let word = 0x811c9dc5;
  let length = 0;
  let previous = 0;
  for (let index = 0; index <= folded.length; index++) {
    const code = index < folded.length ? folded.charCodeAt(index) : 32;
    if (isLetterOrDigit(code)) {
      word = Math.imul(word ^ code, 0x01000193);
      length++;
      continue;
    }
    if (length === 0) continue;
    include(word);
    if (words > 0) include(Math.imul(previous, 31) ^ word);
    words++;
    previous = word;
    word = 0x811c9dc5;
    length = 0;
  }
  if (words === 0) return '';
  for (let place = 0; place < SIGNATURE_SIZE; place++) {
    // The least of many values is small: mixed again, its 16 bits tell texts apart.
    packed.writeUInt16LE(Math.imul(minima[place] as number, 0x9e3779b1) >>> 16, place * 2);
  }
  return packed.toString('base64');
}

function include(token: number): void {
  const mixed = Math.imul(token ^ (token >>> 15), 0x2c1b3c6d);
  const base = mixed ^ (mixed >>> 12);
  for (let place = 0; place < SIGNATURE_SIZE; place++) {
    const product = Math.imul(base + place, MULTIPLIERS[place] as number);
    const value = (product ^ (product >>> 16)) >>> 0;
    if (value < (minima[place] as number)) minima[place] = value;
  }
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || code >= 0x600;
}

/** Unpacks a signature into a row of `into`; false for the empty one. */
export function unpackSignature(signature: string, into: Uint16Array, offset: number): boolean {
  if (signature === '') return false;
  const bytes = Buffer.from(signature, 'base64');
  for (let place = 0; place < SIGNATURE_SIZE; place++) into[offset + place] = bytes.readUInt16LE(place * 2);
  return true;
}
