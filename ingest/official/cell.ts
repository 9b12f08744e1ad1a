/** A cell of a file. Results of formulas are not published values. */
export type Cell = string | number | null | typeof FORMULA;
export const FORMULA = Symbol('a formula');
