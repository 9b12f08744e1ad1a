/** Two sort keys, and a text that orders equal ones. */
export type SortPosition = readonly [number, number, text?: string];
