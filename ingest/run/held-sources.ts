import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';

const SOURCE_HOLD = {
  source: sql.text,
  reason: sql.text,
  run: sql.integer,
};
export type SourceHold = sql.RowOf<typeof SOURCE_HOLD>;

/** Returns the sources whose last feed was doubtful and withdrew no ads. */
export const heldSources = (pool: pg.Pool): Promise<SourceHold[]> =>
  sql.queryRows(
    pool,
    SOURCE_HOLD,
    `select source, held_reason as reason, held_run as run from source_states where held_run is not null order by source`,
  );

/** Releases a held feed; the next run withdraws the ads that it lacks. @throws Error if it is not held */
export async function releaseSource(pool: pg.Pool, source: string): Promise<void> {
  const { rowCount } = await pool.query(
    'update source_states set released = true where source = $1 and held_run is not null',
    [source],
  );
  if (rowCount === 0) throw new Error(`The source ${source} is not held.`);
}
