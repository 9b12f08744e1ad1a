/** Number of hash values per signature. More values reduce the error (about 0.5 / sqrt(n)) but make rows longer. */
export const SIGNATURE_SIZE = 24;

/** One arbitrary odd multiplier per hash function. They must not change, because signatures are stored. */
const MULTIPLIERS = Uint32Array.from(
  { length: SIGNATURE_SIZE },
  (_, index) => (Math.imul(index + 1, 0x9e3779b1) ^ (index * 0x85ebca6b)) | 1,
);
const minima = new Uint32Array(SIGNATURE_SIZE);
const packed = Buffer.alloc(SIGNATURE_SIZE * 2);

const SPACE = 0;
const IGNORED = 1;
/** By UTF-16 code unit: a folded letter, a separator, or nothing. */
const FOLDED = foldingTable();

function foldingTable(): Uint16Array {
  const table = new Uint16Array(0x10000);
  for (let code = 0; code < table.length; code++) {
    const char = String.fromCharCode(code);
    if (/[\p{L}\p{N}\p{Cs}\p{So}]/u.test(char)) table[code] = char.toLowerCase().charCodeAt(0);
    else if (/[\p{M}\u0640]/u.test(char)) table[code] = IGNORED;
  }
  const as = (chars: string, other: string) => {
    for (const char of chars) table[char.charCodeAt(0)] = other.charCodeAt(0);
  };
  as('أإآٱ', 'ا');
  as('ة', 'ه');
  as('ىیئ', 'ي');
  as('ؤ', 'و');
  as('ک', 'ك');
  for (let digit = 0; digit < 10; digit++) {
    table[0x660 + digit] = 48 + digit;
    table[0x6f0 + digit] = 48 + digit;
  }
  return table;
}

/**
 * Returns the MinHash signature of a text's words and word pairs (base64, 16 bits per position); empty for a text
 * without words. The share of equal positions in two signatures estimates the Jaccard similarity of the texts.
 */
export function textSignature(text: string): string {
  minima.fill(0xffffffff);
  let words = 0;
  let word = 0x811c9dc5;
  let length = 0;
  let previous = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? (FOLDED[text.charCodeAt(index)] as number) : SPACE;
    if (code > IGNORED) {
      word = Math.imul(word ^ code, 0x01000193);
      length++;
      continue;
    }
    if (length === 0 || code === IGNORED) continue;
    include(word);
    if (words > 0) include(Math.imul(previous, 31) ^ word);
    words++;
    previous = word;
    word = 0x811c9dc5;
    length = 0;
  }
  if (words === 0) return '';
  for (let place = 0; place < SIGNATURE_SIZE; place++) {
    // Minima of many hash values are small numbers, so they are mixed again to make their upper 16 bits differ between
    // texts.
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

/** Unpacks a signature into `into` at `offset`; returns false for an empty signature. */
export function unpackSignature(signature: string, into: Uint16Array, offset: number): boolean {
  if (signature === '') return false;
  packed.write(signature, 'base64');
  for (let place = 0; place < SIGNATURE_SIZE; place++) into[offset + place] = packed.readUInt16LE(place * 2);
  return true;
}
