import type { AdEnd } from '../normalize/ad-words.ts';
import type { RejectReason, UnreadValue } from '../normalize/listing.ts';
import { REMEDIES } from '../normalize/unread-values.ts';
import { RejectLog } from './reject-log.ts';

export interface StoredEntry {
  readonly id: number;
  readonly hash: string;
  readonly withdrawn: boolean;
  /** Whether it must not be listed again. */
  readonly takenDown?: boolean;
}

export type AdOutcome = 'added' | 'changed' | 'relisted';

export const repeats = (key: string): string => `the feed has ${JSON.stringify(key)} more than once`;

export class FetchCounts {
  rows = 0;
  added = 0;
  changed = 0;
  relisted = 0;
  unchanged = 0;
  readonly dropped: Record<string, number> = {};
  /** Accepted rows by what makes them incomplete or doubtful, such as `unread_area`. */
  readonly notes: Record<string, number> = {};
  /** Why the feed is incomplete; null if it was read completely. An incomplete feed withdraws no ads. */
  failed: string | null = null;
  held: string | null = null;
  /** The feed is too old to confirm its ads; null if it is not. */
  stale: string | null = null;
  expired = false;
  asOf: Date | null = null;
  /** Null for feeds without lines. */
  lineBreak: boolean | null = null;
  readonly rejects = new RejectLog();
  /** Includes stored ads whose row could not be parsed in this run; excludes wanted ads. */
  readonly seen = new Set<number>();
  /** Why stored ads are not offered any more, as the feed states. */
  readonly ended = new Map<number, AdEnd>();

  note(name: string): void {
    this.notes[name] = (this.notes[name] ?? 0) + 1;
  }

  reject(reason: RejectReason, detail: string, row: unknown): void {
    this.dropped[reason] = (this.dropped[reason] ?? 0) + 1;
    const names = reason === 'missing_id' && typeof row === 'object' ? Object.keys(row ?? {}).join(', ') : '';
    this.rejects.add(reason, names === '' ? detail : `${detail}. It has ${names}`, row);
    // The ads of rounded ids are in the feed, under ids that it does not state.
    if (reason === 'source_listing_id_unreadable') this.failed ??= `the id ${detail}`;
  }

  /**
   * Counts a row that need not be read, because it repeats another one or is stored with the same hash. Returns null
   * for other rows.
   */
  skip(hash: string, known: StoredEntry | undefined): 'repeated' | 'relisted' | 'unchanged' | null {
    if (known !== undefined && this.seen.has(known.id)) return 'repeated';
    if (known === undefined || (known.hash !== hash && !known.takenDown)) return null;
    this.seen.add(known.id);
    const outcome = known.withdrawn && !known.takenDown ? 'relisted' : 'unchanged';
    this[outcome]++;
    return outcome;
  }

  /** @returns the count that includes the row */
  take(id: number, known: StoredEntry | undefined): AdOutcome {
    const counted = known === undefined ? 'added' : known.withdrawn ? 'relisted' : 'changed';
    this[counted]++;
    this.seen.add(id);
    return counted;
  }

  /**
   * Moves an accepted row that Postgres does not accept to the rejects. If the row is stored, its previous content is
   * kept.
   */
  refuse(id: number, counted: AdOutcome, reason: string, row: unknown): void {
    this[counted]--;
    if (counted === 'added') this.seen.delete(id);
    this.reject('refused_by_store', reason, row);
  }

  /** The rejects list it once, without its row. */
  addUnread({ field, value, remedy = REMEDIES[field] }: UnreadValue): void {
    this.note(`unread_${field}`);
    const detail = `the ${field} is left out, and the ad is stored without it. ${remedy}`;
    this.rejects.add(`${field}_unreadable`, detail, value);
  }
}
