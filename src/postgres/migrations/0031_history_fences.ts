import type { Knex } from 'knex';

/**
 * The outlier limits by which the history was last checked, so that a run only rechecks the part that changed limits
 * affect.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table history_fences (
      kind text not null,
      tier text not null,
      fence text not null,
      low double precision not null,
      high double precision,
      -- names the rules that they were used with; other rules judge everything anew
      rules text not null,
      primary key (kind, tier, fence)
    );
  `);
}
