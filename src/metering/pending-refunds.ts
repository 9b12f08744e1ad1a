import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '#postgres/transaction.ts';
import { type ChargeId, refundCharge, settleCharge, type TakenUnits } from './charge.ts';
import { Journal, type JournalDisk } from './refund-journal.ts';

/** A charge that must be refunded. */
export interface PendingRefund {
  id: ChargeId;
  /** Null if the charge received no response, so that it is unknown whether the charge was made. */
  taken: TakenUnits | null;
}

/** A line in the journal. */
interface Entry extends PendingRefund {
  /** Time at which the refund was added, in epoch milliseconds. */
  at: number;
}

interface Pending {
  entry: Entry;
  /** Whether the entry is in the journal or being written to it. */
  isWritten: boolean;
}

/** Maximum number of pending refunds. When it is reached, no more calls are charged. */
const MAX_PENDING = 10_000;
const CONCURRENCY = 4;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** Maximum time that a response is delayed by the disk, in milliseconds. */
const DISK_WAIT_MS = 500;
/** Days for which Postgres retains the ids of refunds. Whether an older refund was made is unknown. */
export const REFUND_MEMORY_DAYS = 8;
const MAX_AGE_MS = (REFUND_MEMORY_DAYS - 1) * 86_400_000;

/** Refunds or settles a charge. Idempotent. */
export const settleRefund = (db: Queryable, { id, taken }: PendingRefund): Promise<void> =>
  taken === null ? settleCharge(db, id) : refundCharge(db, id, taken);

/** Refunds that Postgres has not confirmed. They are retried, and survive the process in a journal. */
export class PendingRefunds {
  readonly #db: Queryable;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #journal: Journal<Entry>;
  readonly #pending = new Map<string, Pending>();
  #settling: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(db: Queryable, logger: Logger, now: () => number, journalDir: string, disk?: JournalDisk) {
    this.#db = db;
    this.#logger = logger;
    this.#now = now;
    this.#journal = new Journal(journalDir, disk);
  }

  get size(): number {
    return this.#pending.size;
  }

  get isFull(): boolean {
    return this.#pending.size >= MAX_PENDING;
  }

  /** Takes over the journals of all other processes. A refund that two processes make counts once. */
  async recover(): Promise<void> {
    const { entries, remove } = await this.#journal.takeOverFiles();
    const oldest = this.#now() - MAX_AGE_MS;
    const young = entries.filter(({ at }) => at >= oldest);
    if (young.length < entries.length)
      this.#logger.error({ refunds: entries.length - young.length }, 'pending refunds too old, not made');
    const written = await Promise.all(young.map((entry) => this.#write(this.#remember(entry))));
    if (written.every(Boolean)) await remove();
    if (young.length > 0)
      this.#logger.warn({ refunds: young.length }, 'pending refunds of an earlier process recovered');
    this.#settle();
  }

  /** Adds a refund. Resolves when the write to the journal succeeds or fails, or after `DISK_WAIT_MS`. */
  async add(refund: PendingRefund): Promise<void> {
    const pending = this.#remember({ ...refund, at: this.#now() });
    this.#settle();
    await Promise.race([this.#write(pending), sleep(DISK_WAIT_MS, undefined, { ref: false })]);
  }

  /** Retries the pending refunds a last time. The remaining refunds stay in the journal for the next process. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#settling;
    await this.#settleAll();
    this.#retryWrites();
    if (this.#pending.size > 0)
      this.#logger.warn({ refunds: this.#pending.size }, 'refunds still pending, kept in the journal');
    await this.#journal.close({ remove: this.#pending.size === 0 });
  }

  #remember(entry: Entry): Pending {
    const pending = { entry, isWritten: false };
    this.#pending.set(`${entry.id.session} ${entry.id.charge}`, pending);
    return pending;
  }

  /**
   * Writes a refund to the journal. If the write fails, it is retried while the refund is pending.
   * @returns whether the refund is on disk
   */
  async #write(pending: Pending, isRetry = false): Promise<boolean> {
    pending.isWritten = true;
    try {
      await this.#journal.append(pending.entry);
    } catch (error) {
      pending.isWritten = false;
      if (!isRetry) this.#logger.error({ err: error, refund: pending.entry }, 'pending refund in memory only');
    }
    return pending.isWritten;
  }

  /** Retries failed writes in the background, because an unresponsive disk must not delay refunds. */
  #retryWrites(): void {
    for (const pending of this.#pending.values()) if (!pending.isWritten) void this.#write(pending, true);
  }

  /** Starts settling, unless it is already running. */
  #settle(): void {
    if (this.#pending.size === 0 || this.#closing.signal.aborted) return;
    this.#settling ??= this.#settleUntilDone().finally(() => {
      this.#settling = null;
      this.#settle();
    });
  }

  async #settleUntilDone(): Promise<void> {
    const { signal } = this.#closing;
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      await this.#settleAll();
      if (this.#pending.size === 0) break;
      this.#retryWrites();
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
    if (this.#pending.size === 0)
      await this.#journal.clear().catch((error: unknown) => this.#logger.warn({ err: error }, 'journal not cleared'));
  }

  /** Makes each pending refund. Stops after a failure, because Postgres is probably unavailable. */
  async #settleAll(): Promise<void> {
    const refunds = [...this.#pending];
    for (let at = 0; at < refunds.length; at += CONCURRENCY) {
      const results = await Promise.allSettled(
        refunds.slice(at, at + CONCURRENCY).map(async ([name, { entry }]) => {
          await settleRefund(this.#db, entry);
          this.#pending.delete(name);
        }),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (!failed) continue;
      this.#logger.warn({ err: failed.reason, refunds: this.#pending.size }, 'refunds failed, will retry');
      return;
    }
  }
}
