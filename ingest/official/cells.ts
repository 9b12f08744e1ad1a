import { foldDigits, foldText } from '#domain/fold.ts';
import { wordTable } from '#domain/text/phrases.ts';
import { isBlank } from '../normalize/numbers.ts';
import type { Recognized } from './layouts.ts';
import { withoutNumbers } from './places.ts';
import type { TableRow } from './table.ts';
import { type Cell, FORMULA } from './xlsx.ts';

/** Text that a spreadsheet evaluates as a formula when it opens a CSV file. A sign before a number is allowed. */
const FORMULA_TEXT = /^\s*(?:[=@]|[+-]\s*[^\s\d.,\u0660-\u0669\u06f0-\u06f9-])/;

/** A rejected row with the reason, without cell values: a misplaced cell may contain a deed number. */
export class Reject extends Error {
  override name = 'Reject';
  readonly reason: string;
  constructor(reason: string, detail: string) {
    super(detail);
    this.reason = reason;
  }
}

/** Access to the cells of a row by column name. */
export class Cells {
  readonly #columns: Recognized['columns'];
  readonly #row: TableRow;

  constructor(columns: Recognized['columns'], row: TableRow) {
    this.#columns = columns;
    this.#row = row;
  }

  /**
   * Returns the cell, or null if it is empty. If a column occurs twice, returns the first non-empty cell.
   * @throws Reject if the cell is a formula or unreadable text
   */
  value(column: string): string | number | null {
    for (const at of this.#columns.get(column) ?? []) {
      const cell: Cell = this.#row.cells[at] ?? null;
      if (cell === FORMULA || (typeof cell === 'string' && FORMULA_TEXT.test(cell)))
        throw new Reject('formula', `${column} is a formula`);
      if (typeof cell === 'string' && (cell.includes('\ufffd') || cell.includes('\0')))
        throw new Reject('encoding', `${column} is not readable text`);
      if (!isBlank(cell)) return cell;
    }
    return null;
  }

  text(column: string): string | null {
    const value = this.value(column);
    return value === null ? null : String(value).replace(/\s+/g, ' ').trim().slice(0, 200);
  }

  needText(column: string): string {
    const text = this.text(column);
    if (text === null || text === '') throw new Reject(`no_${column}`, `${column} is empty`);
    return text;
  }

  /** Returns the name of a region or town, without plan, parcel and deed numbers. */
  place(column: string): string | null {
    const text = this.text(column);
    return text === null ? null : withoutNumbers(text);
  }

  needPlace(column: string): string {
    const place = this.place(column);
    if (place === null || place === '') throw new Reject(`no_${column}`, `${column} has no name of a place`);
    return place;
  }

  /** Returns the number, or null if the cell is empty. @throws Reject if the cell is not a number */
  number(column: string): number | null {
    const value = this.value(column);
    if (value === null) return null;
    const number = readNumber(value);
    if (number === null) throw new Reject(`unreadable_${column}`, `${column} is not a number`);
    return number;
  }

  /** Returns a number from `least` to 1e13. @throws Reject if the cell is empty, not a number, or out of range */
  needNumber(column: string, least: number): number {
    const number = this.number(column);
    if (number === null) throw new Reject(`no_${column}`, `${column} is empty`);
    if (!(number >= least && number <= 1e13)) throw new Reject(`bad_${column}`, `${column} is out of range`);
    return number;
  }

  /** Returns a count from 1 to 10,000,000. @throws Reject if the cell is not a count */
  needCount(column: string): number {
    const stated = this.number(column);
    if (stated !== null && stated < 0) throw new Reject('negative_count', `${column} is negative`);
    const count = this.needNumber(column, 1);
    if (!Number.isInteger(count) || count > 10_000_000) throw new Reject(`bad_${column}`, `${column} is not a count`);
    return count;
  }
}

const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const GROUPED = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/;

/** Parses one number in Arabic or Latin digits, with or without thousands separators; null for other text. */
export function readNumber(value: string | number): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  const text = foldDigits(value).replace(/\s/g, '').replaceAll('،', ',');
  const plain = GROUPED.test(text) ? text.replaceAll(',', '') : text;
  return NUMBER.test(plain) ? Number(plain) : null;
}

const ORDINALS = wordTable<number>([
  [1, 'الأول'],
  [2, 'الثاني'],
  [3, 'الثالث'],
  [4, 'الرابع'],
]);

/**
 * Reads the quarter from the year and quarter columns, as year × 4 + quarter - 1. It may be written `3`, `Q3` or `الربع
 * الثالث`.
 * @throws Reject if the columns do not state a quarter
 */
export function readQuarter(cells: Cells): number {
  const year = cells.needNumber('year', 2000);
  const text = foldText(cells.needText('quarter'));
  const digit = /^q?([1-4])$/.exec(text)?.[1];
  const quarter = digit
    ? Number(digit)
    : text
        .split(' ')
        .map((word) => ORDINALS.get(word))
        .find(Boolean);
  if (!Number.isInteger(year) || year > 2100 || quarter === undefined)
    throw new Reject('bad_quarter', 'year and quarter are not a calendar quarter');
  return year * 4 + quarter - 1;
}
