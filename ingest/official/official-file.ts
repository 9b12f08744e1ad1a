import type pg from 'pg';
import { foldText } from '#domain/fold.ts';
import type { Cell } from '../sources/kinds/xlsx-rows.ts';
import { type CellType, contentOf, Reject } from './cell-types.ts';

export type OfficialKind = 'transactions' | 'registered_rents' | 'sales_indicators' | 'price_index';

export interface ReadOptions {
  layout: string;
  /** City of files that do not state one. */
  city: string | null;
  /** Secret key of the hashes of transaction ids. */
  idKey: string;
}

type Value = string | number | null;

export interface AcceptedRow {
  /** Quarter number: year × 4 + quarter - 1. */
  quarter: number;
  /** The region or city that the file covers; empty for the whole country. */
  scope: string;
  /** Values in the order of the table columns. */
  values: readonly Value[];
  /** A column that occurs twice with different values. The first one counts. */
  ambiguous: string | null;
}

/** A quarter to hold, and why. */
export interface QuarterHold {
  scope: string;
  quarter: number;
  reason: string;
}

export type RejectLines = (reason: string, detail: string, lines: readonly number[]) => Promise<void>;

/** How rows are checked. Their table has the name of the kind. */
interface Checks {
  kind: OfficialKind;
  /** Columns whose values are together unique within a load. */
  unique: readonly string[];
  day?: string;
  /** Column with the number of deeds or contracts. */
  deeds?: string;
  /** SQL for a price or index level, and for the stratum within which they are comparable. */
  price: { sql: string; stratum: string };
  /** SQL for a stated mean price, its bounds, and the mean by the other columns. */
  means?: { mean: string; max: string; min: string; ofRow: string };
  /** A value whose median is within these bounds in every correctly read file. */
  ratio?: { sql: string; what: string; least: number; most: number; suspicion: string };
  /** Checks rows by the other rows of their quarter. @returns quarters to hold */
  judge?(db: pg.ClientBase, rejectLines: RejectLines): Promise<QuarterHold[]>;
  /** Checks the options of the import. @returns an error, or null */
  check?(options: ReadOptions): string | null;
}

export interface ReleaseFormat extends Checks {
  /** SQL types of the table columns after `load_id`. */
  columns: Readonly<Record<string, string>>;
  /** Returns the layout with the most columns, all of which the header has. */
  recognize(header: readonly string[]): Recognized | null;
  /** Converts a row. @throws Reject */
  read(row: readonly Cell[], positions: Positions, options: ReadOptions): AcceptedRow;
}

/** Positions of the columns in a row, by name. A column may occur twice. */
type Positions = ReadonlyMap<string, readonly number[]>;

export interface Recognized {
  layout: string;
  required: number;
  positions: Positions;
}

/** A column that is read. Others, such as plan, parcel and deed numbers, are never read. */
interface Column<Read> {
  names: readonly string[];
  type: CellType<Read>;
  /** Name and SQL type of the table column with the value. */
  stored: Readonly<Record<string, string>>;
}

/** @param names names in headers, separated by commas */
export const column = <Read>(names: string, type: CellType<Read>, stored: Column<Read>['stored'] = {}) => ({
  names: names.split(', ').map(headerKey),
  type,
  stored,
});

type Columns = Readonly<Record<string, Column<unknown>>>;
type Cells<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer Read> ? Read : never };

interface Declaration<C extends Columns, Derived extends string> extends Checks {
  /** Columns in the order of reading: a row is rejected by its first faulty cell. */
  columns: C;
  layouts: Readonly<Record<string, readonly (keyof C & string)[]>>;
  /** SQL types of the columns that `derive` computes. Those that store a cell follow. */
  derived: Readonly<Record<Derived, string>>;
  /** @throws Reject */
  derive(
    cells: Cells<C>,
    options: ReadOptions,
  ): Readonly<Record<NoInfer<Derived>, Value>> & Pick<AcceptedRow, 'quarter' | 'scope'>;
}

export function defineRelease<C extends Columns, Derived extends string>({
  columns,
  layouts,
  derived,
  derive,
  ...checks
}: Declaration<C, Derived>): ReleaseFormat {
  const declared = Object.entries<Column<unknown>>(columns);
  const stored = declared.filter(([, { stored: into }]) => Object.keys(into).length > 0).map(([name]) => name);
  const derivedNames = Object.keys(derived) as Derived[];
  return {
    ...checks,
    columns: Object.assign({}, derived, ...declared.map(([, { stored: into }]) => into)),
    recognize(header) {
      const keys = header.map(headerKey);
      const positions = new Map(
        declared.map(([name, { names }]) => [name, keys.flatMap((key, at) => (names.includes(key) ? [at] : []))]),
      );
      const found = Object.entries(layouts)
        .filter(([, required]) => required.every((name) => (positions.get(name) ?? []).length > 0))
        .map(([layout, { length }]) => ({ layout, required: length, positions }));
      return found.reduce<Recognized | null>(
        (best, each) => (each.required > (best?.required ?? 0) ? each : best),
        null,
      );
    },
    read(row, positions, options) {
      const cells: Record<string, unknown> = {};
      let ambiguous: string | null = null;
      for (const [name, { type }] of declared) {
        const content = (positions.get(name) ?? []).map((at) => row[at] ?? null);
        const value = type(contentOf(content, name), name);
        cells[name] = value;
        if (content.length > 1 && content.some((cell) => isOther(cell, value, type, name))) ambiguous = name;
      }
      const made = derive(cells as Cells<C>, options);
      const values = [...derivedNames.map((name) => made[name]), ...stored.map((name) => cells[name] as Value)];
      return { quarter: made.quarter, scope: made.scope, values, ambiguous };
    },
  };
}

/** Returns whether a cell has another readable value. */
function isOther<Read>(cell: Cell, value: Read, type: CellType<Read>, name: string): boolean {
  try {
    const other = type(contentOf([cell], name), name);
    return other !== null && other !== value;
  } catch (error) {
    if (error instanceof Reject) return false;
    throw error;
  }
}

/** Returns a name without spaces, marks, tatweel and spelling variants, by which headers are compared. */
export const headerKey = (name: string): string => foldText(name).replace(/[^\p{L}\p{N}]/gu, '');
