/** The values of a row's two sort keys. The next page starts after them. */
export type SortPosition = readonly [number, number];
