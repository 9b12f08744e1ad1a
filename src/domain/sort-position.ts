/** The two sort keys, and the text that orders rows for which both are equal. The next page starts after them. */
export type SortPosition = readonly [number, number, text?: string];
