import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import type { Queryable } from '#postgres/transaction.ts';

/** Number of values that are reserved together, equal to a tenth of a second. */
const RESERVED = 10_000;

/** Runs work in a transaction that is on disk when it returns. */
type Durable = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;

/**
 * SQL of the highest first value that a listing may have. Listings added by an earlier release have theirs until the first
 * watermark is published.
 */
const HIGHEST_FIRST = `case when watermark is null then (
  select coalesce((extract(epoch from max(first_seen_at)) * 1000000)::bigint + max(id) * ${MODIFIED_STEP}, 0) from listings)
  else 0 end`;

/**
 * Assigns values of `modified_at`, under the ingest lock. Values are reserved on disk before use, so they increase
 * regardless of the host's clock, and after a crash continue above those that an index may contain.
 */
export class ModificationClock {
  readonly #durable: Durable;
  #next = 0;
  #left = 0;

  constructor(durable: Durable) {
    this.#durable = durable;
  }

  /** Returns the next values in ascending order. */
  async take(count: number): Promise<number[]> {
    if (count > this.#left) {
      const reserved = Math.max(count, RESERVED);
      // The remaining reserved values are skipped.
      this.#next = await this.#durable((db) => reserve(db, reserved));
      this.#left = reserved;
    }
    const first = this.#next;
    this.#next += count * MODIFIED_STEP;
    this.#left -= count;
    return Array.from({ length: count }, (_, at) => first + at * MODIFIED_STEP);
  }
}

/** Reserves values up to the current time, or above all previous ones if these are later. @returns the first */
async function reserve(db: Queryable, count: number): Promise<number> {
  const span = count * MODIFIED_STEP;
  const { rows } = await db.query<{ high: number }>(
    `update modification_clock set high = $1::bigint + greatest(high, ${HIGHEST_FIRST},
       (extract(epoch from clock_timestamp()) * 1000000)::bigint - $1::bigint) returning high`,
    [span],
  );
  return (rows[0] as { high: number }).high - span + MODIFIED_STEP;
}

export interface ClockState {
  /** The last value that may have been assigned. */
  high: number;
  /** Null until the first publication. */
  watermark: number | null;
  /** The last run whose documents are published. */
  run: number;
  /** The last run whose documents are in the index; greater than `run` for a release that publishes none. */
  indexed: number;
}

/** Key in the details of the index stage of a run that left its documents to the next run. */
export const DOCUMENTS_LEFT = 'documents_left';

export async function readClock(db: Queryable): Promise<ClockState> {
  const { rows } = await db.query<ClockState>(
    `select high, watermark, run,
            (select coalesce(max(run_id), 0) from ingest_run_stages
              where stage = 'index' and finished_at is not null and not details ? '${DOCUMENTS_LEFT}') as indexed
       from modification_clock`,
  );
  return rows[0] as ClockState;
}

/**
 * Raises the clock above all values that an index may contain and the database lacks.
 * @param shown the values in the index
 * @param restored whether the database was restored: all earlier publications are in the past
 */
export async function raiseClock(db: Queryable, shown: number, restored = false): Promise<void> {
  await db.query(
    `update modification_clock set high = greatest(high, $1::bigint, ${HIGHEST_FIRST},
       case when $2 then (extract(epoch from clock_timestamp()) * 1000000)::bigint end)`,
    [shown, restored],
  );
}

/** Records that all values up to the watermark, and the documents of all runs up to one, are published. */
export async function savePublished(db: Queryable, watermark: number, run: number): Promise<void> {
  await db.query('update modification_clock set watermark = greatest(watermark, $1::bigint), run = greatest(run, $2)', [
    watermark,
    run,
  ]);
}
