import { foldText } from './fold.ts';

/** Blocks in which `foldText` changes letters: Arabic, its presentation forms, full-width Latin, superscript digits. */
const FOLDED_BLOCKS = [
  [0x0600, 0x06ff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0xff01, 0xff5e],
  [0xb2, 0xb3],
  [0xb9, 0xb9],
] as const;

/** Marks without width, which advertisers paste in and nobody types. */
const INVISIBLE = [0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x2066, 0x2067, 0x2069, 0xfeff];

/**
 * Every code unit that text analysis replaces, with its replacement. The engine's char filter `fold` is made from it
 * for queries, and `indexText` applies it to documents, so both sides fold alike.
 */
export const FOLDED_CHARS: ReadonlyMap<number, string> = buildFoldedChars();

/** Replacement by code unit: 0 drops it, `LONGER` looks it up in `FOLDED_CHARS`. */
const TABLE = new Uint16Array(0x10000);
const LONGER = 0xffff;
for (let code = 0; code < TABLE.length; code += 1) TABLE[code] = code;
for (const [code, text] of FOLDED_CHARS) {
  TABLE[code] = text.length === 0 ? 0 : text.length === 1 ? text.charCodeAt(0) : LONGER;
}
TABLE[LONGER] = 0;

/** Code units with a replacement of several, and how long the longest is. */
const LIGATURES = /[\ufb50-\ufdff\ufe70-\ufefc]/;
const LONGEST = Math.max(...[...FOLDED_CHARS.values()].map((text) => text.length));

let units = new Uint16Array(1 << 15);

/**
 * Text as the index takes it: letters folded, numbers set apart from Arabic words, thousands marks dropped. The engine's
 * char filters do the same to queries; for documents they would cost it as much as all the rest of its work.
 */
export function indexText(text: string): string {
  // A unit gives two at most, but for ligatures.
  const room = text.length * 2 + (LIGATURES.test(text) ? text.length * LONGEST : 0);
  if (units.length < room) units = new Uint16Array(room);
  let length = 0;
  let before = OTHER;
  for (let at = 0; at < text.length; at += 1) {
    const unit = TABLE[text.charCodeAt(at)] as number;
    if (unit === 0) continue;
    if (unit === LONGER) {
      const longer = FOLDED_CHARS.get(text.charCodeAt(at)) as string;
      if (before === DIGIT) units[length++] = 0x20;
      for (let index = 0; index < longer.length; index += 1) units[length++] = longer.charCodeAt(index);
      before = LETTER;
      continue;
    }
    const kind = unit >= 0x30 && unit <= 0x39 ? DIGIT : unit >= 0x621 && unit <= 0x64a ? LETTER : OTHER;
    if (kind + before === DIGIT + LETTER) units[length++] = 0x20;
    before = kind;
    units[length++] = unit;
  }
  const folded = Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  return /\d,\d{3}/.test(folded) ? folded.replace(/(?<=\d),(?=\d{3})/g, '') : folded;
}

/** Kinds of characters; only a digit beside an Arabic letter adds up to 3. */
const OTHER = 0;
const DIGIT = 1;
const LETTER = 2;

function buildFoldedChars(): Map<number, string> {
  const chars = new Map<number, string>(INVISIBLE.map((code) => [code, '']));
  for (const [first, last] of FOLDED_BLOCKS) {
    for (let code = first; code <= last; code += 1) {
      const char = String.fromCharCode(code);
      const folded = foldText(char);
      if (folded !== char) chars.set(code, folded);
    }
  }
  return chars;
}
