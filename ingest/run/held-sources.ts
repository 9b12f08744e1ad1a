import type pg from 'pg';

export interface HeldSource {
  source: string;
  reason: string;
  /** The run that did not believe the feed. */
  run: number;
}

/** Sources whose last feed was not believed. */
export async function heldSources(pool: pg.Pool): Promise<HeldSource[]> {
  const { rows } = await pool.query<HeldSource>(
    `select source, held_reason as reason, held_run as run from source_states where held_run is not null order by source`,
  );
  return rows;
}

/**
 * A person says that a held feed tells the truth: the next run takes its ads as withdrawn.
 * @throws Error when the source is not held
 */
export async function releaseSource(pool: pg.Pool, source: string): Promise<void> {
  const { rowCount } = await pool.query(
    'update source_states set released = true where source = $1 and held_run is not null',
    [source],
  );
  if (rowCount === 0) throw new Error(`The source ${source} is not held.`);
}
