import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import { FENCE, type Fence, fenceKey } from './fences.ts';

/** Returns the fences of the last run, by `fenceKey`. @param cells defaults to all */
export async function readFences(pool: pg.Pool, cells: readonly (string | null)[] | null = null) {
  const rows = await sql.queryRows(
    pool,
    FENCE,
    `select kind, tier, fence, sample_size as sample, median_price as median, mad_log_price as mad, low, high
       from quality_fences where $1::text[] is null or fence = any ($1)`,
    [cells],
  );
  return new Map(rows.map((fence): [string, Fence] => [fenceKey(fence.kind, fence.tier, fence.fence), fence]));
}
