import type { SortPosition } from '#domain/sort-position.ts';

/** The page of rows to read. */
export interface PageInput {
  /** Number of rows to read: one more than the page size, to detect whether a next page exists. */
  size: number;
  /** Sort position of the previous page's last row. */
  after?: SortPosition | null | undefined;
}
