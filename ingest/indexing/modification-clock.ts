import { MODIFIED_STEP } from '#domain/listings/modified.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Queryable } from '#stores/postgres/transaction.ts';

/**
 * Reserves ascending `modified_at` values up to now, or after all previous ones. The reservation must be on disk before a
 * value is used, so that values increase after any crash or clock.
 */
export async function reserveModified(db: Queryable, count: number): Promise<number[]> {
  const span = count * MODIFIED_STEP;
  const { high } = await sql.queryOne(
    db,
    { high: sql.integer },
    `update modification_clock set high = $1::bigint + greatest(high,
       (extract(epoch from clock_timestamp()) * 1000000)::bigint - $1::bigint) returning high`,
    [span],
  );
  return Array.from({ length: count }, (_, at) => high - span + (at + 1) * MODIFIED_STEP);
}

const CLOCK_STATE = {
  /** The highest value that may have been assigned. */
  high: sql.integer,
  /** `modified_at` value up to which all changes are published; null until the first publication. */
  watermark: sql.nullable(sql.integer),
  /** The last run whose documents are in the index. */
  indexed: sql.integer,
};

/** Detail of the index stage of a run that leaves its documents to the next one. */
export const DOCUMENTS_LEFT = 'documents_left';

export const readClock = (db: Queryable): Promise<sql.RowOf<typeof CLOCK_STATE>> =>
  sql.queryOne(
    db,
    CLOCK_STATE,
    `select high, watermark,
            (select coalesce(max(run_id), 0) from ingest_run_stages
              where stage = 'index' and finished_at is not null and not details ? '${DOCUMENTS_LEFT}') as indexed
       from modification_clock`,
  );

/**
 * Advances the clock beyond all values that an index may contain and the database lacks.
 * @param shown the highest value in the index
 */
export async function raiseClock(db: Queryable, shown: number): Promise<void> {
  await db.query('update modification_clock set high = greatest(high, $1::bigint)', [shown]);
}

/** Records that all values up to the watermark, and all runs up to `run`, are published. */
export async function savePublished(db: Queryable, watermark: number, run: number): Promise<void> {
  await db.query('update modification_clock set watermark = greatest(watermark, $1::bigint), run = greatest(run, $2)', [
    watermark,
    run,
  ]);
}
