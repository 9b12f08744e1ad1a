import { monthOf, OPEN } from '#domain/months.ts';

/** Live at one price, measured at the end of each month. */
export interface PriceInterval {
  firstMonth: number;
  lastMonth: number;
  listingType: string;
  price: number | null;
}

export interface StateChange {
  /** Epoch milliseconds. */
  at: number;
  served: boolean;
  listingType: string;
  price: number | null;
}

/**
 * From all changes of a listing, oldest first. Reference for the incremental updates of the stage. A listing counts in
 * every month in which it was live at any time. The last price in a month applies; a removed listing keeps its last
 * price.
 */
export function intervalsOf(changes: readonly StateChange[]): PriceInterval[] {
  const intervals: PriceInterval[] = [];
  for (const { at, served, listingType, price } of changes) {
    const month = monthOf(at);
    const latest = intervals.at(-1);
    if (!served) {
      // Removed at the exact start of a month: not live in that month.
      if (latest?.lastMonth === OPEN) latest.lastMonth = Math.max(latest.firstMonth, monthOf(at - 1));
      continue;
    }
    if (latest && latest.firstMonth === month) {
      Object.assign(latest, { lastMonth: OPEN, listingType, price });
    } else if (
      latest &&
      latest.price === price &&
      latest.listingType === listingType &&
      latest.lastMonth >= month - 1
    ) {
      latest.lastMonth = OPEN;
    } else {
      if (latest) latest.lastMonth = Math.min(latest.lastMonth, month - 1);
      intervals.push({ firstMonth: month, lastMonth: OPEN, listingType, price });
    }
  }
  return intervals;
}
