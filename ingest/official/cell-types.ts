import { foldDigits, foldText } from '#domain/fold.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { isBlank } from '../normalize/numbers.ts';
import { type Cell, FORMULA } from '../sources/kinds/xlsx-rows.ts';
import { readDay } from './official-dates.ts';
import { withoutNumbers } from './places.ts';

/** The reason to reject a row. Its message has no cell values: a misplaced cell may contain a deed number. */
export class Reject extends Error {
  override name = 'Reject';
  readonly reason: string;
  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

type Content = string | number | null;

/** @throws Reject */
export type CellType<Value> = (content: Content, column: string) => Value;

/** Text that spreadsheets evaluate. A sign before a number is allowed. */
const FORMULA_TEXT = /^\s*(?:[=@]|[+-]\s*[^\s\d.,\u0660-\u0669\u06f0-\u06f9-])/;

/** Returns the first non-empty cell of a column, which may occur twice. @throws Reject */
export function contentOf(cells: readonly Cell[], column: string): Content {
  for (const cell of cells) {
    if (cell === FORMULA || (typeof cell === 'string' && FORMULA_TEXT.test(cell)))
      throw new Reject('formula', `${column} is a formula`);
    if (typeof cell === 'string' && (cell.includes('\ufffd') || cell.includes('\0')))
      throw new Reject('encoding', `${column} is not readable text`);
    if (!isBlank(cell)) return cell;
  }
  return null;
}

const needed =
  <Value>(type: CellType<Value>, fault = 'is empty'): CellType<NonNullable<Value>> =>
  (content, column) => {
    const value = type(content, column);
    if (value === null || value === undefined || value === '') throw new Reject(`no_${column}`, `${column} ${fault}`);
    return value;
  };

export const text: CellType<string | null> = (content) =>
  content === null ? null : String(content).replace(/\s+/g, ' ').trim().slice(0, 200);

/** A region or town, without plan, parcel and deed numbers. */
export const place: CellType<string | null> = (content, column) => {
  const name = text(content, column);
  return name === null ? null : withoutNumbers(name);
};
export const neededPlace = needed(place, 'has no name of a place');

/** Numbers of a smaller magnitude are zero, and of a larger one refused: quotients and sums do not overflow. */
const [LEAST, LARGEST] = [1e-6, 1e13];

export const number: CellType<number | null> = (content, column) => {
  if (content === null) return null;
  const value = readNumber(content);
  if (value === null) throw new Reject(`unreadable_${column}`, `${column} is not a number`);
  if (!(Math.abs(value) <= LARGEST)) throw new Reject(`bad_${column}`, `${column} is out of range`);
  return Math.abs(value) < LEAST ? 0 : value;
};

const neededNumber = needed(number);

export const numberFrom =
  (least: number): CellType<number> =>
  (content, column) => {
    const value = neededNumber(content, column);
    if (!(value >= least)) throw new Reject(`bad_${column}`, `${column} is out of range`);
    return value;
  };

/** An amount above zero; null for zero, which publishers write for amounts that they do not publish. */
export const amount: CellType<number | null> = (content, column) => {
  const value = number(content, column);
  return value === null || value <= 0 ? null : value;
};

const fromOne = numberFrom(1);

/** A whole number from 1 to 10,000,000. */
export const count: CellType<number> = (content, column) => {
  const stated = number(content, column);
  if (stated !== null && stated < 0) throw new Reject('negative_count', `${column} is negative`);
  const value = fromOne(content, column);
  if (!Number.isInteger(value) || value > 10_000_000) throw new Reject(`bad_${column}`, `${column} is not a count`);
  return value;
};

/** A whole number from 1 to 999,999; null if missing or zero. */
export const fewOrNull: CellType<number | null> = (content, column) => {
  const value = number(content, column);
  if (value !== null && !(Number.isInteger(value) && value >= 0 && value < 1e6))
    throw new Reject(`bad_${column}`, `${column} is not a count`);
  return value === 0 ? null : value;
};

/** A day as `YYYY-MM-DD`; null if missing. */
export const day: CellType<string | null> = (content, column) => {
  const value = content === null ? null : readDay(content);
  if (content !== null && value === null) throw new Reject('bad_date', `the ${column} date is not a valid day`);
  return value;
};

const ORDINALS = wordTable<number>([
  [1, 'الأول'],
  [2, 'الثاني'],
  [3, 'الثالث'],
  [4, 'الرابع'],
]);

export const neededText = needed(text);

/** Reads `3`, `Q3` or `الربع الثالث`. */
export const quarterOfYear: CellType<number | null> = (content, column) => {
  const folded = foldText(neededText(content, column));
  const digit = /^q?([1-4])$/.exec(folded)?.[1];
  if (digit) return Number(digit);
  const ordinals = folded.split(' ').map((word) => ORDINALS.get(word));
  return ordinals.find((ordinal) => ordinal !== undefined) ?? null;
};

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** Reads Arabic or Latin digits, with or without thousands separators; null for other text. */
export function readNumber(value: string | number): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const digits = foldDigits(value).replace(/\s/g, '').replaceAll('،', ',');
  const plain = GROUPED.test(digits) ? digits.replaceAll(',', '') : digits;
  return NUMBER.test(plain) ? Number(plain) : null;
}
