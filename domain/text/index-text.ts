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

const FOLDED_CHARS: ReadonlyMap<string, string> = buildFoldedChars();
/** Also ignorable characters, and Latin letters in other forms, such as ligatures. The engine folds plain capitals. */
export const FOLDED = new RegExp(
  `[${rangesOf([...FOLDED_CHARS.keys()])}\\p{Default_Ignorable_Code_Point}[\\p{Script=Latin}&&[\\p{CWKCF}--[A-Z]]]]`,
  'gv',
);

/**
 * Prepares texts for the index, and queries: folds letters, shortens repeated ones (كااااش), removes the adverb ending
 * (شهرياً), separates adjoining words and numbers, drops thousands separators, joins عبد الله and A/C, and separates غيرمؤثثة.
 * Character filters of the engine take twice as long.
 */
export function indexText(text: string): string {
  return (
    text
      .replace(FOLDED, (char) => FOLDED_CHARS.get(char) ?? foldText(char))
      // Two equal letters may be intended, three are not.
      .replace(/([\u0621-\u064a])\1{2,}/g, '$1')
      .replace(ADVERB_ENDING, '$1')
      .replace(/(?<=[\u0621-\u064a])(?=\d)|(?<=\d)(?=[\u0621-\u064a])/g, ' ')
      // The standard tokenizer would keep صالة_مجلس and صالة.مجلس as single tokens.
      .replace(/_|(?<=[\u0621-\u064a])[.:]/g, ' ')
      .replace(SERVANT, '')
      .replace(JOINED_NEGATION, '$1 ')
      .replace(/\b(a)\/(?=c\b)/gi, '$1')
      .replace(/(?<=\d),(?=\d{3})/g, '')
  );
}

/** Adverbs in any spelling become شهري. Words such as زوايا and العليا are kept. */
const ADVERB_ENDING =
  /(?<![\u0621-\u064a])(?![وب]?ال)([\u0621-\u064a]{2,}[\u0621-\u0626\u0628-\u064a]ي)ا(?![\u0621-\u064a])/g;

const SERVANT = /(?<=(?<![\u0621-\u064a])[وبلك]?عبد) (?=ال[\u0621-\u064a])/g;

const JOINED_NEGATION = /(?<![\u0621-\u064a])(و?(?:غير|بدون|لا[يت]وجد|مافيها?))(?=[\u0621-\u064a]{4})/g;

/** Returns the ranges of a character class that has these characters and no others. */
function rangesOf(chars: readonly string[]): string {
  const ranges: { first: string; last: string }[] = [];
  for (const char of chars.toSorted()) {
    const range = ranges.at(-1);
    if (range?.last.charCodeAt(0) === char.charCodeAt(0) - 1) range.last = char;
    else ranges.push({ first: char, last: char });
  }
  return ranges.map(({ first, last }) => `${first}-${last}`).join('');
}

function buildFoldedChars(): Map<string, string> {
  const chars = new Map<string, string>();
  for (const [first, last] of FOLDED_BLOCKS) {
    for (let code = first; code <= last; code += 1) {
      const char = String.fromCharCode(code);
      const folded = foldText(char);
      if (folded !== char) chars.set(char, folded);
    }
  }
  return chars;
}
