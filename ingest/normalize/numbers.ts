import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { readNumber as readNumberWords } from '#domain/text/numerals.ts';
import { wordsOf, wordTable } from '#domain/text/phrases.ts';
import { foldValue } from './fold-value.ts';

/** Returns whether two numbers differ by at most `share` of the larger. */
export const isAbout = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(a, b);

export type Scalar = string | number | null | undefined;

const BLANKS: ReadonlySet<string> = new Set([
  '',
  ...wordsOf('-, --, —, ?, /, ., n/a, na, nan, null, none, undefined, unknown, not specified'),
  ...wordsOf('غير محدد, غير معروف, غير متوفر, لا يوجد'),
]);

/** Returns whether a value is missing, empty, or a word that means unknown. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'number') return Number.isNaN(value);
  return typeof value === 'string' && isBlankText(value);
}
const isBlankText = memoize((text) => BLANKS.has(foldText(text)));

/** Range of plausible values, which decides whether `1.200` is 1,200 or 1.2. */
export interface Bounds {
  min: number;
  max: number;
}

/** Counts, ages, widths and coordinates, in which a separator never groups thousands. */
export const SMALL: Bounds = { min: 0, max: 999.999 };
/** Amounts without a known magnitude, in which a separator before three digits groups thousands. */
const LARGE: Bounds = { min: 1_000, max: Number.POSITIVE_INFINITY };

const GROUPED = /^\d{1,3}(?:([ '’,.])\d{3})(?:\1\d{3})*$/;
const DECIMAL = /^(?:\d+|\d{1,3}([ '’,.])\d{3}(?:\1\d{3})*)([.,])\d+$/;
/** Digits with separators, as a token. Apostrophes and spaces only group thousands. */
export const DIGITS = String.raw`\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,،]\d+)?|\d+(?:[.,،]\d+)*`;

/**
 * Returns the possible values, first the one in which separators group thousands. Separators that repeat or precede
 * another kind group; one before other than three digits, or after zero or more than three, is decimal. A single one
 * may be either, and a single space may also separate two numbers, which is `null`.
 */
export function readDigits(digits: string): readonly (number | null)[] {
  const text = digits.replaceAll('،', ',');
  if (/^\d+$/.test(text)) return [Number(text)];
  const [separator = '', ...others] = text.match(/[^\d]/g) ?? [];
  const isOnly = others.length === 0;
  const plain = Number(text.replace(/[^\d]/g, ''));
  if (GROUPED.test(text) && !(isOnly && text.startsWith('0'))) {
    if (!isOnly || separator === "'" || separator === '’') return [plain];
    return [plain, separator === ' ' ? null : Number(text.replace(',', '.'))];
  }
  const [, group, decimal] = DECIMAL.exec(text) ?? [];
  if (decimal === undefined || group === decimal) return [];
  const [, whole = '', fraction = ''] = /^(.*)[.,](\d+)$/.exec(text) ?? [];
  return [Number(`${whole.replace(/[^\d]/g, '')}.${fraction}`)];
}

/** Returns the only possible value that is plausible. A value that is certain need not be plausible. */
export function plausible(values: readonly (number | null)[], { min, max }: Bounds): number | null {
  const [first = null] = values;
  if (values.length === 1) return first;
  const fitting = values.filter((value) => value !== null && value >= min && value <= max);
  return fitting.length === 1 ? (fitting[0] as number) : null;
}

/** A number in a text, with its possible values including multipliers; `words` has the remaining words, folded. */
export interface Quantity {
  values: readonly (number | null)[];
  words: string[];
}

const MULTIPLIERS = wordTable<number>([
  [1e3, 'ألف, ألفا, آلاف, thousand, k'],
  [2e3, 'ألفين, ألفان'],
  [1e6, 'مليون, مليونا, ملايين, million, millions, mn, m'],
  [2e6, 'مليونين, مليونان'],
  [1e9, 'مليار, billion, bn'],
]);

const FRACTIONS = wordTable<number>([
  [0.5, 'نصف, نص, half'],
  [0.25, 'ربع'],
]);

const WORDS = /\p{L}+(?: \p{L}+)*/gu;
/** In `دوره ميه`, `ميه` means water, not a hundred. */
const WATER = /^دور(?:ه|ات|تين)$/;

/** Replaces number words in a folded text with digits, but not ordinals or `شارع العشرين`, which is a name. */
export function withDigits(folded: string): string {
  return folded.replace(WORDS, (run) => {
    const words = run.replace(/(?<![^ ])و (?=\p{L})/gu, 'و').split(' ');
    const found: string[] = [];
    for (let at = 0; at < words.length; ) {
      const word = words[at] as string;
      const number = /^[وبل]*ال/.test(word) || WATER.test(words[at - 1] ?? '') ? null : readNumberWords(words, at);
      if (number === null) found.push(word);
      else
        found.push(...(word.startsWith('و') && word !== 'واحد' && word !== 'واحده' ? ['و'] : []), String(number.value));
      at += number?.length ?? 1;
    }
    return found.length === words.length && found.every((word, at) => word === words[at]) ? run : found.join(' ');
  });
}

const PLAIN = /^\d+(?:\.(?:\d{1,2}|\d{4,}))?$/;
const TOKEN = new RegExp(
  `(?<!\\p{L})([mم]2)(?![\\p{L}\\p{N}])|(?<![.,])(\\d+(?:[.,]\\d+)?e[+-]?\\d{1,2})(?![\\p{L}\\p{N}])|(${DIGITS})|([\\p{L}\\p{M}]+)|([-–—×*~])`,
  'gu',
);

/**
 * Reads the only number in a text: digits with separators, `1.2 مليون`, `850 ألف`, `مليون و200 ألف`, `1.2M`, `8.5E+05`,
 * or Arabic words. Null for none or several (a range, dimensions). `m` means million only directly after a number:
 * after a slash it means month, before a 2 square meter.
 */
export const readQuantity: (text: string) => Quantity | null = memoize((text) => {
  const stated = foldValue(text).replace(/(?<=^| )\.(?=\d)/g, '0.');
  const folded = /[\da-z]/.test(stated) ? stated : withDigits(stated);
  const grouped = quantityOf(folded, 0);
  if (grouped !== null && !grouped.isAmbiguous) return { values: [grouped.amount], words: grouped.words };
  const other = quantityOf(folded, 1);
  const found = grouped ?? other;
  return found && { values: [grouped?.amount ?? null, other?.amount ?? null], words: found.words };
});

interface ReadQuantity {
  amount: number;
  words: string[];
  isAmbiguous: boolean;
}

/** Reads a quantity. @param choice which of the possible values of ambiguous digits to use: 0 grouped, 1 decimal */
function quantityOf(folded: string, choice: 0 | 1): ReadQuantity | null {
  const words: string[] = [];
  let total = 0;
  let current: readonly (number | null)[] | null = null;
  /** The previous multiplier. Multipliers of one number decrease, as in "two million, three hundred thousand". */
  let multiplier = Number.POSITIVE_INFINITY;
  let found = false;
  let signed = false;
  let isAmbiguous = false;
  for (const { 1: unit, 2: scientific, 3: digits, 4: word, 5: sign, index } of folded.matchAll(TOKEN)) {
    if (unit !== undefined) {
      words.push(unit);
    } else if (scientific !== undefined || digits !== undefined) {
      const values: readonly (number | null)[] =
        digits === undefined ? [Number(scientific?.replace(',', '.'))] : readDigits(digits);
      if (values.length === 0 || current !== null || (found && signed)) return null;
      current = values;
      isAmbiguous ||= values.length > 1;
      found = true;
    } else if (sign !== undefined) {
      signed = found;
    } else if (word !== undefined) {
      const bare: string = word.length > 2 && word.startsWith('و') ? word.slice(1) : word;
      const before = folded.slice(Math.max(0, index - 2), index);
      // `مليون الا ربع` subtracts.
      if (word === 'الا' && found) return null;
      const factor = bare === 'm' && !/\d ?$/.test(before) ? undefined : MULTIPLIERS.get(bare);
      const fraction = FRACTIONS.get(bare);
      if (factor !== undefined && (current !== null || /^\p{Script=Arabic}{3}/u.test(bare))) {
        if (factor >= multiplier) return null;
        // Before a multiplier, an ambiguous separator is decimal. Few thousands may be many: `1,250 ألف`.
        const isFew = factor === 1e3 && current !== null && (current.at(-1) ?? 0) < 10;
        const times: number | null | undefined =
          current === null ? 1 : isFew && current.length > 1 ? current[choice] : current.at(-1);
        if (times === null || times === undefined) return null;
        if (!isFew) isAmbiguous = false;
        total += times * factor;
        current = null;
        multiplier = factor;
        found = true;
      } else if (fraction !== undefined) {
        if (multiplier < Number.POSITIVE_INFINITY) total += fraction * multiplier;
        else current = [fraction];
        found = true;
      } else words.push(/\/ ?$/.test(before) ? `per ${word}` : word);
    }
  }
  if (!found) return null;
  const rest: number | null | undefined = current === null ? 0 : current.length > 1 ? current[choice] : current[0];
  if (rest === null || rest === undefined) return null;
  // `مليون و200`: after a million, a number without a unit counts thousands.
  const sum = total + (multiplier === 1e6 && rest < 1_000 ? rest * 1_000 : rest);
  // Multiplication may add binary fractions, as in `1.1 million`.
  const amount = total === 0 ? sum : Math.round(sum * 1e3) / 1e3;
  if (!Number.isFinite(amount)) return null;
  return { amount: /^-\s*\d/.test(folded) ? -amount : amount, words, isAmbiguous };
}

/**
 * Reads a number, or a text that contains exactly one number. Null if missing or ambiguous.
 * @param bounds range of plausible values; by default, a separator before three digits groups thousands
 */
export function readNumber(value: Scalar, bounds: Bounds = LARGE): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  if (PLAIN.test(value)) return Number(value);
  const quantity = readQuantity(value);
  return quantity && plausible(quantity.values, bounds);
}
