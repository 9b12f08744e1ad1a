import type pg from 'pg';
import type { Cells } from './cells.ts';
import type { OfficialKind } from './layouts.ts';

export interface ReadOptions {
  layout: string;
  /** City for a layout that does not state one. */
  city: string | null;
  /** Secret key for hashing transaction ids, so that the hashes do not reveal the ids. */
  idKey: string;
}

type Value = string | number | null;

/** An accepted row. Values are in the order of the kind's columns. */
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

/** Describes how rows of one publication are read and stored. */
export interface KindReader {
  kind: OfficialKind;
  table: string;
  /** Column definitions of the table after `load_id`, in the order of values. */
  columns: Readonly<Record<string, string>>;
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
  /** @throws Reject */
  read(cells: Cells, options: ReadOptions): Taken;
  /** Checks requirements beyond the file's content. @returns an error message, or null */
  check?(options: ReadOptions): string | null;
}

/** Returns SQL for the median price by stratum in the rows of `from`, which ends with a `where` clause. */
export const mediansSql = ({ sql, stratum }: KindReader['price'], from: string): string =>
  `select ${stratum} as stratum, percentile_cont(0.5) within group (order by ${sql}) as price
     from ${from} and ${sql} > 0 group by 1`;

interface KindDefinition<Row> extends Omit<KindReader, 'columns' | 'read'> {
  /** Reads the row's values that are used by several columns or by none. @throws Reject */
  row(cells: Cells, options: ReadOptions): Row;
  /** Table columns after `load_id`, each with its SQL type and a function that returns its value. */
  columns: readonly (readonly [name: string, type: string, value: (row: Row) => Value])[];
}

export function defineKind<Row extends Pick<Taken, 'quarter' | 'scope'>>({
  row,
  columns,
  ...kind
}: KindDefinition<Row>): KindReader {
  return {
    ...kind,
    columns: Object.fromEntries(columns.map(([name, type]) => [name, type])),
    read(cells, options) {
      const read = row(cells, options);
      return { quarter: read.quarter, scope: read.scope, values: columns.map(([, , value]) => value(read)) };
    },
  };
}
