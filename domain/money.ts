/** Rounds to two decimals, the halalas. Everything that produces amounts rounds with this function. */
export const toAmount = (value: number): number => Math.round(value * 100) / 100;

/** Higher amounts are errors or telephone numbers. Up to here, numbers represent halalas exactly. */
export const MAX_AMOUNT = 1e12;
