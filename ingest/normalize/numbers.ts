import { foldText } from '#domain/fold.ts';
import { memoize } from '#domain/memoize.ts';
import { readNumber as readNumberWords } from '#domain/text/numerals.ts';
import { wordsOf, wordTable } from '#domain/text/phrases.ts';
import { matchesOf } from './patterns.ts';
import { foldValue } from './text.ts';

/** Returns whether two numbers differ by at most `share` of the larger. */
export const isAbout = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(a, b);

export type Scalar = string | number | null | undefined;

const BLANKS: ReadonlySet<string> = new Set([
  '',
  ...wordsOf('-, --, —, ?, /, ., n/a, na, nan, nat, <na>, null, none, undefined, unknown, not specified'),
  ...wordsOf('غير محدد, غير معروف, غير متوفر, لا يوجد'),
]);

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
/** Amounts without a known magnitude: a separator before three digits groups thousands. */
export const LARGE: Bounds = { min: 1_000, max: Number.POSITIVE_INFINITY };

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
  if (decimal === undefined || group === decimal || (group !== undefined && text.startsWith('0'))) return [];
  const [, whole = '', fraction = ''] = /^(.*)[.,](\d+)$/.exec(text) ?? [];
  const number = Number(`${whole.replace(/[^\d]/g, '')}.${fraction}`);
  // Four or more decimals may be a misplaced separator.
  return fraction.length > 3 ? [null, number] : [number];
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
  before: readonly string[];
  after: readonly string[];
}

const MULTIPLIERS = wordTable<number>([
  [1e3, 'ألف, ألفا, آلاف, thousand, k'],
  [1e6, 'مليون, مليونا, ملايين, million, millions, mn, m'],
  [1e9, 'مليار, billion, bn'],
]);
/** `مليونين` is two of a multiplier. */
const DUALS = /(?<![a-z\u0621-\u064a])(و?)(الف|مليون|مليار)(?:ين|ان)(?![a-z\u0621-\u064a])/gu;

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
    let hasNumber = false;
    for (let at = 0; at < words.length; ) {
      const word = words[at] as string;
      const read = readNumberWords(words, at);
      const number = read === null || /^[وبل]*ال/.test(word) || WATER.test(words[at - 1] ?? '') ? null : read;
      if (number === null) found.push(word);
      else
        found.push(...(word.startsWith('و') && word !== 'واحد' && word !== 'واحده' ? ['و'] : []), String(number.value));
      hasNumber ||= number !== null;
      at += number?.length ?? 1;
    }
    return hasNumber ? found.join(' ') : run;
  });
}

/** Numbers as spreadsheets write them: `8.5E+05`. */
const SCIENTIFIC = /(?<![\d.,])\d+(?:[.,]\d+)?e[+-]?\d{1,2}(?![a-z0-9\u0621-\u064a])/gu;

export function foldNumber(text: string): string {
  const folded = foldValue(text)
    .replace(SCIENTIFIC, (number) => String(Number(number.replace(',', '.'))))
    .replace(/(?<=^| )\.(?=\d)/g, '0.');
  return (/\d/.test(folded) ? folded : withDigits(folded)).replace(DUALS, '$1 2 $2');
}

const PLAIN = /^\d+(?:\.(?:\d{1,2}|\d{4,}))?$/;
const TOKEN = new RegExp(
  `(?<![a-z\\u0621-\\u064a])([mم]2)(?![a-z0-9\\u0621-\\u064a])|(${DIGITS})|([\\p{L}\\p{M}]+)|([-–—×*~])`,
  'gu',
);

/**
 * Reads the only number in a text: digits with separators, `1.2 مليون`, `850 ألف`, `مليون و200 ألف`, `1.2M`, `8.5E+05`,
 * or words. Null for none or several (a range, dimensions). `m` means million only directly after a number: after a
 * slash it means month, before a 2 square meter.
 */
export const readQuantity: (text: string) => Quantity | null = memoize((text) => {
  const folded = foldNumber(text);
  const grouped = quantityOf(folded, 0);
  if (grouped !== null && !grouped.isAmbiguous) return { ...grouped, values: [grouped.amount] };
  const other = quantityOf(folded, 1);
  const found = grouped ?? other;
  return found && { ...found, values: [grouped?.amount ?? null, other?.amount ?? null] };
});

interface ReadQuantity {
  amount: number;
  before: string[];
  after: string[];
  isAmbiguous: boolean;
}

const NEXT_WORD = /^ (?:a )?(\p{L}+)/u;

/** Reads a quantity. @param choice which of the possible values of ambiguous digits to use: 0 grouped, 1 decimal */
function quantityOf(folded: string, choice: 0 | 1): ReadQuantity | null {
  const before: string[] = [];
  const after: string[] = [];
  let total = 0;
  let current: readonly (number | null)[] | null = null;
  /** The previous multiplier. Multipliers of one number decrease, as in "two million, three hundred thousand". */
  let multiplier = Number.POSITIVE_INFINITY;
  let found = false;
  let signed = false;
  let isAmbiguous = false;
  /** After "and": the token, the last digits. */
  let joined = false;
  let isJoined = false;
  for (const { 1: unit, 2: digits, 3: word = '', 4: sign, index } of matchesOf(folded, TOKEN)) {
    if (digits !== undefined) {
      const values = readDigits(digits);
      // A number after other words is a second one.
      if (values.length === 0 || current !== null || (found && (signed || after.length > 0))) return null;
      current = values;
      isAmbiguous ||= values.length > 1;
      found = true;
      isJoined = joined;
    } else if (sign !== undefined) {
      signed = found;
    } else if (word === 'و' || word === 'and') {
      joined = true;
    } else if (word !== 'a' || !isMultiple(nextWord(folded, index + 1))) {
      const near = folded.slice(Math.max(0, index - 2), index);
      const bare: string = word.length > 2 && word.startsWith('و') ? word.slice(1) : word;
      joined ||= bare !== word;
      // `مليون الا ربع` subtracts.
      if (word === 'الا' && found) return null;
      const factor = bare === 'm' && !/\d ?$/.test(near) ? undefined : MULTIPLIERS.get(bare);
      const fraction = FRACTIONS.get(bare);
      if (factor !== undefined && (current !== null || /^\p{Script=Arabic}{3}/u.test(bare))) {
        if (factor >= multiplier || after.length > 0) return null;
        // Before a multiplier, an ambiguous separator is decimal. Few thousands may be many: `1,250 ألف`.
        const isFew = factor === 1e3 && current !== null && (current.at(-1) ?? 0) < 10;
        const times: number | null | undefined =
          current === null ? 1 : isFew && current.length > 1 ? current[choice] : current.at(-1);
        // `850000 ألف` may repeat the thousands.
        if (times === null || times === undefined || (factor === 1e3 && times >= 10_000)) return null;
        if (!isFew) isAmbiguous = false;
        total += times * factor;
        current = null;
        multiplier = factor;
        found = true;
      } else if (fraction !== undefined && found && joined && after.length === 0) {
        if (current !== null) current = current.map((value) => value && value + fraction);
        else total += fraction * multiplier;
      } else if (fraction !== undefined && !found && MULTIPLIERS.has(nextWord(folded, index + word.length))) {
        current = [fraction];
        found = true;
      } else (found ? after : before).push(unit ?? (/\/ ?$/.test(near) ? `per ${word}` : word));
      joined = false;
    }
  }
  if (!found) return null;
  const rest: number | null | undefined = current === null ? 0 : current.length > 1 ? current[choice] : current[0];
  if (rest === null || rest === undefined) return null;
  // After a million, a number without a unit counts thousands: `مليون و200`.
  const isThousands = multiplier === 1e6 && rest > 0 && rest < 1_000;
  if (isThousands && !isJoined) return null;
  const sum = total + (isThousands ? rest * 1_000 : rest);
  // Multiplication may add binary fractions, as in `1.1 million`.
  const amount = total === 0 ? sum : Math.round(sum * 1e3) / 1e3;
  if (!Number.isFinite(amount)) return null;
  return { amount: /^-\s*\d/.test(folded) ? -amount : amount, before, after, isAmbiguous };
}

const isMultiple = (word: string): boolean => FRACTIONS.has(word) || MULTIPLIERS.has(word);
const nextWord = (folded: string, at: number): string => NEXT_WORD.exec(folded.slice(at))?.[1] ?? '';

const ALL_DIGITS = new RegExp(DIGITS, 'g');
/** A dash before digits is a minus, or separates a range. */
const SEPARATORS =
  /[\s.,:;،؛=()[\]/|~≈'’"°º\u2032\u2033]|\p{Extended_Pictographic}\ufe0f?|(?<=\S) ?[-–] ?(?=\p{L})|(?<=\p{L}) - /gu;

/**
 * Reads a count, age, width or coordinate: the only number, in which no separator groups thousands. Null if there are
 * words that may change it, such as a limit or another unit.
 * @param known words and signs that do not, folded, without articles
 */
export function readSmall(value: Scalar, known: ReadonlySet<string>): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  if (PLAIN.test(value)) return Number(value);
  const folded = foldNumber(value);
  const [digits, ...others] = folded.match(ALL_DIGITS) ?? [];
  if (digits === undefined || others.length > 0) return null;
  const rest = folded.replace(digits, '0').replace(SEPARATORS, ' ').replace('0', ' ');
  const isKnown = (rest.match(/\p{L}[\p{L}\p{M}]*|\S/gu) ?? []).every(
    (word) => known.has(word) || known.has(word.replace(/^ال/, '')),
  );
  return isKnown ? plausible(readDigits(digits), SMALL) : null;
}
