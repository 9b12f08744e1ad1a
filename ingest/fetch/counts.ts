import type { PriceDoubt } from '../normalize/price.ts';
import { IdSet } from './id-set.ts';

/** What became of the rows of one source in a run. */
export interface FetchCounts {
  rows: number;
  added: number;
  changed: number;
  relisted: number;
  unchanged: number;
  dropped: Record<string, number>;
  /** Ads that were kept without their posted price, and why. */
  unpriced: Partial<Record<PriceDoubt, number>>;
  /** Boundaries of projects that were repaired, or left out and why. */
  boundaries: Record<string, number>;
  failed: string | null;
  /** Ids of the ads that the feed lists, also those of rows that could not be read this time. Wanted ads are not listed. */
  seen: IdSet;
}

export function noCounts(): FetchCounts {
  return {
    rows: 0,
    added: 0,
    changed: 0,
    relisted: 0,
    unchanged: 0,
    dropped: {},
    unpriced: {},
    boundaries: {},
    failed: null,
    seen: new IdSet(),
  };
}
