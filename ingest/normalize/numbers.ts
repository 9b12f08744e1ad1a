import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { readNumber as readNumberWords } from '#domain/text/numerals.ts';
import { wordsOf, wordTable } from '#domain/text/phrases.ts';

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

/** A number in a text: `amount` includes multipliers such as thousand; `words` has the remaining words, folded. */
export interface Quantity {
  amount: number;
  words: string[];
}

const MULTIPLIERS = wordTable<number>([
  [1e3, 'ألف, آلاف, thousand, k'],
  [2e3, 'ألفين, ألفان'],
  [1e6, 'مليون, ملايين, million, millions, mn, m'],
  [2e6, 'مليونين, مليونان'],
  [1e9, 'مليار, billion, bn'],
]);

const FRACTIONS = wordTable<number>([
  [0.5, 'نصف, نص, half'],
  [0.25, 'ربع'],
]);

/** Words separated by single spaces. */
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

const PLAIN = /^\d+(?:\.\d+)?$/;
const TOKEN =
  /(?<!\p{L})([mم]2)(?![\p{L}\p{N}])|(\d{1,3}(?:[ ,'’،]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:[.,،]\d+)*)|([\p{L}\p{M}]+)|([-–—×*])/gu;

/**
 * Reads the only number in a text: digits of either script with thousands separators, `1.2 مليون`, `850 ألف`, `مليون
 * و200 ألف`, `1.2M`, or Arabic number words. Null if there is none, or more than one (a range, dimensions). `m` means
 * million only directly after a number: after a slash it means month, and before a 2 it is part of a square meter.
 */
export const readQuantity: (text: string) => Quantity | null = memoize((text) => {
  const stated = foldText(text);
  const folded = /[\da-z]/.test(stated) ? stated : withDigits(stated);
  const words: string[] = [];
  let total = 0;
  let current: number | null = null;
  /** The previous multiplier. Multipliers of one number decrease, as in "two million, three hundred thousand". */
  let multiplier = Number.POSITIVE_INFINITY;
  let found = false;
  let signed = false;
  for (const { 1: unit, 2: digits, 3: word, 4: sign, index } of folded.matchAll(TOKEN)) {
    if (unit !== undefined) {
      words.push(unit);
    } else if (digits !== undefined) {
      const number = readDigits(digits);
      if (number === null || current !== null || (found && signed)) return null;
      current = number;
      found = true;
    } else if (sign !== undefined) {
      signed = found;
    } else if (word !== undefined) {
      const bare: string = word.length > 2 && word.startsWith('و') ? word.slice(1) : word;
      const before = folded.slice(Math.max(0, index - 2), index);
      const factor = bare === 'm' && !/\d ?$/.test(before) ? undefined : MULTIPLIERS.get(bare);
      const fraction = FRACTIONS.get(bare);
      if (factor !== undefined && (current !== null || bare.length > 2)) {
        if (factor >= multiplier) return null;
        total += (current ?? 1) * factor;
        current = null;
        multiplier = factor;
        found = true;
      } else if (fraction !== undefined) {
        if (multiplier < Number.POSITIVE_INFINITY) total += fraction * multiplier;
        else current = fraction;
        found = true;
      } else words.push(/\/ ?$/.test(before) ? `per ${word}` : word);
    }
  }
  if (!found) return null;
  const rest = current ?? 0;
  // `مليون و200`: after a million, a number without a unit counts thousands.
  const amount = total + (multiplier === 1e6 && rest < 1_000 ? rest * 1_000 : rest);
  return { amount: /^-\s*\d/.test(folded) ? -amount : amount, words };
});

/** Parses one sequence of digits and separators; null if the separators are inconsistent. */
function readDigits(digits: string): number | null {
  let text = digits.replace(/[ '’]/g, '').replace(/،/g, ',');
  const commas = text.split(',').length - 1;
  const dots = text.split('.').length - 1;
  // A single comma that is not followed by three digits is a decimal separator; repeated separators group thousands.
  if (commas === 1 && dots === 0 && !/,\d{3}$/.test(text)) text = text.replace(',', '.');
  else if (dots > 1 && commas <= 1) text = text.replaceAll('.', '').replace(',', '.');
  else text = text.replaceAll(',', '');
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Reads a number, or a text that contains exactly one number. Null if missing or ambiguous. */
export function readNumber(value: Scalar): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  if (PLAIN.test(value)) return Number(value);
  return readQuantity(value)?.amount ?? null;
}
