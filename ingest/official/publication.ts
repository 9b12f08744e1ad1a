import type pg from 'pg';
import { foldText } from '#domain/fold.ts';
import { type CellType, contentOf } from './cell-types.ts';
import type { Cell } from './xlsx.ts';

export type OfficialKind = 'transactions' | 'registered_rents' | 'sales_indicators' | 'price_index';

export interface ReadOptions {
  layout: string;
  /** City for a layout that does not state one. */
  city: string | null;
  /** Secret key for hashing transaction ids, so that the hashes do not reveal the ids. */
  idKey: string;
}

type Value = string | number | null;

/** An accepted row. Values are in the order of the publication's table columns. */
export interface Taken {
  /** Year × 4 + quarter - 1. */
  quarter: number;
  /** Region or city that the file covers; empty if the file covers the whole country. */
  scope: string;
  values: readonly Value[];
}

/** A quarter that is held until an operator releases it. */
export interface Judgement {
  scope: string;
  quarter: number;
  doubt: string;
}

export type RejectLines = (reason: string, detail: string, lines: readonly number[]) => Promise<void>;

/** The checks of a publication and of its table, which has the name of the kind. */
interface Checks {
  kind: OfficialKind;
  /** Columns whose combination must be unique within a load. */
  unique: readonly string[];
  /** Column with the day of a row, if rows have a day. */
  day?: string;
  /** Column with the number of deeds or contracts, if rows state one. */
  deeds?: string;
  /** SQL for a row's price or index level, and for the stratum within which prices are comparable. */
  price: { sql: string; stratum: string };
  /** SQL for a stated mean price, its bounds, and the mean computed from the row's other columns. */
  means?: { mean: string; max: string; min: string; ofRow: string };
  /** A ratio whose median is within this range for every correctly read file. */
  ratio?: { sql: string; what: string; least: number; most: number; suspicion: string };
  /** Interprets staged rows by the other rows in their quarter. @returns the quarters to hold */
  judge?(db: pg.PoolClient, rejectLines: RejectLines): Promise<Judgement[]>;
  /** Checks requirements beyond the file's content. @returns an error message, or null */
  check?(options: ReadOptions): string | null;
}

/** How the files of one publication are read, checked and stored. */
export interface Publication extends Checks {
  /** SQL types of the table columns after `load_id`. */
  columns: Readonly<Record<string, string>>;
  /** Returns the layout with the most columns that a header has all of, and the positions of each column. */
  recognize(header: readonly string[]): Recognized | null;
  /** @throws Reject */
  read(row: readonly Cell[], positions: Positions, options: ReadOptions): Taken;
}

/** Positions by column. A column may occur twice. */
type Positions = ReadonlyMap<string, readonly number[]>;

export interface Recognized {
  layout: string;
  required: number;
  positions: Positions;
}

/** A column of a file. Columns that are not declared, such as plan, parcel and deed numbers, are never read. */
interface Column<Read> {
  /** Accepted names in headers. */
  names: readonly string[];
  type: CellType<Read>;
  /** Name and SQL type of the table column, if it stores the cell's value. */
  stored: Readonly<Record<string, string>>;
}

/** @param names in headers, separated by commas */
export const column = <Read>(names: string, type: CellType<Read>, stored: Column<Read>['stored'] = {}) => ({
  names: names.split(', ').map(headerKey),
  type,
  stored,
});

type Columns = Readonly<Record<string, Column<unknown>>>;
type Cells<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Column<infer Read> ? Read : never };

interface Declaration<C extends Columns, Derived extends string> extends Checks {
  /** Columns of files in the order in which they are read: a row is rejected by its first faulty cell. */
  columns: C;
  /** Required columns by layout. */
  layouts: Readonly<Record<string, readonly (keyof C & string)[]>>;
  /** Table columns that `derive` computes, with their SQL types. Those that store a cell follow them. */
  derived: Readonly<Record<Derived, string>>;
  /** @throws Reject */
  derive(
    cells: Cells<C>,
    options: ReadOptions,
  ): Readonly<Record<NoInfer<Derived>, Value>> & Pick<Taken, 'quarter' | 'scope'>;
}

export function definePublication<C extends Columns, Derived extends string>({
  columns,
  layouts,
  derived,
  derive,
  ...checks
}: Declaration<C, Derived>): Publication {
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
      for (const [name, { type }] of declared) {
        const content = (positions.get(name) ?? []).map((at) => row[at] ?? null);
        cells[name] = type(contentOf(content, name), name);
      }
      const made = derive(cells as Cells<C>, options);
      const values = [...derivedNames.map((name) => made[name]), ...stored.map((name) => cells[name] as Value)];
      return { quarter: made.quarter, scope: made.scope, values };
    },
  };
}

/** Returns a column name without spaces, marks, tatweel and spelling variants. */
export const headerKey = (name: string): string => foldText(name).replace(/[^\p{L}\p{N}]/gu, '');
