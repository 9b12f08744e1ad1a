import * as sql from '#postgres/rows.ts';
import { copyIn, copyText } from '../postgres/copy-in.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/context.ts';
import type { StoredPhoto } from './copy.ts';
import { recordImages } from './images.ts';
import { urlHash } from './keys.ts';
import { type OwnerTable, RECORD, showing } from './owners.ts';
import { type Attempt, type PhotoState, shownPhotos, stateAfter, type Task } from './states.ts';

const BATCH = 100;

export interface PhotoOwner {
  id: number;
  urls: string[];
}

/** A table whose rows have photos. */
export interface Owners {
  table: OwnerTable;
  /** SQL for the table, as `l`, joined with its records. */
  rows: string;
  /** SQL for the JSON whose `photos` are the URLs. */
  record: string;
  /** Assignments that follow `set photos = …, photos_pending = …` when a row's photos change; `$1` is the run. */
  touch: string;
}

export const OWNERS: readonly Owners[] = [
  {
    table: 'listings',
    rows: 'listings l join listing_records r on r.id = l.id',
    record: 'r.record',
    touch: `${touchVersion('$1')}, content_run = $1`,
  },
  { table: 'off_plan_records', rows: 'off_plan_records l', record: 'l.record', touch: 'changed_run = $1' },
];

/** SQL for a task's rows whose `id` is above `$1`. */
const REST: Readonly<Record<Task, (owners: Owners) => { from: string; id: string }>> = {
  copy: ({ rows }) => ({ from: `${rows} where l.photos_pending = 1 and l.withdrawn_at is null`, id: 'l.id' }),
  check: ({ table, rows }) => ({
    from: `photo_checks c join ${rows} on l.id = c.owner_id where c.owner = '${table}'`,
    id: 'c.owner_id',
  }),
};

/** Returns the number of rows with pending photos or checks. */
export async function countPending({ pool }: RunContext): Promise<number> {
  const pending = OWNERS.map(
    ({ table }) => `select count(*) as pending from ${table} where photos_pending = 1 and withdrawn_at is null`,
  );
  const counts = `${pending.join(' union all ')} union all select count(*) from photo_checks`;
  const select = `select sum(pending)::bigint as total from (${counts}) as counts`;
  return (await sql.queryOne(pool, { total: sql.integer }, select)).total;
}

export function countRest({ pool }: RunContext, task: Task, owners: Owners, after: number): Promise<number> {
  const { from, id } = REST[task](owners);
  return sql.countRows(pool, `from ${from} and ${id} > $1`, [after]);
}

export async function nextBatch(
  { pool }: RunContext,
  task: Task,
  owners: Owners,
  after: number,
): Promise<PhotoOwner[]> {
  const { from, id } = REST[task](owners);
  const rows = await sql.queryRows(pool, RECORD, {
    name: `photos-${task}-${owners.table}`,
    text: `select l.id, ${owners.record} as record from ${from} and ${id} > $1 order by ${id} limit ${BATCH}`,
    values: [after],
  });
  return rows.map(({ id, record }) => ({ id, urls: (JSON.parse(record) as { photos: string[] }).photos }));
}

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

/** Returns the states of a batch's URLs, keyed by `urlHash`. */
export async function readStates({ pool }: RunContext, batch: readonly PhotoOwner[]): Promise<Map<string, PhotoState>> {
  const hashes = [...new Set(batch.flatMap(({ urls }) => urls.map(urlHash)))];
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

/** Renders the columns `etag` and `last_modified` for COPY. */
const validators = ({ validators: { etag, lastModified } }: StoredPhoto): string =>
  `${copyText(etag)}\t${copyText(lastModified)}`;

const PHOTO_COLUMNS = 'url_hash, status, key, small, etag, last_modified, attempts, last_run, error';

export async function saveBatch(
  { run, writer, photos: { maxAttempts } }: RunContext,
  task: Task,
  { table, touch }: Owners,
  batch: readonly PhotoOwner[],
  states: ReadonlyMap<string, PhotoState>,
  attempts: readonly Attempt[],
): Promise<void> {
  const results = batch.flatMap(({ id, urls }) => {
    const shown = shownPhotos(
      urls.map((url) => states.get(urlHash(url))),
      maxAttempts,
    );
    return shown === null ? [] : [`${id}\t${shown.keys.join(' ')}\t${shown.isWaiting ? 1 : 0}`];
  });
  const tried: string[] = [];
  const kept: string[] = [];
  for (const attempt of attempts) {
    const { hash, stored, outcome } = attempt;
    const error = copyText('error' in outcome ? outcome.error : null);
    const state = stateAfter(attempt, { run: run.id, maxAttempts });
    const unchanged = 'unchanged' in outcome ? outcome.unchanged : stored;
    if (state?.status === 'stored') {
      const { key, small, attempts: count } = state;
      tried.push(`${hash}\tstored\t${key}\t${small ? 't' : 'f'}\t${validators(state)}\t${count}\t${run.id}\t${error}`);
    } else if (state !== null) tried.push(`${hash}\tfailed\t\\N\tf\t\\N\t\\N\t${state.attempts}\t${run.id}\t${error}`);
    else if (unchanged !== null) kept.push(`${hash}\t${unchanged.key}\t${validators(unchanged)}\t${error}`);
  }
  await writer.transaction(async (client) => {
    await client.query(`
      create temp table if not exists listing_photos (id bigint, photos text, pending smallint) on commit delete rows;
      create temp table if not exists tried_photos on commit delete rows as select * from photos with no data;
      create temp table if not exists kept_photos (url_hash text, key text, etag text, last_modified text, error text)
        on commit delete rows;
    `);
    await copyIn(client, 'listing_photos', results);
    await copyIn(client, `tried_photos (${PHOTO_COLUMNS})`, tried);
    await copyIn(client, 'kept_photos', kept);
    await client.query(`
      insert into photos (${PHOTO_COLUMNS}) select ${PHOTO_COLUMNS} from tried_photos
      on conflict (url_hash) do update set status = excluded.status, key = excluded.key, small = excluded.small,
        etag = excluded.etag, last_modified = excluded.last_modified,
        attempts = excluded.attempts, last_run = excluded.last_run, error = excluded.error`);
    // Photos that a repair has replaced in the meantime are skipped.
    await client.query(
      `update photos p set etag = k.etag, last_modified = k.last_modified, last_run = $1, error = k.error
         from kept_photos k where k.url_hash = p.url_hash and k.key = p.key`,
      [run.id],
    );
    await recordImages(
      client,
      attempts.flatMap(({ outcome }) => ('key' in outcome ? [outcome] : [])),
    );
    // If no photo of a changed list has been copied yet, the earlier photos are kept.
    await client.query(
      `update ${table} l set photos = s.photos, photos_pending = s.pending, ${touch},
              photos_checked_run = case when l.photos = '' then $1::integer else l.photos_checked_run end
         from listing_photos s where s.id = l.id and s.photos <> l.photos and not (s.photos = '' and s.pending = 1)`,
      [run.id],
    );
    if (task === 'copy')
      await client.query(
        `update ${table} l set photos_pending = s.pending
           from listing_photos s where s.id = l.id and s.pending <> l.photos_pending`,
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

/**
 * Marks the other rows that show a replaced photo, so that one URL has one key.
 * @returns whether any row was marked
 */
export async function markReplaced({ writer }: RunContext): Promise<boolean> {
  return writer.transaction(async (client) => {
    const { rowCount: replaced } = await client.query('select from replaced_photos limit 1');
    if (replaced === 0) return false;
    let marked = 0;
    for (const { table } of OWNERS) {
      const { rowCount } = await client.query(
        `update ${table} set photos_pending = 1 where id in (${showing(table, 'replaced_photos')})`,
      );
      marked += rowCount ?? 0;
    }
    await client.query('delete from replaced_photos');
    return marked > 0;
  });
}
