import type { RejectReason } from '../normalize/listing.ts';
import type { PriceDoubt } from '../normalize/price.ts';
import { IdSet } from './id-set.ts';
import { RejectLog } from './reject-log.ts';

/** Counts of the rows of one source in a run, by outcome. */
export interface FetchCounts {
  rows: number;
  added: number;
  changed: number;
  relisted: number;
  unchanged: number;
  dropped: Record<string, number>;
  /** Ads that were stored without their posted price, by reason. */
  unpriced: Partial<Record<PriceDoubt, number>>;
  /** Boundaries of projects that were repaired or rejected, by reason. */
  boundaries: Record<string, number>;
  /** Why the feed could not be read completely; it then withdraws no ads. */
  failed: string | null;
  /** Reason why the feed is held. */
  held: string | null;
  /** Why the feed is too old to confirm its ads; `expired` if it is old enough to withdraw them. */
  stale: string | null;
  expired: boolean;
  /** Time of the feed; null if unknown. */
  asOf: Date | null;
  /** Whether the feed ended with a line break; null for feeds without lines. */
  lineBreak: boolean | null;
  rejects: RejectLog;
  /** Ids of the ads in the feed, including rows that could not be parsed this time, without wanted ads. */
  seen: IdSet;
}

/** Counts and records a rejected row. */
export function countReject(
  { dropped, rejects }: FetchCounts,
  reason: RejectReason,
  detail: string,
  row: unknown,
): void {
  dropped[reason] = (dropped[reason] ?? 0) + 1;
  rejects.add(reason, detail, row);
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
    held: null,
    stale: null,
    expired: false,
    asOf: null,
    lineBreak: null,
    rejects: new RejectLog(),
    seen: new IdSet(),
  };
}
