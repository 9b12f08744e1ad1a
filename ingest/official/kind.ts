import type pg from 'pg';
import type { Cells } from './cells.ts';
import type { OfficialKind } from './layouts.ts';

/** Options of reading a file. */
export interface ReadOptions {
  layout: string;
  /** The city of a layout that names none. */
  city: string | null;
  /** Secret key of the ids of deals, so that they reveal nothing. */
  idKey: string;
}

/** A row that is taken, as values in the order of the kind's columns. */
export interface Taken {
  quarter: number;
  /** The region or the city, where the publication comes in a file for each; empty where it is of the whole country. */
  scope: string;
  values: readonly (string | number | null)[];
}

/** A quarter of a file that is to be held until an operator releases it. */
export interface Judgement {
  scope: string;
  quarter: number;
  doubt: string;
}

export type RejectLines = (reason: string, detail: string, lines: readonly number[]) => Promise<void>;

/** How the rows of one publication are read and kept. */
export interface KindReader {
  kind: OfficialKind;
  table: string;
  /** Column definitions of the table after `load_id`, in the order of values. */
  columns: Readonly<Record<string, string>>;
  /** Columns of which no two rows of a load may have the same values. */
  unique: readonly string[];
  /** The column of the row's day, where rows have one. */
  day?: string;
  /** The column that counts deeds or contracts, where rows have one. */
  deeds?: string;
  /** A price or level of a row, and what rows of like prices have in common, in SQL. */
  price: { sql: string; stratum: string };
  /** The columns of a stated mean price with its bounds, and the mean that follows from others of the row, in SQL. */
  means?: { mean: string; max: string; min: string; ofRow: string };
  /** A ratio that is in this range for half of the rows of any correctly read file. */
  ratio?: { sql: string; what: string; least: number; most: number; suspicion: string };
  /** Interprets staged rows that only the other rows of their quarter explain. @returns the quarters to be held */
  judge?(db: pg.PoolClient, rejectLines: RejectLines): Promise<Judgement[]>;
  /** @throws Reject */
  read(cells: Cells, options: ReadOptions): Taken;
  /** Requirements beyond the file. @returns a complaint, or null */
  check?(options: ReadOptions): string | null;
}
