/** A cell as it was read. What a formula comes to is not the publisher's word. */
export type Cell = string | number | null | typeof FORMULA;
export const FORMULA = Symbol('a formula');
