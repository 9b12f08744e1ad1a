import { monthOf, OPEN } from '#domain/months.ts';

/** An interval of months in which a listing was live at one price, measured at the end of each month. */
export interface PriceInterval {
  firstMonth: number;
  lastMonth: number;
  listingType: string;
  price: number | null;
}

/** The state of a listing after a run that changed it. */
export interface StateChange {
  /** Time of the run in epoch milliseconds. */
  at: number;
  served: boolean;
  listingType: string;
  price: number | null;
}

/**
 * Computes the intervals of a listing from all its changes, oldest first. Reference implementation for the incremental
 * updates of the history stage. A listing counts in every month in which it was live at any time. The last price in a
 * month applies; a removed listing keeps its last price.
 */
export function intervalsOf(changes: readonly StateChange[]): PriceInterval[] {
  const intervals: PriceInterval[] = [];
  for (const { at, served, listingType, price } of changes) {
    const month = monthOf(at);
    const latest = intervals.at(-1);
    if (!served) {
      // A listing that is removed at the exact start of a month was not live in that month.
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
