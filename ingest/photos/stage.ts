import PQueue from 'p-queue';
import * as sql from '#postgres/rows.ts';
import { copyIn, copyText } from '../postgres/copy-in.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/context.ts';
import { runStage } from '../run/run-state.ts';
import { selectChecks } from './checks.ts';
import { type CheckOutcome, checkPhoto, copyPhoto, type StoredPhoto } from './copy.ts';
import { createDownloader, type Downloader } from './download.ts';
import { hashStored } from './hash-stored.ts';
import { recordImages } from './images.ts';
import { urlHash } from './keys.ts';
import { type OwnerTable, showing } from './owners.ts';

/** Number of listings or projects per batch. */
const BATCH = 100;
const BATCHES_AT_ONCE = 6;

interface PhotoOwner {
  id: number;
  urls: string[];
}

/** A table whose rows have photos: where to read the photo URLs, and where to store the keys of copied photos. */
interface Owners {
  table: OwnerTable;
  /** SQL for the table, as `l`, joined with its records. */
  rows: string;
  /** SQL for the JSON whose `photos` are the URLs. */
  record: string;
  /** Assignments that follow `set photos = …, photos_pending = …` when a row's photos change; `$1` is the run. */
  touch: string;
}

const OWNERS: readonly Owners[] = [
  {
    table: 'listings',
    rows: 'listings l join listing_records r on r.id = l.id',
    record: 'r.record',
    touch: `${touchVersion('$1')}, content_run = $1`,
  },
  { table: 'off_plan_records', rows: 'off_plan_records l', record: 'l.record', touch: 'changed_run = $1' },
];

/** `copy` fetches photos that are not stored yet; `check` requests stored photos again. */
type Task = 'copy' | 'check';

/** SQL for a task's rows whose id, as `id`, is above `$1`. */
const REST: Readonly<Record<Task, (owners: Owners) => { from: string; id: string }>> = {
  copy: ({ rows }) => ({ from: `${rows} where l.photos_pending = 1 and l.withdrawn_at is null`, id: 'l.id' }),
  check: ({ table, rows }) => ({
    from: `photo_checks c join ${rows} on l.id = c.owner_id where c.owner = '${table}'`,
    id: 'c.owner_id',
  }),
};

type PhotoState =
  | ({ status: 'stored'; small: boolean; run: number } & StoredPhoto)
  | { status: 'failed'; attempts: number; run: number };

interface Attempt {
  hash: string;
  attempts: number;
  /** The stored photo to check; null for the task `copy`. */
  stored: StoredPhoto | null;
  outcome: CheckOutcome;
}

/**
 * Copies photos of live ads to the CDN bucket if their photo list is new or had failures. Listings show the copied
 * photos, and failed photos are retried in a limited number of later runs. Then requests stored photos again: those of
 * changed ads, and those of ads checked longest ago. Photos with changed bytes are replaced; photos that are
 * unavailable at the source are kept.
 */
export function photosStage(context: RunContext): Promise<void> {
  return runStage(context, 'photos', async ({ checkpoint }) => {
    const tasks: readonly Task[] = context.photos.mode === 'fetch' ? ['copy', 'check'] : ['copy'];
    if (checkpoint === 0 && tasks.includes('check')) await selectChecks(context);
    const result = await runTasks(context, tasks);
    result.details.hashed_later = await hashStored(context);
    return () => result;
  });
}

/** Copies and checks photos until none are left or the stage's time limit is reached. @returns the stage's counts */
async function runTasks(context: RunContext, tasks: readonly Task[]) {
  const { run, pool, photos: options, signal } = context;
  const counts = { listings: 0, stored: 0, known: 0, checked: 0, replaced: 0, failedChecks: 0 };
  const reasons: Record<string, number> = {};
  const deadline = Date.now() + options.budget;
  const { total } = await sql.queryOne(
    pool,
    { total: sql.integer },
    `select sum(pending)::bigint as total from (${OWNERS.map(
      ({ table }) => `select count(*) as pending from ${table} where photos_pending = 1 and withdrawn_at is null`,
    ).join(' union all ')} union all select count(*) from photo_checks) as counts`,
  );
  const fetcher = new Fetcher(context);
  const count = ({ attempts: tried, stored, outcome }: Attempt): PhotoState | null => {
    const failed = 'error' in outcome;
    if (stored !== null) {
      counts.checked++;
      if (failed) counts.failedChecks++;
      if (failed || 'unchanged' in outcome) return null;
      counts.replaced++;
    } else if (failed) {
      reasons[outcome.error] = (reasons[outcome.error] ?? 0) + 1;
      return { status: 'failed', attempts: outcome.final ? options.maxAttempts : tried, run: run.id };
    } else counts.stored++;
    return 'key' in outcome ? { status: 'stored', run: run.id, ...outcome } : null;
  };
  const savePhotos = async (task: Task, owners: Owners, batch: readonly PhotoOwner[]): Promise<void> => {
    const states = await knownPhotos(context, batch);
    const attempts = await fetcher.fetch(task, batch, states);
    for (const attempt of attempts) {
      const state = count(attempt);
      if (state !== null) states.set(attempt.hash, state);
    }
    await saveBatch(context, task, owners, batch, states, attempts);
    fetcher.discard(attempts);
    counts.listings += batch.length;
    if (task === 'copy') counts.known += batch.reduce((sum, listing) => sum + listing.urls.length, 0) - attempts.length;
    context.onProgress({ stage: 'photos', source: null, done: counts.listings, total });
  };
  // Batches run concurrently, so that a slow photo delays only its own batch.
  const batches = new PQueue({ concurrency: BATCHES_AT_ONCE });
  let failure: { error: unknown } | null = null;
  const seconds: Record<Task, number> = { copy: 0, check: 0 };
  /** Rows that each task leaves to the next run, as of its last pass. */
  const left: Record<Task, number> = { copy: 0, check: 0 };
  const runTask = async (task: Task): Promise<void> => {
    const start = Date.now();
    left[task] = 0;
    for (const owners of OWNERS) {
      for (let after = 0; failure === null; ) {
        signal.throwIfAborted();
        if (Date.now() > deadline) {
          left[task] += await countRest(context, task, owners, after);
          break;
        }
        const batch = await nextBatch(context, task, owners, after);
        const last = batch.at(-1);
        if (!last) break;
        after = last.id;
        await batches.onSizeLessThan(1);
        void batches.add(() =>
          savePhotos(task, owners, batch).catch((error: unknown) => {
            failure ??= { error };
          }),
        );
      }
    }
    await batches.onIdle();
    seconds[task] += (Date.now() - start) / 1000;
    if (failure !== null) throw (failure as { error: unknown }).error;
  };
  try {
    for (const task of tasks) if (total > 0) await runTask(task);
    // The photos of the marked rows are already stored, so this task fetches nothing.
    if (await markReplaced(context)) await runTask('copy');
  } finally {
    await fetcher.close();
  }
  return {
    kept: counts.stored + counts.known,
    dropped: topReasons(reasons),
    details: {
      listings: counts.listings,
      fetched: counts.stored,
      fetched_per_second: Math.round(counts.stored / Math.max(seconds.copy, 1)),
      checked: counts.checked,
      checked_per_second: Math.round(counts.checked / Math.max(seconds.check, 1)),
      replaced: counts.replaced,
      failed_checks: counts.failedChecks,
      hashed_later: 0,
      already_there: counts.known,
      left_for_later: left.copy + left.check,
    },
  };
}

function countRest({ pool }: RunContext, task: Task, owners: Owners, after: number): Promise<number> {
  const { from, id } = REST[task](owners);
  return sql.countRows(pool, `from ${from} and ${id} > $1`, [after]);
}

async function nextBatch({ pool }: RunContext, task: Task, owners: Owners, after: number): Promise<PhotoOwner[]> {
  const { from, id } = REST[task](owners);
  const rows = await sql.queryRows(
    pool,
    { id: sql.integer, record: sql.text },
    {
      name: `photos-${task}-${owners.table}`,
      text: `select l.id, ${owners.record} as record from ${from} and ${id} > $1 order by ${id} limit ${BATCH}`,
      values: [after],
    },
  );
  return rows.map(({ id, record }) => ({ id, urls: (JSON.parse(record) as { photos: string[] }).photos }));
}

/**
 * Marks all other rows that show a replaced photo, so that the `copy` task updates them. Listings with the same URL
 * then have the same key.
 * @returns whether any row was marked
 */
async function markReplaced({ writer }: RunContext): Promise<boolean> {
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

async function knownPhotos({ pool }: RunContext, batch: readonly PhotoOwner[]): Promise<Map<string, PhotoState>> {
  const hashes = [...new Set(batch.flatMap((listing) => listing.urls.map(urlHash)))];
  const rows = await sql.queryRows(
    pool,
    {
      hash: sql.text,
      status: sql.text,
      key: sql.nullable(sql.text),
      small: sql.boolean,
      etag: sql.nullable(sql.text),
      last_modified: sql.nullable(sql.text),
      attempts: sql.integer,
      run: sql.integer,
    },
    `select url_hash as hash, status, key, small, etag, last_modified, attempts, last_run as run
       from photos where url_hash = any ($1)`,
    [hashes],
  );
  return new Map(
    rows.map(({ hash, status, key, small, etag, last_modified, attempts, run }) => [
      hash,
      status === 'stored' && key !== null
        ? { status, key, small, validators: { etag, lastModified: last_modified }, run }
        : { status: 'failed', attempts, run },
    ]),
  );
}

/** Fetches photos for all batches in a stage, with limited concurrency, and only one request per URL at a time. */
class Fetcher {
  readonly #context: RunContext;
  readonly #downloader: Downloader;
  readonly #queue: PQueue;
  readonly #inProgress = new Map<string, Promise<Attempt>>();

  constructor(context: RunContext) {
    this.#context = context;
    this.#downloader = createDownloader(context.photos);
    this.#queue = new PQueue({ concurrency: context.photos.concurrency });
  }

  async fetch(task: Task, batch: readonly PhotoOwner[], states: ReadonlyMap<string, PhotoState>): Promise<Attempt[]> {
    const { run, photos: options, signal } = this.#context;
    const attempts = new Map<string, Promise<Attempt>>();
    for (const url of batch.flatMap((listing) => listing.urls)) {
      const hash = urlHash(url);
      const state = states.get(hash);
      // One attempt per run: a URL that failed for another listing is retried in the next run.
      if (attempts.has(hash) || state?.run === run.id) continue;
      if (task === 'check') {
        if (state?.status === 'stored') attempts.set(hash, this.#begin(url, hash, 1, state));
      } else if (state?.status !== 'stored') {
        const before = state?.attempts ?? 0;
        if (before < options.maxAttempts) attempts.set(hash, this.#begin(url, hash, before + 1, null));
      }
    }
    const done = await Promise.all(attempts.values());
    signal.throwIfAborted();
    return done;
  }

  #begin(url: string, hash: string, attempts: number, stored: StoredPhoto | null): Promise<Attempt> {
    const inProgress = this.#inProgress.get(hash);
    if (inProgress !== undefined) return inProgress;
    const attempt = this.#queue.add(async () => ({
      hash,
      attempts,
      stored,
      outcome:
        stored === null
          ? await copyPhoto(this.#context, this.#downloader, url)
          : await checkPhoto(this.#context, this.#downloader, url, stored),
    }));
    this.#inProgress.set(hash, attempt);
    return attempt;
  }

  /** Discards saved attempts. A batch with older states fetches the URL again, and gets the same key. */
  discard(attempts: readonly Attempt[]): void {
    for (const { hash } of attempts) this.#inProgress.delete(hash);
  }

  async close(): Promise<void> {
    this.#queue.clear();
    await this.#downloader.close();
  }
}

async function saveBatch(
  { run, writer, photos: options }: RunContext,
  task: Task,
  { table, touch }: Owners,
  batch: readonly PhotoOwner[],
  states: ReadonlyMap<string, PhotoState>,
  attempts: readonly Attempt[],
): Promise<void> {
  const results = batch.flatMap(({ id, urls }) => {
    const found = urls.map((url) => states.get(urlHash(url)));
    // Photos with assumed keys have no state and are not changed.
    if (found.includes(undefined)) return [];
    const stored = found.filter((state) => state?.status === 'stored');
    const large = stored.filter(({ small }) => !small);
    const keys = (large.length > 0 ? large : stored).map(({ key }) => key);
    const waiting = found.some((state) => state?.status === 'failed' && state.attempts < options.maxAttempts);
    return [`${id}\t${[...new Set(keys)].join(' ')}\t${waiting ? 1 : 0}`];
  });
  const tried: string[] = [];
  const kept: string[] = [];
  for (const { hash, attempts: count, stored, outcome } of attempts)
    if ('key' in outcome)
      tried.push(
        `${hash}\tstored\t${outcome.key}\t${outcome.small ? 't' : 'f'}\t${validators(outcome)}\t${count}\t${run.id}\t\\N`,
      );
    else if ('unchanged' in outcome)
      kept.push(`${hash}\t${outcome.unchanged.key}\t${validators(outcome.unchanged)}\t\\N`);
    else if (stored !== null) kept.push(`${hash}\t${stored.key}\t${validators(stored)}\t${copyText(outcome.error)}`);
    else
      tried.push(
        `${hash}\tfailed\t\\N\tf\t\\N\t\\N\t${outcome.final ? options.maxAttempts : count}\t${run.id}\t${copyText(outcome.error)}`,
      );
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
    // Skips photos that a repair has replaced in the meantime.
    await client.query(
      `update photos p set etag = k.etag, last_modified = k.last_modified, last_run = $1, error = k.error
         from kept_photos k where k.url_hash = p.url_hash and k.key = p.key`,
      [run.id],
    );
    await recordImages(
      client,
      attempts.flatMap(({ outcome }) => ('key' in outcome ? [outcome] : [])),
    );
    // If no photo in a changed list has been copied yet and some are pending, the earlier photos are kept.
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

const PHOTO_COLUMNS = 'url_hash, status, key, small, etag, last_modified, attempts, last_run, error';

/** Renders the columns `etag` and `last_modified` for COPY. */
function validators({ validators: { etag, lastModified } }: StoredPhoto): string {
  return `${copyText(etag)}\t${copyText(lastModified)}`;
}

/** Returns the 20 most frequent reasons, and the sum of all others. */
function topReasons(reasons: Record<string, number>): Record<string, number> {
  const sorted = Object.entries(reasons).sort((a, b) => b[1] - a[1]);
  const top = Object.fromEntries(sorted.slice(0, 20));
  const rest = sorted.slice(20).reduce((sum, [, count]) => sum + count, 0);
  return rest > 0 ? { ...top, other: rest } : top;
}
