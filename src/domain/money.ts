/**
 * SAR with at most two decimals, the halalas. Everything that produces amounts rounds with this function; columns
 * (`sql.amount`), schemas (`amount` in `json-schema.ts`) and exports accept these numbers.
 */
export const toAmount = (value: number): number => Math.round(value * 100) / 100;

/** Higher amounts are typing errors or telephone numbers. Up to here, numbers represent halalas exactly. */
export const MAX_AMOUNT = 1e12;
