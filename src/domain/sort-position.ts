/** Values of a sort's own two keys: the position behind a row. */
export type SortPosition = readonly [number, number];
