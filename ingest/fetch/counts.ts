import type { QualityFlag } from '#domain/listings/vocabulary.ts';
import type { RejectReason, UnreadValue } from '../normalize/listing.ts';
import type { PriceDoubt } from '../normalize/price.ts';
import { IdSet } from './id-set.ts';
import { RejectLog } from './reject-log.ts';

/** Row counts for one source in a run, by outcome. */
export class FetchCounts {
  rows = 0;
  added = 0;
  changed = 0;
  relisted = 0;
  unchanged = 0;
  /** Number of rejected rows by reason. */
  readonly dropped: Record<string, number> = {};
  /** Number of ads whose posted amount is no price, by reason. */
  readonly unpriced: Partial<Record<PriceDoubt, number>> = {};
  /** Number of values without which ads were stored because they could not be read, by field. */
  readonly unread: Partial<Record<UnreadValue['field'], number>> = {};
  /** Number of ads whose text makes their price implausible, by quality flag. */
  readonly implausible: Partial<Record<QualityFlag, number>> = {};
  /** Number of project boundaries that were repaired or rejected, by reason. */
  readonly boundaries: Record<string, number> = {};
  /** Reason why the feed could not be read completely; null if it was. An incomplete feed withdraws no ads. */
  failed: string | null = null;
  /** Reason why the feed is held; null if it is not. */
  held: string | null = null;
  /** Reason why the feed is too old to confirm its ads; null if it is not. */
  stale: string | null = null;
  expired = false;
  /** Timestamp of the feed; null if unknown. */
  asOf: Date | null = null;
  /** Whether the feed ended with a line break; null for feeds without lines. */
  lineBreak: boolean | null = null;
  readonly rejects = new RejectLog();
  /** Ids of the ads in the feed. Includes stored ads whose row could not be parsed in this run; excludes wanted ads. */
  readonly seen = new IdSet();

  reject(reason: RejectReason, detail: string, row: unknown): void {
    this.dropped[reason] = (this.dropped[reason] ?? 0) + 1;
    this.rejects.add(reason, detail, row);
  }

  /** Counts a value, which the rejects list once, without its row. */
  addUnread({ field, value }: UnreadValue): void {
    this.unread[field] = (this.unread[field] ?? 0) + 1;
    this.rejects.add(`${field}_unreadable`, `the ${field} is left out, and the ad is stored without it`, value);
  }
}
