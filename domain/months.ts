/** Returns year * 12 + month - 1 in UTC. Consecutive months differ by one. */
export function monthOf(time: number | Date): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

/** Returns year * 100 + month in UTC. */
export const unitMonth = (time: Date): number => time.getUTCFullYear() * 100 + time.getUTCMonth() + 1;

/** Returns epoch milliseconds. */
export const monthStart = (month: number): number => Date.UTC(Math.floor(month / 12), month % 12);

/** Returns `YYYY-MM`. */
export const monthLabel = (month: number): string => new Date(monthStart(month)).toISOString().slice(0, 7);

export const OPEN = 32_767;
