import { foldText } from '../fold.ts';
import { readNumber } from '../text/numerals.ts';
import type { Token } from './tokens.ts';

export interface Amount {
  value: number;
  /** Multiplier, such as 1,000 in `60 ألف`; 1 if none is stated. */
  scale: number;
  length: number;
}

const table = (lines: readonly (readonly [number, string])[]): ReadonlyMap<string, number> =>
  new Map(lines.flatMap(([value, words]) => words.split(' ').map((word) => [foldText(word), value] as const)));

const SCALES = table([
  [1e3, 'ألف ألفا آلاف الاف الف thousand thousands k grand alf alaf aalaf'],
  [1e6, 'مليون مليونا ملايين ملاين million millions mn mil mln milyon malyon milyoon'],
  [1e9, 'مليار billion bn'],
]);
const DUALS = table([
  [2e3, 'ألفين ألفان'],
  [2e6, 'مليونين مليونان'],
]);
const FRACTIONS = table([
  [0.5, 'نصف نص half nos noss nus nuss'],
  [0.25, 'ربع quarter'],
]);
const ARTICLES = new Set(['a', 'an']);
/** A number below this limit directly before `m` means millions, otherwise meters. */
const MOST_MILLIONS = 50;

/**
 * Reads an amount such as `60`, `60k`, `ستين ألف`, `مليون ونص` or `one and a half million`. Returns null if there is
 * none.
 */
export function amountAt(tokens: readonly Token[], at: number): Amount | null {
  const text = (index: number): string => textOf(tokens, index);
  let next = at;
  let total = 0;
  let scale = 1;
  let lowest = Number.POSITIVE_INFINITY;
  for (;;) {
    // Only "and", separate or as a prefix, continues the number: `مليون و200 ألف`, `مليون ونص`.
    let from = next;
    let joined = next === at;
    if (next > at && ['و', 'and', 'w', 'wa'].includes(text(next))) {
      from += 1;
      joined = true;
    } else if (next > at && text(next).startsWith('و')) joined = true;
    if (!joined) break;
    const part = partAt(tokens, from, next > at);
    if (part === null) break;
    if (part.scale >= lowest) break;
    if (next > at && part.scale === 1 && !part.isFraction) {
      // `مليون و200` means thousands; `ألف وخمسين` does not.
      if (lowest === 1e6 && part.value < 1_000 && part.value >= 10) part.value *= 1_000;
      else if (part.value >= lowest) break;
    }
    total += part.isFraction && lowest !== Number.POSITIVE_INFINITY ? part.value * lowest : part.value;
    next = part.end;
    scale = Math.max(scale, part.scale);
    if (part.isFraction || part.scale === 1) break;
    lowest = part.scale;
    // `مليون إلا ربع`.
    const less = text(next) === 'الا' ? FRACTIONS.get(withoutPrefix(text(next + 1))) : undefined;
    if (less !== undefined) {
      total -= less * lowest;
      next += 2;
      break;
    }
  }
  return next === at ? null : { value: total, scale, length: next - at };
}

const textOf = (tokens: readonly Token[], index: number): string => tokens[index]?.text ?? '';
const withoutPrefix = (word: string): string => word.replace(/^[وبل](?=..)/, '');

interface Part {
  value: number;
  scale: number;
  end: number;
  isFraction: boolean;
}

function partAt(tokens: readonly Token[], at: number, isFurther: boolean): Part | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const text = (index: number): string => textOf(tokens, index);
  const word = (index: number): string => (index === at ? withoutPrefix(text(index)) : text(index));
  const dual = DUALS.get(text(at)) ?? DUALS.get(word(at));
  if (dual !== undefined) return { value: dual, scale: dual / 2, end: at + 1, isFraction: false };
  let start = at;
  if (ARTICLES.has(text(at)) && (SCALES.has(text(at + 1)) || FRACTIONS.has(text(at + 1)) || text(at + 1) === 'hundred'))
    start += 1;
  let fraction = FRACTIONS.get(word(start)) ?? FRACTIONS.get(text(start));
  if (fraction !== undefined) {
    const isOf = ARTICLES.has(text(start + 1)) ? start + 2 : start + 1;
    const scale = SCALES.get(text(isOf));
    if (scale !== undefined) return { value: fraction * scale, scale, end: isOf + 1, isFraction: false };
    return isFurther ? { value: fraction, scale: 1, end: start + 1, isFraction: true } : null;
  }
  let value: number;
  let end: number;
  if (token.kind === 'number') {
    value = Number(token.text);
    end = at + 1;
  } else {
    const own = SCALES.get(text(start)) ?? (text(start).length > 3 ? SCALES.get(word(start)) : undefined);
    if (own !== undefined && text(start).length > 2)
      return { value: own, scale: own, end: start + 1, isFraction: false };
    const words = tokens.slice(start, start + 8).map((each) => (each.kind === 'word' ? each.text : '.'));
    const read = readNumber(words, 0);
    if (read === null) return null;
    value = read.value;
    end = start + read.length;
  }
  // `one and a half million`, `2 ونص مليون`.
  const halfAt =
    text(end) === 'and' ? (ARTICLES.has(text(end + 1)) ? end + 2 : end + 1) : text(end).startsWith('و') ? end : -1;
  fraction = halfAt < 0 ? undefined : FRACTIONS.get(halfAt === end ? text(halfAt).slice(1) : text(halfAt));
  const scaleAfter = halfAt < 0 ? undefined : SCALES.get(text(halfAt + 1));
  if (fraction !== undefined && scaleAfter !== undefined)
    return { value: (value + fraction) * scaleAfter, scale: scaleAfter, end: halfAt + 2, isFraction: false };
  let scale = 1;
  for (let factor = scaleAt(tokens, end, value); factor !== null; factor = scaleAt(tokens, end, value)) {
    scale *= factor;
    value *= factor;
    end += 1;
  }
  return { value, scale, end, isFraction: false };
}

function scaleAt(tokens: readonly Token[], at: number, value: number): number | null {
  const token = tokens[at];
  if (token === undefined) return null;
  const known = SCALES.get(token.text);
  if (known !== undefined) return known;
  const isAttached = tokens[at - 1]?.end === token.start;
  const isWidth = /^(?:street|road|st|rd|wide|width)$/.test(textOf(tokens, at + 1));
  return token.text === 'm' && isAttached && value < MOST_MILLIONS && !isWidth ? 1e6 : null;
}
