import { foldText } from '#domain/fold.ts';
import { readNumber as readNumberWords } from '#domain/text/numerals.ts';
import { memoize } from './memoize.ts';
import { wordsOf, wordTable } from './phrases.ts';

/** Returns whether two numbers differ by at most a share of the larger. */
export const isAbout = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(a, b);

export type Scalar = string | number | null | undefined;

const BLANKS: ReadonlySet<string> = new Set([
  '',
  ...wordsOf('-, --, —, ?, /, ., n/a, na, nan, null, none, undefined, unknown, not specified'),
  ...wordsOf('غير محدد, غير معروف, غير متوفر, لا يوجد'),
]);

/** Returns whether a value is missing, empty, or a word for unknown. */
export function isBlank(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (typeof value === 'number') return Number.isNaN(value);
  return typeof value === 'string' && isBlankText(value);
}
const isBlankText = memoize((text) => BLANKS.has(foldText(text)));

/** A number among words: `amount` with its multipliers, `words` the other words, folded. */
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
/** In `دوره ميه`, ميه is water, not a hundred. */
const WATER = /^دور(?:ه|ات|تين)$/;

/**
 * Replaces numbers in words by digits in a folded text: `خمسه وعشرين` becomes `25`. Ordinals and numbers with an article
 * stay: `شارع العشرين` is a name.
 */
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
 * Reads the only number in a text: digits of either script, thousands marks, and `1.2 مليون`, `850 ألف`, `مليون و200 ألف`,
 * `1.2M`, or a number in Arabic words. Null if there is none, or if there are two (a range, dimensions). An `m` means a
 * million only directly after a number: after a slash it is a month, with a 2 a square meter.
 */
export const readQuantity: (text: string) => Quantity | null = memoize((text) => {
  const stated = foldText(text);
  const folded = /[\da-z]/.test(stated) ? stated : withDigits(stated);
  const words: string[] = [];
  let total = 0;
  let current: number | null = null;
  /** The previous multiplier. A multiplier that is not smaller begins a second number. */
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
  // `مليون و200`: a number after a million without a unit means thousands.
  const amount = total + (multiplier === 1e6 && rest < 1_000 ? rest * 1_000 : rest);
  return { amount: /^-\s*\d/.test(folded) ? -amount : amount, words };
});

/** Reads one sequence of digits and marks; null if the marks are inconsistent. */
function readDigits(digits: string): number | null {
  let text = digits.replace(/[ '’]/g, '').replace(/،/g, ',');
  const commas = text.split(',').length - 1;
  const dots = text.split('.').length - 1;
  // A single comma before other than three digits is a decimal mark; repeated marks group thousands.
  if (commas === 1 && dots === 0 && !/,\d{3}$/.test(text)) text = text.replace(',', '.');
  else if (dots > 1 && commas <= 1) text = text.replaceAll('.', '').replace(',', '.');
  else text = text.replaceAll(',', '');
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Reads a number, or a text that contains exactly one. Null if missing or ambiguous. */
export function readNumber(value: Scalar): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  if (PLAIN.test(value)) return Number(value);
  return readQuantity(value)?.amount ?? null;
}
