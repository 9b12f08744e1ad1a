import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Queryable } from '#postgres/transaction.ts';
import { type ChargeId, giveBack, settleCharge, type TakenUnits } from './charge.ts';
import { Journal, type JournalDisk } from './refund-journal.ts';

/** Units that are to be given back. */
export interface Debt {
  id: ChargeId;
  /** Null: it is not known whether the charge was made, because no answer came. */
  taken: TakenUnits | null;
}

/** As it stands in the journal. */
interface Entry extends Debt {
  /** Epoch milliseconds. */
  at: number;
}

interface Owed {
  entry: Entry;
  /** Whether it is in the journal, or about to be. */
  isWritten: boolean;
}

/** Debts that are remembered. With so many no further call is charged. */
const MAX_DEBTS = 10_000;
/** Debts that are paid at once. */
const AT_ONCE = 4;
const FIRST_PAUSE = 250;
const LAST_PAUSE = 5_000;
/** Milliseconds that an answer is kept waiting for the disk. */
const DISK_LIMIT = 500;
/** Days that Postgres remembers what was given back; see the job that expires it. An older debt cannot be told paid from not. */
export const MEMORY_DAYS = 8;
const MAX_AGE = (MEMORY_DAYS - 1) * 86_400_000;

/** Pays a debt; paying it twice changes nothing. */
export const pay = (db: Queryable, { id, taken }: Debt): Promise<void> =>
  taken === null ? settleCharge(db, id) : giveBack(db, id, taken);

/**
 * What is owed because Postgres did not answer. Debts are tried again until they are paid, and written to a journal, so
 * that a process that is killed forgets none.
 */
export class Debts {
  readonly #db: Queryable;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #journal: Journal<Entry>;
  readonly #owed = new Map<string, Owed>();
  #paying: Promise<void> | null = null;
  readonly #closing = new AbortController();

  constructor(db: Queryable, logger: Logger, now: () => number, journalDir: string, disk?: JournalDisk) {
    this.#db = db;
    this.#logger = logger;
    this.#now = now;
    this.#journal = new Journal(journalDir, disk);
  }

  get size(): number {
    return this.#owed.size;
  }

  get isFull(): boolean {
    return this.#owed.size >= MAX_DEBTS;
  }

  /** Takes up what other processes have written: most of them were killed, and what others pay too is paid once. */
  async takeUp(): Promise<void> {
    const { entries, remove } = await this.#journal.takeLeftovers();
    const oldest = this.#now() - MAX_AGE;
    const young = entries.filter(({ at }) => at >= oldest);
    if (young.length < entries.length)
      this.#logger.error({ debts: entries.length - young.length }, 'units owed for too long are not given back');
    const written = await Promise.all(young.map((entry) => this.#write(this.#remember(entry))));
    if (written.every(Boolean)) await remove();
    if (young.length > 0) this.#logger.warn({ debts: young.length }, 'units owed by an earlier process are given back');
    this.#pay();
  }

  /** Returns when the debt is on disk, and in no case later than the caller of the failed call should wait. */
  async owe(debt: Debt): Promise<void> {
    const owed = this.#remember({ ...debt, at: this.#now() });
    this.#pay();
    await Promise.race([this.#write(owed), sleep(DISK_LIMIT, undefined, { ref: false })]);
  }

  /** Pays what can be paid at once; what cannot stays in the journal for the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#paying;
    await this.#payAll();
    this.#writeAgain();
    if (this.#owed.size > 0)
      this.#logger.warn({ debts: this.#owed.size }, 'units are still owed; the journal has them');
    await this.#journal.close({ remove: this.#owed.size === 0 });
  }

  #remember(entry: Entry): Owed {
    const owed = { entry, isWritten: false };
    this.#owed.set(`${entry.id.session} ${entry.id.charge}`, owed);
    return owed;
  }

  /** Whether the debt is on disk. One that is not is written again while it is owed. */
  async #write(owed: Owed, isAgain = false): Promise<boolean> {
    owed.isWritten = true;
    try {
      await this.#journal.append(owed.entry);
    } catch (error) {
      owed.isWritten = false;
      if (!isAgain) this.#logger.error({ err: error, debt: owed.entry }, 'a debt is kept in memory only');
    }
    return owed.isWritten;
  }

  /** Does not wait: a disk that does not answer keeps nobody from paying. */
  #writeAgain(): void {
    for (const owed of this.#owed.values()) if (!owed.isWritten) void this.#write(owed, true);
  }

  /** Begins to pay unless that is under way. */
  #pay(): void {
    if (this.#owed.size === 0 || this.#closing.signal.aborted) return;
    this.#paying ??= this.#payUntilDone().finally(() => {
      this.#paying = null;
      this.#pay();
    });
  }

  async #payUntilDone(): Promise<void> {
    const { signal } = this.#closing;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(2 * pause, LAST_PAUSE)) {
      await this.#payAll();
      if (this.#owed.size === 0) break;
      this.#writeAgain();
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
    if (this.#owed.size === 0)
      await this.#journal
        .clear()
        .catch((error: unknown) => this.#logger.warn({ err: error }, 'the journal was not cleared'));
  }

  /** Tries every debt once, and ends early when Postgres does not answer. */
  async #payAll(): Promise<void> {
    const debts = [...this.#owed];
    for (let at = 0; at < debts.length; at += AT_ONCE) {
      const results = await Promise.allSettled(
        debts.slice(at, at + AT_ONCE).map(async ([name, { entry }]) => {
          await pay(this.#db, entry);
          this.#owed.delete(name);
        }),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (!failed) continue;
      this.#logger.warn({ err: failed.reason, debts: this.#owed.size }, 'units owed could not be given back yet');
      return;
    }
  }
}
