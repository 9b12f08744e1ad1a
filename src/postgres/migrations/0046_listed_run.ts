import type { Knex } from 'knex';

/**
 * The run in which an ad was last added, or listed again after it was withdrawn. Null for rows of the previous release.
 * A feed is held if it lacks more than half of the ads that its last complete run confirmed; ads that only held runs
 * have added since then are not counted.
 */
export async function up(db: Knex): Promise<void> {
  for (const table of ['listings', 'off_plan_records'])
    await db.raw(`alter table ${table} add column listed_run integer`);
  // Ads that were added after the last complete run: those of feeds that were held or failed.
  for (const [table, feed] of [
    ['listings', 'l.source'],
    ['off_plan_records', `l.source || '/projects'`],
  ])
    await db.raw(`
      update ${table} l set listed_run = r.id + 1
        from source_states s join ingest_runs r on r.id = s.last_complete_run
       where s.source = ${feed} and l.first_seen_at > r.at`);
}
