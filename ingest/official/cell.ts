/** A cell as read from a file. `FORMULA` replaces a formula, because its result is not a published value. */
export type Cell = string | number | null | typeof FORMULA;
export const FORMULA = Symbol('a formula');
