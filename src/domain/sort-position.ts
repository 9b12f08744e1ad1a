/** Values of the two keys of a sort: the position after a row. */
export type SortPosition = readonly [number, number];
