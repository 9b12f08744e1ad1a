import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import * as sql from '#postgres/rows.ts';
import type { Queryable } from '#postgres/transaction.ts';

/** Number of values that are reserved together. Equals a tenth of a second. */
const RESERVED = 10_000;

/** Runs `work` in a transaction that is flushed to disk before the call returns. */
type Durable = <T>(work: (db: Queryable) => Promise<T>) => Promise<T>;

/** Assigns `modified_at` values, reserved on disk before use, so that they increase after any crash or clock. */
export class ModificationClock {
  readonly #durable: Durable;
  #next = 0;
  #left = 0;

  constructor(durable: Durable) {
    this.#durable = durable;
  }

  async take(count: number): Promise<number[]> {
    if (count > this.#left) {
      const reserved = Math.max(count, RESERVED);
      // The rest of the previous reservation is not used.
      this.#next = await this.#durable((db) => reserve(db, reserved));
      this.#left = reserved;
    }
    const first = this.#next;
    this.#next += count * MODIFIED_STEP;
    this.#left -= count;
    return Array.from({ length: count }, (_, at) => first + at * MODIFIED_STEP);
  }
}

/** Reserves values up to now, or after all previous ones. @returns the first reserved value */
async function reserve(db: Queryable, count: number): Promise<number> {
  const span = count * MODIFIED_STEP;
  const { high } = await sql.queryOne(
    db,
    { high: sql.integer },
    `update modification_clock set high = $1::bigint + greatest(high,
       (extract(epoch from clock_timestamp()) * 1000000)::bigint - $1::bigint) returning high`,
    [span],
  );
  return high - span + MODIFIED_STEP;
}

const CLOCK_STATE = {
  /** The highest value that may have been assigned. */
  high: sql.integer,
  /** `modified_at` value up to which all changes are published; null until the first publication. */
  watermark: sql.nullable(sql.integer),
  /** The last run whose documents are published. */
  run: sql.integer,
  /** The last run whose documents are in the index. Greater than `run` after runs of a release that publishes none. */
  indexed: sql.integer,
};

/** Key in the index stage's details, set by a run that leaves its documents to the next run. */
export const DOCUMENTS_LEFT = 'documents_left';

export const readClock = (db: Queryable): Promise<sql.RowOf<typeof CLOCK_STATE>> =>
  sql.queryOne(
    db,
    CLOCK_STATE,
    `select high, watermark, run,
            (select coalesce(max(run_id), 0) from ingest_run_stages
              where stage = 'index' and finished_at is not null and not details ? '${DOCUMENTS_LEFT}') as indexed
       from modification_clock`,
  );

/**
 * Advances the clock beyond all values that an index may contain and the database lacks.
 * @param shown the highest value in the index
 * @param restored whether the database was restored, in which case all earlier publications are in the past
 */
export async function raiseClock(db: Queryable, shown: number, restored = false): Promise<void> {
  await db.query(
    `update modification_clock set high = greatest(high, $1::bigint,
       case when $2 then (extract(epoch from clock_timestamp()) * 1000000)::bigint end)`,
    [shown, restored],
  );
}

/** Records that all values up to the watermark, and the documents of all runs up to `run`, are published. */
export async function savePublished(db: Queryable, watermark: number, run: number): Promise<void> {
  await db.query('update modification_clock set watermark = greatest(watermark, $1::bigint), run = greatest(run, $2)', [
    watermark,
    run,
  ]);
}
