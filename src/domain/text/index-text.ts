import { foldText } from '../fold.ts';

/** Blocks that are folded as by `foldText`: Arabic, Arabic presentation forms, full-width Latin, superscript digits. */
const FOLDED_BLOCKS = [
  [0x0600, 0x06ff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0xff01, 0xff5e],
  [0xb2, 0xb3],
  [0xb9, 0xb9],
] as const;

/** Invisible characters, which occur in pasted text. */
const INVISIBLE = [0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x2066, 0x2067, 0x2069, 0xfeff];

export const FOLDED_CHARS: ReadonlyMap<number, string> = buildFoldedChars();

/** Replacements by code unit. 0 drops the unit; `LONGER` means that the replacement is in `FOLDED_CHARS`. */
const TABLE = new Uint16Array(0x10000);
const LONGER = 0xffff;
for (let code = 0; code < TABLE.length; code += 1) TABLE[code] = code;
for (const [code, text] of FOLDED_CHARS) {
  TABLE[code] = text.length === 0 ? 0 : text.length === 1 ? text.charCodeAt(0) : LONGER;
}
TABLE[LONGER] = 0;

/** Ligatures, which are replaced by several units, and the maximum length of a replacement. */
const LIGATURES = /[\ufb50-\ufdff\ufe70-\ufefc]/;
const LONGEST = Math.max(...[...FOLDED_CHARS.values()].map((text) => text.length));

let units = new Uint16Array(1 << 15);
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

/**
 * Prepares texts for the index, and queries: folds letters, shortens repeated ones (كااااش), removes the adverb ending
 * (شهرياً), separates adjoining words and numbers, drops thousands separators, joins عبد الله and separates غيرمؤثثة.
 * Character filters in the engine would double the cost of indexing.
 */
export function indexText(text: string): string {
  // Except for ligatures, a code unit becomes at most two.
  const room = text.length * 2 + (LIGATURES.test(text) ? text.length * LONGEST : 0);
  if (units.length < room) units = new Uint16Array(room);
  length = 0;
  before = 0;
  run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = TABLE[text.charCodeAt(at)] as number;
    if (unit === 0) continue;
    if (unit !== LONGER) {
      append(unit);
      continue;
    }
    const longer = FOLDED_CHARS.get(text.charCodeAt(at)) as string;
    for (let index = 0; index < longer.length; index += 1) append(longer.charCodeAt(index));
  }
  if (isArabic(before)) endWord();
  const folded = decoder.decode(units.subarray(0, length));
  const named = folded.includes('عبد ال') ? folded.replace(SERVANT, '') : folded;
  const joined = NEGATORS.some((negator) => named.includes(negator)) ? named.replace(JOINED_NEGATION, '$1 ') : named;
  return /\d,\d{3}/.test(joined) ? joined.replace(/(?<=\d),(?=\d{3})/g, '') : joined;
}

/** The space in names such as عبد الله, which are also written as one word. */
const SERVANT = /(?<=(?<![\u0621-\u064a])[وبلك]?عبد) (?=ال[\u0621-\u064a])/g;

/** Negators that are also written together with the next word: `غيرمؤثثة`. */
const NEGATORS = ['غير', 'بدون', 'لايوجد', 'لاتوجد', 'مافيه'];
const JOINED_NEGATION = /(?<![\u0621-\u064a])(و?(?:غير|بدون|لا[يت]وجد|مافيها?))(?=[\u0621-\u064a]{4})/g;

/** Filled length of `units`, start of the last Arabic word, the last unit and its number of repetitions. */
let length = 0;
let wordStart = 0;
let before = 0;
let run = 0;

function append(unit: number): void {
  if (unit === before && isArabic(unit)) {
    run += 1;
    // Two equal letters may be intended, three are not. At the third letter the second is removed too.
    if (run > 3) return;
    if (run === 3) {
      length -= 1;
      return;
    }
  } else {
    if (isArabic(before) && !isArabic(unit)) endWord();
    if ((isDigit(unit) && isArabic(before)) || (isArabic(unit) && isDigit(before))) units[length++] = SPACE;
    if (isArabic(unit) && !isArabic(before)) wordStart = length;
    run = 1;
  }
  // The standard tokenizer would keep صالة_مجلس and صالة.مجلس as single tokens.
  const joins = unit === UNDERSCORE || ((unit === STOP || unit === COLON) && isArabic(before));
  before = joins ? SPACE : unit;
  units[length++] = before;
}

/** Adverbs in any spelling become شهري. Words such as زوايا and العليا are kept. */
function endWord(): void {
  if (length - wordStart < 5 || units[length - 1] !== ALEF || units[length - 2] !== YEH || units[length - 3] === ALEF)
    return;
  const article = units[wordStart] === WAW || units[wordStart] === BEH ? wordStart + 1 : wordStart;
  if (units[article] !== ALEF || units[article + 1] !== LAM) length -= 1;
}

const [ALEF, BEH, LAM, WAW, YEH] = [0x627, 0x628, 0x644, 0x648, 0x64a];
const [SPACE, STOP, COLON, UNDERSCORE] = [0x20, 0x2e, 0x3a, 0x5f];
const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39;
const isArabic = (unit: number): boolean => unit >= 0x621 && unit <= 0x64a;

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
