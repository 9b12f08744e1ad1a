import PQueue from 'p-queue';
import { copyIn, copyText } from '../postgres/copy-in.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { RunContext } from '../run/context.ts';
import { beginStage, finishStage } from '../run/run-state.ts';
import { type CopyOutcome, copyPhoto } from './copy.ts';
import { createDownloader, type Downloader } from './download.ts';
import { hashStored } from './hash-stored.ts';
import { recordImages } from './images.ts';
import { urlHash } from './keys.ts';

/** Listings whose photos are fetched and saved together. */
const BATCH = 100;
const BATCHES_AT_ONCE = 6;

interface PendingOwner {
  id: number;
  urls: string[];
}

/** What has photos: where their addresses are found, and how the keys of those that could be copied are kept. */
interface Owners {
  /** The table, `l`, with those whose photos are wanted and not all there. */
  pending: string;
  /** The JSON whose `photos` are the addresses. */
  record: string;
  /** What follows `set photos = …, photos_pending = …` when the photos of a row change; `$1` is the run. */
  table: string;
  touch: string;
}

const OWNERS: readonly Owners[] = [
  {
    table: 'listings',
    pending: 'listings l join listing_records r on r.id = l.id',
    record: 'r.record',
    touch: `${touchVersion('$1')}, content_run = $1`,
  },
  { table: 'off_plan_records', pending: 'off_plan_records l', record: 'l.record', touch: 'changed_run = $1' },
];

/** What is known of a photo's address. */
type PhotoState =
  | { status: 'stored'; key: string; small: boolean }
  | { status: 'failed'; attempts: number; run: number };

interface Attempt {
  hash: string;
  attempts: number;
  outcome: CopyOutcome;
}

/**
 * Copies photos to the CDN bucket, for live ads whose list of photos is new or had failures. A listing shows the photos
 * that could be copied; the others are tried again in a limited number of later runs.
 */
export async function photosStage(context: RunContext): Promise<void> {
  const { run, writer, pool, photos: options, signal } = context;
  const stage = await beginStage(writer, run, 'photos');
  if (stage.finished) return;
  const counts = { listings: 0, stored: 0, known: 0, left: 0 };
  const reasons: Record<string, number> = {};
  const begun = Date.now();
  const deadline = begun + options.budget;
  const { rows } = await pool.query<{ total: number }>(
    `select sum(pending) as total from (${OWNERS.map(
      ({ table }) => `select count(*) as pending from ${table} where photos_pending = 1 and withdrawn_at is null`,
    ).join(' union all ')}) as counts`,
  );
  const total = Number(rows[0]?.total ?? 0);
  const fetcher = new Fetcher(context);
  const savePhotos = async (owners: Owners, batch: readonly PendingOwner[]): Promise<void> => {
    const states = await knownPhotos(context, batch);
    const attempts = await fetcher.fetchMissing(batch, states);
    for (const { hash, attempts: tried, outcome } of attempts) {
      if ('key' in outcome) {
        counts.stored++;
        states.set(hash, { status: 'stored', key: outcome.key, small: outcome.small });
      } else {
        reasons[outcome.error] = (reasons[outcome.error] ?? 0) + 1;
        const spent = outcome.final ? options.maxAttempts : tried;
        states.set(hash, { status: 'failed', attempts: spent, run: run.id });
      }
    }
    await saveBatch(context, owners, batch, states, attempts);
    fetcher.discard(attempts);
    counts.listings += batch.length;
    counts.known += batch.reduce((sum, listing) => sum + listing.urls.length, 0) - attempts.length;
    context.onProgress({ stage: 'photos', source: null, done: counts.listings, total });
  };
  // Several batches at once, so that a slow photo delays its own batch only.
  const batches = new PQueue({ concurrency: BATCHES_AT_ONCE });
  let failure: { error: unknown } | null = null;
  try {
    for (const owners of OWNERS) {
      for (let after = 0; total > 0 && failure === null; ) {
        signal.throwIfAborted();
        const batch = await nextPending(context, owners, after);
        const last = batch.at(-1);
        if (!last) break;
        after = last.id;
        if (Date.now() > deadline) {
          counts.left += batch.length;
          continue;
        }
        await batches.onSizeLessThan(1);
        void batches.add(() =>
          savePhotos(owners, batch).catch((error: unknown) => {
            failure ??= { error };
          }),
        );
      }
    }
    await batches.onIdle();
  } finally {
    await fetcher.close();
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
  const seconds = (Date.now() - begun) / 1000;
  const hashed = await hashStored(context);
  await writer.transaction(
    (client) =>
      finishStage(client, run, 'photos', {
        kept: counts.stored + counts.known,
        dropped: topReasons(reasons),
        details: {
          listings: counts.listings,
          fetched: counts.stored,
          fetched_per_second: Math.round(counts.stored / Math.max(seconds, 1)),
          hashed_later: hashed,
          already_there: counts.known,
          left_for_later: counts.left,
        },
      }),
    { durable: true },
  );
}

async function nextPending({ pool }: RunContext, owners: Owners, after: number): Promise<PendingOwner[]> {
  const { rows } = await pool.query<{ id: number; record: string }>({
    name: `photos-pending-${owners.table}`,
    text: `select l.id, ${owners.record} as record from ${owners.pending}
            where l.photos_pending = 1 and l.withdrawn_at is null and l.id > $1 order by l.id limit ${BATCH}`,
    values: [after],
  });
  return rows.map(({ id, record }) => ({ id, urls: (JSON.parse(record) as { photos: string[] }).photos }));
}

async function knownPhotos({ pool }: RunContext, batch: readonly PendingOwner[]): Promise<Map<string, PhotoState>> {
  const hashes = [...new Set(batch.flatMap((listing) => listing.urls.map(urlHash)))];
  const { rows } = await pool.query<{
    hash: string;
    status: string;
    key: string;
    small: boolean;
    attempts: number;
    run: number;
  }>('select url_hash as hash, status, key, small, attempts, last_run as run from photos where url_hash = any ($1)', [
    hashes,
  ]);
  return new Map(
    rows.map(({ hash, status, key, small, attempts, run }) => [
      hash,
      status === 'stored' ? { status, key, small } : { status: 'failed', attempts, run },
    ]),
  );
}

/** Fetches photos for all batches of a stage: a limited number at once, and each address once. */
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

  async fetchMissing(batch: readonly PendingOwner[], states: ReadonlyMap<string, PhotoState>): Promise<Attempt[]> {
    const { run, photos: options, signal } = this.#context;
    const attempts = new Map<string, Promise<Attempt>>();
    for (const url of batch.flatMap((listing) => listing.urls)) {
      const hash = urlHash(url);
      const state = states.get(hash);
      if (attempts.has(hash) || state?.status === 'stored') continue;
      const before = state?.attempts ?? 0;
      // One attempt a run: an address that failed for another listing of this run waits for the next run.
      if (state !== undefined && (before >= options.maxAttempts || state.run === run.id)) continue;
      attempts.set(hash, this.#inProgress.get(hash) ?? this.#begin(url, hash, before + 1));
    }
    const done = await Promise.all(attempts.values());
    signal.throwIfAborted();
    return done;
  }

  #begin(url: string, hash: string, attempts: number): Promise<Attempt> {
    const attempt = this.#queue.add(async () => ({
      hash,
      attempts,
      outcome: await copyPhoto(this.#context, this.#downloader, url),
    }));
    this.#inProgress.set(hash, attempt);
    return attempt;
  }

  /** Discards attempts that are in the table now. If one is fetched again meanwhile, it has the same key. */
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
  { table, touch }: Owners,
  batch: readonly PendingOwner[],
  states: ReadonlyMap<string, PhotoState>,
  attempts: readonly Attempt[],
): Promise<void> {
  const results = batch.map(({ id, urls }) => {
    const found = urls.map((url) => states.get(urlHash(url)));
    const stored = found.filter((state) => state?.status === 'stored');
    const large = stored.filter(({ small }) => !small);
    const keys = (large.length > 0 ? large : stored).map(({ key }) => key);
    const waiting = found.some((state) => state?.status === 'failed' && state.attempts < options.maxAttempts);
    return `${id}\t${[...new Set(keys)].join(' ')}\t${waiting ? 1 : 0}`;
  });
  const photos = attempts.map(({ hash, attempts: tried, outcome }) =>
    'key' in outcome
      ? `${hash}\tstored\t${outcome.key}\t${outcome.small ? 't' : 'f'}\t${tried}\t${run.id}\t\\N`
      : `${hash}\tfailed\t\\N\tf\t${outcome.final ? options.maxAttempts : tried}\t${run.id}\t${copyText(outcome.error)}`,
  );
  await writer.transaction(async (client) => {
    await client.query(`
      create temp table if not exists listing_photos (id bigint, photos text, pending smallint) on commit delete rows;
      create temp table if not exists tried_photos on commit delete rows as select * from photos with no data;
    `);
    await copyIn(client, 'listing_photos', results);
    await copyIn(client, 'tried_photos (url_hash, status, key, small, attempts, last_run, error)', photos);
    await client.query(`
      insert into photos (url_hash, status, key, small, attempts, last_run, error)
        select url_hash, status, key, small, attempts, last_run, error from tried_photos
      on conflict (url_hash) do update set status = excluded.status, key = excluded.key, small = excluded.small,
        attempts = excluded.attempts, last_run = excluded.last_run, error = excluded.error`);
    await recordImages(
      client,
      attempts.flatMap(({ outcome }) => ('key' in outcome ? [outcome] : [])),
    );
    // While no photo of a changed list could be copied yet and some still may, the earlier photos stay.
    await client.query(
      `update ${table} l set photos = s.photos, photos_pending = s.pending, ${touch}
         from listing_photos s where s.id = l.id and s.photos <> l.photos and not (s.photos = '' and s.pending = 1)`,
      [run.id],
    );
    await client.query(
      `update ${table} l set photos_pending = s.pending
         from listing_photos s where s.id = l.id and s.pending <> l.photos_pending`,
    );
  });
}

/** The most frequent reasons, and the others as one. */
function topReasons(reasons: Record<string, number>): Record<string, number> {
  const sorted = Object.entries(reasons).sort((a, b) => b[1] - a[1]);
  const top = Object.fromEntries(sorted.slice(0, 20));
  const rest = sorted.slice(20).reduce((sum, [, count]) => sum + count, 0);
  return rest > 0 ? { ...top, other: rest } : top;
}
