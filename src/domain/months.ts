/** The number of a month in UTC: year * 12 + month - 1. The next month's number is one higher. */
export function monthOf(time: number | Date): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Epoch milliseconds of the first moment of a month. */
export const monthStart = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

/** `YYYY-MM`. */
export const monthLabel = (month: number): string => new Date(monthStart(month)).toISOString().slice(0, 7);

/** The last month of open intervals. */
export const OPEN = 32_767;
