import type { SortPosition } from '#domain/sort-position.ts';

/** A page of rows to read. */
export interface PageInput {
  /** Number of rows to read, including one to detect a next page. */
  size: number;
  /** Sort position of the last row of the previous page. */
  after?: SortPosition | null | undefined;
}
