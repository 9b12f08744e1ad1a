/** A cell as read. The result of a formula is not a published value. */
export type Cell = string | number | null | typeof FORMULA;
export const FORMULA = Symbol('a formula');
