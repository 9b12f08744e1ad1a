import { foldLines } from '#domain/fold.ts';
import type { RentFrequency } from '#domain/listing-vocabulary.ts';
import { readNumber } from '#domain/text/numerals.ts';
import { type AmountRole, BEHIND, PERIODS_BEFORE, roleBefore, strongerRole } from './amount-roles.ts';
import { CURRENCIES, type Currency, currenciesIn, inSar, SAR, USD } from './currencies.ts';
import { readDigits } from './numbers.ts';
import { MAX_TEXT, matchesOf } from './patterns.ts';

export interface StatedAmount {
  role: AmountRole;
  /** Amount in SAR. */
  amount: number;
  dollars: number | null;
  period: RentFrequency | null;
  words: string;
}

const MAX_WORDS_CHARACTERS = 80;

interface Token {
  text: string;
  kind: 'number' | 'word' | 'mark' | 'end';
}

const TOKEN =
  /([mم]2(?![a-z0-9\u0621-\u064a]))|(\d+(?:[.,،'’]\d+)*)|([\p{L}\p{M}]+)|([%٪$/:+-])|([\n|;؛()*]|\.(?=\s|$))/gu;
const SIGNS = /[^\p{L}\p{M}\p{N}\p{Sc}\s.,،'’%٪/:+()|;؛*-]+/gu;

function tokensOf(line: string): Token[] {
  return matchesOf(line, TOKEN).map(([, unit, number, word, mark, end]): Token => {
    if (number !== undefined) return { text: number, kind: 'number' };
    if (unit !== undefined || word !== undefined) return { text: (unit ?? word) as string, kind: 'word' };
    return mark === undefined ? { text: end as string, kind: 'end' } : { text: mark, kind: 'mark' };
  });
}

/** Returns the folded lines of a text, up to a maximum total length. Symbols and emojis become `|`. */
export function foldedLines(text: string): string[] {
  return foldLines(text.slice(0, MAX_TEXT).replaceAll('\u20e3', ''))
    .replace(SIGNS, ' | ')
    .replace(/ {2,}/g, ' ')
    .replace(RIYALS, 'ريال')
    .replace(/دولار ام[ير]+كي/g, 'دولار')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const RIYALS = /(?<![a-z0-9\u0621-\u064a])ر ?\. ?س(?![a-z0-9\u0621-\u064a])\.?|ريال سعودي/gu;

export const clausesOf = (line: string): string[] => line.split(/[|*.!،,؛;:]+|\s-\s/).map((clause) => clause.trim());

/**
 * Parses a number before a word, which may be a multiplier. As in a field, ambiguous digits are decimal before millions
 * and grouped without a multiplier, as amounts of money are; `1.250 ألف` may be either.
 */
function numberOf(digits: string, multiplier = 1): number {
  const values = readDigits(digits);
  const [first, decimal = first] = values;
  if (multiplier === 1e6) return decimal ?? Number.NaN;
  const isFew = multiplier === 1e3 && values.length > 1 && (decimal ?? 0) < 10;
  return isFew ? Number.NaN : (first ?? decimal ?? Number.NaN);
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ...['الف', 'الاف', 'k', 'thousand'].map((word) => [word, 1e3] as const),
  ...['مليون', 'ملايين', 'million', 'millions', 'mn', 'm'].map((word) => [word, 1e6] as const),
]);
interface Amount {
  value: number;
  marked: boolean;
  currency: Currency;
  from: number;
  to: number;
}

const CURRENCY = /^(?:ريال|ر|رس|sar|sr|riyals?|s)$/;
const DOLLARS = /^(?:usd|us|dollars?|دولار)$/;
const CODES: ReadonlyMap<string, Currency> = new Map(
  CURRENCIES.filter(({ currency }) => currency !== SAR && currency !== USD).map(({ currency }) => [
    currency.code.toLowerCase(),
    currency,
  ]),
);
/** Replaces the names of currencies that are not one word, and of those other than riyals and dollars, with codes. */
function withCodes(line: string): string {
  return currenciesIn(line).reduceRight((text, { currency, from, to }) => {
    const code = currency.code.toLowerCase();
    const isWord = !CODES.has(code) && !/[.\u20c1]/.test(line.slice(from, to));
    return isWord ? text : `${text.slice(0, from)} ${code} ${text.slice(to)}`;
  }, line);
}
const withoutAnd = (word: string): string => (word.length > 2 && word.startsWith('و') ? word.slice(1) : word);

const wordAt = (tokens: readonly Token[], at: number): string =>
  tokens[at]?.kind === 'word' ? (tokens[at] as Token).text : '';

function amountAt(tokens: readonly Token[], from: number): Amount | null {
  let next = from;
  let value: number;
  let marked = false;
  const first = tokens[from] as Token;
  if (first.kind === 'number') {
    value = numberOf(first.text, UNITS.get(wordAt(tokens, next + 1)));
    next++;
    if (wordAt(tokens, next) === 'and' && wordAt(tokens, next + 1) === 'a' && wordAt(tokens, next + 2) === 'half') {
      value += 0.5;
      next += 3;
    }
  } else {
    const bare = first.text.replace(/^(?:وب|ب|و|ال)(?=مليون)/, '');
    if (bare !== 'مليون' && bare !== 'مليونين') return null;
    return restOfMillions(bare === 'مليون' ? 1e6 : 2e6, from, from + 1, tokens);
  }
  const unit = UNITS.get(wordAt(tokens, next));
  if (unit !== undefined) {
    next++;
    marked = true;
    // `850,000 ألف` means 850,000.
    if (unit === 1e3) value = value < 10_000 ? value * 1e3 : value;
    else if (value < 1_000) return restOfMillions(value * 1e6, from, next, tokens);
  }
  return withCurrency({ value, marked, currency: SAR, from, to: next }, tokens);
}

/** Reads the remainder of a number of millions: thousands with or without a unit word, a half, or hundreds in words. */
function restOfMillions(millions: number, from: number, start: number, tokens: readonly Token[]): Amount | null {
  let next = start;
  let value = millions;
  const isJoined = wordAt(tokens, next) === 'و' || wordAt(tokens, next) === 'and';
  if (isJoined) next++;
  const half = /^و?(?:نصف|نص)$/.test(wordAt(tokens, next)) ? 0.5 : /^و?ربع$/.test(wordAt(tokens, next)) ? 0.25 : 0;
  const follows = tokens[next];
  if (half > 0) {
    value += half * 1e6;
    next++;
  } else if (
    follows?.kind === 'number' &&
    !/^(?:م|متر|م2|m2|sqm|سنه|سنوات|شقه|غرف|دفعات|%)$/.test(tokens[next + 1]?.text ?? '')
  ) {
    const rest = numberOf(follows.text);
    if (rest < 1e6) {
      value += rest < 1_000 ? rest * 1e3 : rest;
      next++;
      if (UNITS.get(wordAt(tokens, next)) === 1e3) next++;
    }
  } else {
    for (;;) {
      const words = [next, next + 1].map((at) => withoutAnd(wordAt(tokens, at)));
      const rest = readNumber(words, 0);
      // Smaller numbers count rooms or years. English words for tens and hundreds are not supported.
      if (rest === null || rest.value < 10 || /^[a-z]/.test(words[0] ?? '')) break;
      value += rest.value * 1e3;
      next += rest.length;
    }
    // If the remainder in words cannot be parsed, the amount is unknown.
    if (value === millions && isJoined) return null;
    if (value > millions && UNITS.get(wordAt(tokens, next)) === 1e3) next++;
  }
  return withCurrency({ value, marked: true, currency: SAR, from, to: next }, tokens);
}

/** Null if the number or the rate of the currency is unknown. */
function withCurrency(amount: Amount, tokens: readonly Token[]): Amount | null {
  const before = wordAt(tokens, amount.from - 1);
  const behind = wordAt(tokens, amount.to);
  const dollars = DOLLARS.test(before) || DOLLARS.test(behind) || tokens[amount.from - 1]?.text === '$';
  const currency = CODES.get(behind) ?? CODES.get(before) ?? (dollars ? USD : SAR);
  if (currency.sar === null || Number.isNaN(amount.value)) return null;
  const marked = amount.marked || currency !== SAR || CURRENCY.test(before) || CURRENCY.test(behind);
  const isNamed = CURRENCY.test(behind) || DOLLARS.test(behind) || CODES.has(behind);
  return { ...amount, marked, currency, to: isNamed ? amount.to + 1 : amount.to };
}

/** From this value, a number counts as money without a currency or multiplier. */
const MONEY = 10_000;
const WINDOW = 6;

/** A fast precheck for texts with an amount. It misses amounts such as `20 thousand`, without three digits. */
const MAYBE_AMOUNT = /\d{3}|\d ?(?:[km]|ال[فا]|مل)|مليون|million/;

/** Returns the last words of a line, a heading or an open sentence, if they can give an amount on the next a role. */
function leadOf(line: string): string {
  if (/\d/.test(line)) return '';
  const words = line.split(' ');
  return words.length < WINDOW || OPEN_END.test(line) ? words.slice(1 - WINDOW).join(' ') : '';
}
const OPEN_END = / (?:من|from|at|for)$/;

/** Returns the amounts that have a role, in text order. */
export function statedAmounts(lines: readonly string[]): StatedAmount[] {
  const found: StatedAmount[] = [];
  let previous = '';
  for (const line of lines) {
    const lead = previous;
    previous = leadOf(line);
    if (!MAYBE_AMOUNT.test(line)) continue;
    const tokens = tokensOf(withCodes(line));
    /** Start of the words before the next amount, which is the end of the previous amount. */
    let begin = 0;
    let carried: AmountRole | null = null;
    for (let from = 0; from < tokens.length; from++) {
      const kind = (tokens[from] as Token).kind;
      if (kind !== 'number' && kind !== 'word') continue;
      const amount = amountAt(tokens, from);
      if (amount === null) continue;
      const stated = readAmount(tokens, amount, begin, lead, carried);
      from = amount.to - 1;
      if (stated === null) continue;
      begin = amount.to;
      carried = stated.role;
      found.push(stated);
    }
  }
  return found;
}

const AREA_UNIT = /^(?:م|متر|م2|m2|sqm|sq|meters?|metres?)$/;
/** Words that indicate a price if they directly precede a number without a currency. */
const ADJACENT =
  /(?:سعر|سعره|سعرها|بيع|حد|مطلوب|قيمه|قيمتها|صافي|شور|من|اسعار|اسعارها|السوم|ب|price|asking|from|at)(?: (?:ب|علي|من|فقط|هو|النهايي|is|only))?$/u;
const BEHIND_AREA = /^[\d.,]+ ?(?:م|متر|م2|m2|sqm)$/u;
const AREAS = /مساح\p{L}*(?!.*(?:سعر|اسعار))|(?:area|size)s?(?!.*price)/u;

/** Words between the bounds of a range. The upper bound gets the role of the lower one. */
const RANGE = /^(?:(?:و)?(?:الي|ال|لي|حتي|الين|لحد|لين|وحتي|to|up to|and|و)|-)$/u;

function readAmount(
  tokens: readonly Token[],
  amount: Amount,
  begin: number,
  lead: string,
  carried: AmountRole | null,
): StatedAmount | null {
  const before: string[] = [];
  for (let at = amount.from - 1; at >= begin && before.length < WINDOW; at--) {
    const token = tokens[at] as Token;
    if (token.kind === 'end' && !'()*'.includes(token.text)) break;
    if (token.kind === 'word' || token.kind === 'number') before.unshift(token.text);
  }
  const behind: string[] = [];
  for (let at = amount.to; at < tokens.length && behind.length < WINDOW; at++) {
    const token = tokens[at] as Token;
    if (token.kind === 'end' && !'()'.includes(token.text)) break;
    if (token.kind === 'end' || (token.kind === 'mark' && token.text !== '/')) continue;
    behind.push(token.text);
  }
  const next = tokens[amount.to];
  // Before `%`, the number is a percentage. Before `+`, it is a count of days or rooms, or part of a telephone number.
  if (next?.text === '%' || next?.text === '٪' || next?.text === '+') return null;
  if (!amount.marked && AREA_UNIT.test(next?.text ?? '')) return null;
  const own = before.filter((word) => !CURRENCY.test(word)).join(' ');
  const window = own === '' && begin === 0 ? lead : own;
  const after = behind.join(' ');
  const hit = BEHIND.find(({ words }) => words.test(after));
  const isRange = carried !== null && before.length > 0 && RANGE.test(before.join(' '));
  // An amount in another currency counts as a price in any context; a marked amount directly after an area is the price
  // of a unit.
  const bare = amount.currency !== SAR ? 'total' : amount.marked && BEHIND_AREA.test(own) ? 'unit' : null;
  const role = strongerRole(isRange ? carried : roleBefore(window), hit?.role ?? null, after) ?? bare;
  if (role === null) return null;
  let { value } = amount;
  if (!amount.marked && value < MONEY) {
    if (role === 'rent' || role === 'per_sqm' || role === 'instalment' || role === 'furniture' || role === 'down') {
      if (value < 100) return null;
    } else {
      // `السعر 920` means thousands. Numbers that count meters, rooms or years are excluded.
      const isCount = value < 100 || /^(?:م|متر|م2|m2|sqm|sq|غرف|شقه|شقق|سنه|وحده|x|\/)/u.test(after);
      if (isCount || (!isRange && !ADJACENT.test(window)) || AREAS.test(window)) return null;
      value *= 1e3;
    }
  }
  if (value <= 0) return null;
  const period = hit?.period ?? PERIODS_BEFORE.find(([, pattern]) => pattern.test(window))?.[0] ?? null;
  const stated = tokens.slice(amount.from, amount.to).map(({ text }) => text);
  return {
    role,
    amount: amount.currency === SAR ? value : Math.round(inSar(value, amount.currency)),
    dollars: amount.currency === USD ? value : null,
    period,
    words: snippet([window, stated.join(' '), behind.slice(0, 3).join(' ')]),
  };
}

export function snippet(parts: readonly string[]): string {
  const joined = parts.filter((part) => part !== '').join(' ');
  return joined.length > MAX_WORDS_CHARACTERS ? joined.slice(0, MAX_WORDS_CHARACTERS).toWellFormed().trimEnd() : joined;
}
