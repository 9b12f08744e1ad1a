import type { NormalizeResult, RawListing, RejectReason } from '../normalize/listing.ts';
import { normalize } from '../normalize/normalize.ts';
import { column, queryRows, type RowOf } from '../postgres/rows.ts';
import type { RunContext } from '../run/context.ts';
import { beginStage } from '../run/run-state.ts';
import type { FeedRow, FetchContext, Source } from '../sources/source.ts';
import type { AdRow } from './ad-row.ts';
import { contentHash } from './content-hash.ts';
import { type FetchCounts, noCounts } from './counts.ts';
import { finalizeSource } from './finalize-source.ts';
import { type BatchChanges, isEmpty, prepareBatch, type Reject, saveBatch } from './save-batch.ts';

/** Rows of a feed that are looked up and written together. */
const BATCH = 1_000;
/** Rejected rows that are kept for a person to look at, for each source and run. All are counted. */
export const KEPT_REJECTS = 1_000;
export const KEPT_ROW_CHARACTERS = 2_000;
/** `updated_at` of an ad whose source gives no update times is when the service saw it. It is written once a day. */
const TOUCH_AFTER = 20 * 3600 * 1000;
/** Batches that may be written only after a later lookup has begun, which then misses their new ads. */
const IN_FLIGHT = 4;

/** What is known of an ad before this batch. */
const KNOWN_COLUMNS = {
  key: column<string>('l.source_listing_id'),
  id: column<number>('l.id'),
  hash: column<string>('l.content_hash'),
  withdrawn: column<boolean>('l.withdrawn_at is not null'),
  /** Epoch milliseconds of `updated_at` where that is the service's own; null where the source gave it. */
  touchedAt: column<number | null>(
    'case when l.updated_by_source then null else (extract(epoch from l.updated_at) * 1000)::float8 end',
  ),
};
type Known = RowOf<typeof KNOWN_COLUMNS>;

interface FeedAd {
  raw: RawListing;
  row: unknown;
  id: string;
  hash: string;
}

/** Assigns the ids of listings. The ingest lock sees to it that there is only one. */
export interface IdCounter {
  next: number;
}

/** Reads one source: rows become normalized ads in Postgres, and ads that it no longer lists are withdrawn. */
export async function fetchSource(context: RunContext, source: Source, ids: IdCounter): Promise<void> {
  const { run, writer } = context;
  const stage = await beginStage(writer, run, 'fetch', source.name);
  if (stage.finished) return;
  const counts = noCounts();
  // Rows that an interrupted attempt rejected are read again.
  const { total } = await writer.transaction(async (client) => {
    await client.query('delete from ingest_rejects where run_id = $1 and source = $2', [run.id, source.name]);
    const { rows } = await client.query<{ total: number }>(
      'select live_count as total from source_states where source = $1',
      [source.name],
    );
    return { total: rows[0]?.total || null };
  });
  const batches = new BatchPipeline(context, source, ids, counts, (done) =>
    context.onProgress({ stage: 'fetch', source: source.name, done, total }),
  );
  for await (const rows of feedBatches(context, source, counts)) await batches.push(rows);
  await batches.finish();
  await finalizeSource(context, source.name, counts);
}

/** Batches of a feed. If the feed breaks off, the batches end and the failure is counted: other sources go on. */
export async function* feedBatches<Row>(
  context: RunContext,
  source: { rows(context: FetchContext): AsyncIterable<Row> },
  counts: FetchCounts,
): AsyncGenerator<Row[]> {
  const { run, signal } = context;
  let batch: Row[] = [];
  const feed = source.rows({ at: run.at, signal })[Symbol.asyncIterator]();
  let open = true;
  try {
    for (;;) {
      let next: IteratorResult<Row>;
      try {
        next = await feed.next();
      } catch (error) {
        open = false;
        signal.throwIfAborted();
        counts.failed = error instanceof Error ? error.message : String(error);
        break;
      }
      if (next.done) {
        open = false;
        break;
      }
      batch.push(next.value);
      if (batch.length === BATCH) {
        signal.throwIfAborted();
        yield batch;
        batch = [];
      }
    }
    signal.throwIfAborted();
    if (batch.length > 0) yield batch;
  } finally {
    if (open) await feed.return?.();
  }
}

/**
 * Looks batches up, normalizes and writes them. Postgres works on one batch while the next is read: at most one lookup and
 * two writes are pending. Writes happen in the order of the feed, so that an interrupted run assigns the same ids when it
 * is resumed.
 */
class BatchPipeline {
  readonly #context: RunContext;
  readonly #source: Source;
  readonly #ids: IdCounter;
  readonly #counts: FetchCounts;
  readonly #onBatch: (done: number) => void;
  readonly #recent: Map<string, number>[] = [];
  #waiting: { rows: FeedRow[]; ads: FeedAd[]; known: Promise<Map<string, Known>> } | null = null;
  #writes: Promise<void>[] = [];
  #rejects = 0;

  constructor(
    context: RunContext,
    source: Source,
    ids: IdCounter,
    counts: FetchCounts,
    onBatch: (done: number) => void,
  ) {
    this.#context = context;
    this.#source = source;
    this.#ids = ids;
    this.#counts = counts;
    this.#onBatch = onBatch;
  }

  async push(rows: FeedRow[]): Promise<void> {
    const ads: FeedAd[] = [];
    for (const row of rows) {
      if (row.ok) ads.push({ raw: row.raw, row: row.row, id: feedId(row.raw), hash: contentHash(row.raw) });
    }
    const known = this.#lookUp(ads);
    // Awaited when its turn comes; until then a failure must not count as unhandled.
    known.catch(() => {});
    const previous = this.#waiting;
    this.#waiting = { rows, ads, known };
    if (previous) await this.#process(previous);
  }

  async finish(): Promise<void> {
    if (this.#waiting) await this.#process(this.#waiting);
    this.#waiting = null;
    await Promise.all(this.#writes);
  }

  async #lookUp(ads: FeedAd[]): Promise<Map<string, Known>> {
    const rows = await queryRows(this.#context.pool, KNOWN_COLUMNS, {
      name: 'ingest-look-up',
      from: 'from listings l where l.source = $1 and l.source_listing_id = any ($2)',
      values: [this.#source.name, ads.map((ad) => ad.id)],
    });
    return new Map(rows.map((known) => [known.key, known]));
  }

  async #process({ rows, ads, known: lookUp }: { rows: FeedRow[]; ads: FeedAd[]; known: Promise<Map<string, Known>> }) {
    const { run, writer, photos } = this.#context;
    const known = await lookUp;
    const changes: BatchChanges = { added: [], changed: [], relisted: [], touched: [], rejects: [] };
    const fresh = new Map<string, number>();
    this.#recent.push(fresh);
    if (this.#recent.length > IN_FLIGHT) this.#recent.shift();
    for (const row of rows) if (!row.ok) this.#reject(changes, row.reason, row.detail, row.row);
    for (const ad of ads) this.#classify(ad, known.get(ad.id), fresh, changes);
    this.#counts.rows += rows.length;
    await this.#translate(changes);
    if (!isEmpty(changes)) {
      const prepared = prepareBatch(run, this.#source.name, changes, photos.mode === 'assume');
      if (this.#writes.length > 1) await this.#writes.shift();
      const write = writer.transaction((client) => saveBatch(client, run, prepared));
      write.catch(() => {});
      this.#writes.push(write);
    }
    this.#onBatch(this.#counts.rows);
  }

  /** Decides whether a row is new, changed, relisted, unchanged or rejected. */
  #classify(ad: FeedAd, known: Known | undefined, fresh: Map<string, number>, changes: BatchChanges): void {
    const counts = this.#counts;
    const recent = known === undefined ? this.#recent.some((added) => added.has(ad.id)) : false;
    if (recent || (known !== undefined && counts.seen.has(known.id))) {
      this.#reject(changes, 'duplicate_id', `the feed has ${JSON.stringify(ad.id)} more than once`, ad.row);
      return;
    }
    if (known !== undefined && known.hash === ad.hash) {
      counts.seen.add(known.id);
      if (known.withdrawn) {
        counts.relisted++;
        changes.relisted.push(known.id);
      } else {
        counts.unchanged++;
        if (known.touchedAt !== null && this.#context.run.at.getTime() - known.touchedAt >= TOUCH_AFTER) {
          changes.touched.push(known.id);
        }
      }
      return;
    }
    const result = this.#normalize(ad);
    // A row that cannot be read is no sign that the ad is gone; one that is no offer is.
    if (known && (result.ok || result.reason !== 'wanted')) counts.seen.add(known.id);
    if (!result.ok) {
      this.#reject(changes, result.reason, result.detail, ad.row);
      return;
    }
    if (result.doubt !== null) counts.unpriced[result.doubt] = (counts.unpriced[result.doubt] ?? 0) + 1;
    const row: AdRow = {
      id: known?.id ?? this.#ids.next,
      sourceListingId: ad.id,
      contentHash: ad.hash,
      listing: result.listing,
    };
    if (known) {
      if (known.withdrawn) counts.relisted++;
      else counts.changed++;
      changes.changed.push(row);
    } else {
      this.#ids.next++;
      counts.added++;
      counts.seen.add(row.id);
      fresh.set(ad.id, row.id);
      changes.added.push(row);
    }
  }

  #normalize(ad: FeedAd): NormalizeResult {
    if (ad.id === '') return { ok: false, reason: 'missing_id', detail: 'the row has no id' };
    if (!VALID_ID.test(String(ad.raw.source_listing_id).trim()))
      return { ok: false, reason: 'malformed_row', detail: 'the id has control characters' };
    try {
      return normalize(this.#source, ad.raw, this.#context.run.at);
    } catch (error) {
      return { ok: false, reason: 'malformed_row', detail: error instanceof Error ? error.message : String(error) };
    }
  }

  #reject(changes: BatchChanges, reason: RejectReason, detail: string, row: unknown): void {
    const { dropped } = this.#counts;
    dropped[reason] = (dropped[reason] ?? 0) + 1;
    if (this.#rejects >= KEPT_REJECTS) return;
    this.#rejects++;
    const reject: Reject = {
      position: this.#rejects,
      reason,
      detail: storable(detail).slice(0, 500),
      row: storable(typeof row === 'string' ? row : (JSON.stringify(row) ?? '')).slice(0, KEPT_ROW_CHARACTERS),
    };
    changes.rejects.push(reject);
  }

  /** Translates descriptions of ads whose source gives no English, if the installation has a translator. */
  async #translate(changes: BatchChanges): Promise<void> {
    const { translator } = this.#context;
    if (translator === null) return;
    const rows = [...changes.added, ...changes.changed].filter(
      ({ listing }) => listing.description_en === null && listing.description !== '',
    );
    for (let start = 0; start < rows.length; start += 8) {
      await Promise.all(
        rows.slice(start, start + 8).map(async ({ listing }) => {
          // Without a translation, English is composed from the fields.
          listing.description_en = await translator.translate(listing.description).catch(() => null);
        }),
      );
    }
  }
}

/** The id as the database returns it. */
function feedId(raw: RawListing): string {
  const id: unknown = raw.source_listing_id;
  return id === null || id === undefined ? '' : storable(String(id).trim());
}

export const VALID_ID = /^[^\p{Cc}]{1,200}$/u;

/** Postgres stores neither NUL nor half of a surrogate pair. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '').toWellFormed() : text.toWellFormed();
}
