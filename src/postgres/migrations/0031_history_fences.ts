import type { Knex } from 'knex';

/** The fences that the history was last judged by, so that a run judges only what fences that moved may change. */
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
