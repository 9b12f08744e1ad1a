/** Months are counted as whole numbers, so that the one after is one more: year * 12 + month - 1, in UTC. */
export function monthOf(time: number | Date): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Epoch milliseconds of the first moment of a month. */
export const monthStart = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

/** `YYYY-MM`. */
export const monthLabel = (month: number): string => new Date(monthStart(month)).toISOString().slice(0, 7);

/** The last month of what still goes on. */
export const OPEN = 32_767;
