import type { Boundaries } from '#domain/geography/boundaries.ts';

/** Reads one row of a batch. Pure. */
type RowReader<Row, Result> = (row: Row) => Result;

/** The default export of a module of readers. */
export type OpenReader<Context, Row, Result> = (
  context: Context,
  boundaries: Boundaries,
) => RowReader<Row, Result> | Promise<RowReader<Row, Result>>;

export interface Task {
  /** URL of the module of the reader. */
  module: string;
  context: unknown;
  rows: readonly unknown[];
  progress: Float64Array;
}

/** Positions in `Task.progress`, by which the pool observes a thread that does not respond. */
export const PROGRESS = {
  /** Index of the current row; `NOT_STARTED` before the first one. */
  row: 0,
  thread: 1,
} as const;
export const NOT_STARTED = -1;
