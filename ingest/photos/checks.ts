import * as sql from '#postgres/rows.ts';
import type { RunContext } from '../run/context.ts';
import { OWNER_SQL, OWNER_TABLES } from './owners.ts';

/**
 * Maximum number of URLs of changed ads per host and run: a release may change all at once. About a minute with 8
 * connections and 100 ms per request.
 */
const CHANGED_PER_HOST = 5_000;
/** Maximum number of aged URLs per host and run: about 13 seconds. With two runs a day, 50,000 photos take 25 days. */
const AGED_PER_HOST = 1_000;
const MIN_AGE_DAYS = 7;

const SOURCES = {
  listings: 'select source from source_states',
  off_plan_records: 'select distinct source from off_plan_records',
};
const LIVE = { listings: 'l.served', off_plan_records: 'l.withdrawn_at is null' };

/** Selects the rows whose stored photos are requested again. Stored, so that a resumed run keeps to them. */
export async function selectChecks({ run, pool, writer }: RunContext): Promise<void> {
  const { before } = await sql.queryOne(
    pool,
    { before: sql.integer },
    `select coalesce(max(id), 0) as before from ingest_runs
      where at <= $1::timestamptz - interval '${MIN_AGE_DAYS} days'`,
    [run.at],
  );
  await writer.transaction(async (client) => {
    await client.query('delete from photo_checks');
    await client.query(selection(CHANGED_PER_HOST, () => 'l.photos_checked_run = -1 and l.withdrawn_at is null'));
    await client.query(
      selection(AGED_PER_HOST, (table) => `l.photos_checked_run between 0 and ${before} and ${LIVE[table]}`),
    );
    await client.query(`update ingest_run_stages set checkpoint = 1 where run_id = $1 and stage = 'photos'`, [run.id]);
  });
}

/** Returns SQL that selects due rows, oldest first, until the URLs of a host reach its limit. */
function selection(perHost: number, due: (table: keyof typeof SOURCES) => string): string {
  const candidates = OWNER_TABLES.map((table) => {
    const { rows, record } = OWNER_SQL[table];
    return `
      select '${table}' as owner, c.* from (${SOURCES[table]}) s cross join lateral (
        select l.id, l.photos_checked_run as run, ${record} as record from ${rows}
         where l.source = s.source and l.photos <> '' and ${due(table)}
         order by l.photos_checked_run, l.id limit ${perHost}) c`;
  });
  return `
    insert into photo_checks (owner, owner_id)
    select owner, id
      from (select owner, id, sum(urls) over (partition by host order by run, owner, id) - urls as before
              from (select owner, id, run, split_part(url, '/', 3) as host, count(distinct url) as urls
                      from (${candidates.join(' union all ')}) d
                     cross join lateral json_array_elements_text(record::json -> 'photos') as p (url)
                     group by 1, 2, 3, 4) h) b
     group by owner, id having max(before) < ${perHost} on conflict do nothing`;
}
