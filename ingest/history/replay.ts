import { monthOf, OPEN } from '#domain/months.ts';

/** A stretch of months in which a listing was live at one price, as that price stood at the end of each. */
export interface MonthsRow {
  first: number;
  last: number;
  listingType: string;
  price: number | null;
}

/** What a run found of a listing. Times in epoch milliseconds. */
export interface Sighting {
  at: number;
  served: boolean;
  listingType: string;
  price: number | null;
}

/**
 * The stretches of a listing from everything that runs found of it, in the order of time: what the stage has kept from
 * run to run, made again from the record. A listing counts in a month if it was live at any point of it; one that went
 * keeps the price it was last seen at; a month that had several prices has the last of them.
 */
export function replay(sightings: readonly Sighting[]): MonthsRow[] {
  const rows: MonthsRow[] = [];
  for (const { at, served, listingType, price } of sightings) {
    const month = monthOf(at);
    const row = rows.at(-1);
    if (!served) {
      // A listing that is gone in the very moment a month begins was not live in it.
      if (row?.last === OPEN) row.last = Math.max(row.first, monthOf(at - 1));
      continue;
    }
    if (row && row.first === month) {
      Object.assign(row, { last: OPEN, listingType, price });
    } else if (row && row.price === price && row.listingType === listingType && row.last >= month - 1) {
      row.last = OPEN;
    } else {
      if (row) row.last = Math.min(row.last, month - 1);
      rows.push({ first: month, last: OPEN, listingType, price });
    }
  }
  return rows;
}
