import * as sql from '#stores/postgres/rows.ts';
import { shortHash } from '../hash.ts';
import type { RunContext } from '../run/run-context.ts';
import { recordImages } from './images.ts';
import { OWNER_SQL, OWNER_TABLES, type OwnerTable, type PhotoOwner, readOwners, sourcesIn } from './owners.ts';
import { type Attempt, type PhotoState, shownPhotos, type Task } from './states.ts';

/**
 * Maximum number of URLs of changed ads per host and run: a release may change all at once. About a minute with 8
 * connections and 100 ms per request.
 */
const CHANGED_PER_HOST = 5_000;
/** Maximum number of aged URLs per host and run: about 13 seconds. With two runs a day, 50,000 photos take 25 days. */
const AGED_PER_HOST = 1_000;
const MIN_AGE_DAYS = 7;

const LIVE = { listings: 'l.served', off_plan_records: 'l.withdrawn_at is null' };

const BATCH = 250;

/** SQL for a task's rows of a table, as `l`, whose id is above that of the SQL parameter `after`. */
const REST: Readonly<Record<Task, (table: OwnerTable, after: string) => string>> = {
  copy: (_table, after) => `where l.photos_pending = 1 and l.withdrawn_at is null and l.id > ${after}`,
  check: (table, after) =>
    `join photo_checks c on c.owner = '${table}' and c.owner_id = l.id where c.owner_id > ${after}`,
};

export const countRest = ({ pool }: RunContext, task: Task, table: OwnerTable, after = 0): Promise<number> =>
  sql.countRows(pool, `from ${table} l ${REST[task](table, '$1')}`, [after]);

export const nextBatch = ({ pool }: RunContext, task: Task, table: OwnerTable, after: number): Promise<PhotoOwner[]> =>
  readOwners(pool, table, `${REST[task](table, '$1')} order by l.id limit ${BATCH}`, [after]);

const STATE_ROW = {
  hash: sql.text,
  status: sql.text,
  key: sql.nullable(sql.text),
  small: sql.boolean,
  etag: sql.nullable(sql.text),
  last_modified: sql.nullable(sql.text),
  attempts: sql.integer,
  run: sql.integer,
};

/** Returns the states of a batch's URLs, keyed by `shortHash`. */
export async function readStates({ pool }: RunContext, batch: readonly PhotoOwner[]): Promise<Map<string, PhotoState>> {
  const hashes = [...new Set(batch.flatMap(({ urls }) => urls.map(shortHash)))];
  const rows = await sql.queryRows(
    pool,
    STATE_ROW,
    `select url_hash as hash, status, key, small, etag, last_modified, attempts, last_run as run
       from photos where url_hash = any ($1)`,
    [hashes],
  );
  return new Map(
    rows.map(({ hash, status, key, small, etag, last_modified: lastModified, attempts, run }) => [
      hash,
      status === 'stored' && key !== null
        ? { status, attempts, run, key, small, validators: { etag, lastModified } }
        : { status: 'failed', attempts, run },
    ]),
  );
}

/** Saves attempts, and the photos that the rows then show. @param states states after the attempts */
export async function saveBatch(
  { run, writer, photos: { maxAttempts } }: RunContext,
  task: Task,
  table: OwnerTable,
  batch: readonly PhotoOwner[],
  states: ReadonlyMap<string, PhotoState>,
  attempts: readonly Attempt[],
): Promise<void> {
  const shown = batch.flatMap(({ id, urls }) => {
    const found = shownPhotos(
      urls.map((url) => states.get(shortHash(url))),
      maxAttempts,
    );
    return found === null ? [] : [{ id, photos: found.keys.join(' '), pending: found.isWaiting ? 1 : 0 }];
  });
  const tried = attempts.map(({ hash, stored, outcome }) => {
    const state = states.get(hash) as PhotoState;
    return {
      url_hash: hash,
      ...state,
      ...('validators' in state && { etag: state.validators.etag, last_modified: state.validators.lastModified }),
      error: 'error' in outcome ? outcome.error : null,
      earlier: stored?.key ?? null,
    };
  });
  const shownRows = 'json_to_recordset($2) as s (id bigint, photos text, pending smallint)';
  await writer.transaction(async (client) => {
    // Skips photos that a repair has replaced meanwhile.
    await client.query(
      `insert into photos as p (url_hash, status, key, small, etag, last_modified, attempts, last_run, error)
       select url_hash, status, key, coalesce(small, false), etag, last_modified, attempts, $1, error
         from json_to_recordset($2) as t (url_hash text, status text, key text, small boolean, etag text,
              last_modified text, attempts smallint, error text)
       on conflict (url_hash) do update set status = excluded.status, key = excluded.key, small = excluded.small,
         etag = excluded.etag, last_modified = excluded.last_modified,
         attempts = excluded.attempts, last_run = excluded.last_run, error = excluded.error
       where p.key is not distinct from (
         select earlier from json_to_recordset($2) as t (url_hash text, earlier text) where t.url_hash = p.url_hash)`,
      [run.id, JSON.stringify(tried)],
    );
    await recordImages(
      client,
      attempts.flatMap(({ outcome }) => ('key' in outcome ? [outcome] : [])),
    );
    // Earlier photos are kept until the first of a changed list is copied.
    await client.query(
      `update ${table} l set photos = s.photos, photos_pending = s.pending, ${OWNER_SQL[table].touch('$1')},
              photos_checked_run = case when l.photos = '' then $1::integer else l.photos_checked_run end
         from ${shownRows} where s.id = l.id and s.photos <> l.photos and not (s.photos = '' and s.pending = 1)`,
      [run.id, JSON.stringify(shown)],
    );
    if (task === 'copy')
      await client.query(
        `update ${table} l set photos_pending = s.pending
           from ${shownRows} where s.id = l.id and s.pending <> l.photos_pending and $1::integer is not null`,
        [run.id, JSON.stringify(shown)],
      );
    else {
      const replaced = attempts.flatMap(({ stored, outcome }) => (stored && 'key' in outcome ? [stored.key] : []));
      await client.query('insert into replaced_photos select unnest($1::text[]) on conflict do nothing', [replaced]);
      const ids = batch.map(({ id }) => id);
      await client.query(`update ${table} set photos_checked_run = $1 where id = any ($2::bigint[])`, [run.id, ids]);
      await client.query('delete from photo_checks where owner = $1 and owner_id = any ($2::bigint[])', [table, ids]);
    }
  });
}

/** Marks the other rows that show a replaced photo. @returns whether there are any */
export async function markReplaced({ writer }: RunContext): Promise<boolean> {
  return writer.transaction(async (client) => {
    const { rowCount: replaced } = await client.query('select from replaced_photos limit 1');
    if (replaced === 0) return false;
    let marked = 0;
    for (const table of OWNER_TABLES) {
      const { rowCount } = await client.query(
        `update ${table} set photos_pending = 1 where id in (
           select o.id from ${table} o cross join lateral unnest(string_to_array(o.photos, ' ')) as shown (key)
             join replaced_photos using (key)
            where o.withdrawn_at is null and o.photos <> '')`,
      );
      marked += rowCount ?? 0;
    }
    await client.query('delete from replaced_photos');
    return marked > 0;
  });
}

/** Selects the rows of the run's sources whose stored photos are requested again. Stored, so that a resumed run uses the same ones. */
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
    const select = (perHost: number, due: (table: OwnerTable) => string) =>
      client.query(
        selection(perHost, due),
        OWNER_TABLES.map((table) => sourcesIn(run.sources, table)),
      );
    await select(CHANGED_PER_HOST, () => 'l.photos_checked_run = -1 and l.withdrawn_at is null');
    await select(AGED_PER_HOST, (table) => `l.photos_checked_run between 0 and ${before} and ${LIVE[table]}`);
    await client.query(`update ingest_run_stages set checkpoint = 1 where run_id = $1 and stage = 'photos'`, [run.id]);
  });
}

/**
 * Returns SQL that selects due rows, oldest first, until the URLs of a host reach its limit. Its parameters are the
 * sources of each table.
 */
function selection(perHost: number, due: (table: OwnerTable) => string): string {
  const candidates = OWNER_TABLES.map((table, at) => {
    const { rows, record } = OWNER_SQL[table];
    return `
      select '${table}' as owner, c.* from unnest($${at + 1}::text[]) as s (source) cross join lateral (
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
