import { messageOf } from '#domain/message-of.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { RawListing } from '../normalize/listing.ts';
import { column, queryRows, type RowOf } from '../postgres/rows.ts';
import type { RunContext } from '../run/context.ts';
import { outageOf } from '../run/outage.ts';
import { beginStage } from '../run/run-state.ts';
import type { FeedRow } from '../sources/kinds/feed-row.ts';
import type { FetchContext, Source } from '../sources/source.ts';
import { ContentCheck, FILLED_SQL } from './content-check.ts';
import { contentHash, isSameRow } from './content-hash.ts';
import { FetchCounts, repeats } from './counts.ts';
import { finalizeSource } from './finalize-source.ts';
import { feedId, readAd } from './read-ad.ts';
import { type AdChange, saveChanges } from './save-batch.ts';

/** Days after which a feed expires, if it is also older than its source allows: its ads are withdrawn. */
const EXPIRED_DAYS = 14;
const DAY_MS = 86_400_000;

const BATCH = 1_000;
/** Milliseconds from which a run renews it, if the source states none: less than a day. */
const TOUCH_AFTER = 20 * 3600 * 1000;

const KNOWN_COLUMNS = {
  key: column<string>('l.source_listing_id'),
  id: column<number>('l.id'),
  hash: column<string>('l.content_hash'),
  withdrawn: column<boolean>('l.withdrawn_at is not null'),
  filled: column<number>(FILLED_SQL),
  price: column<number | null>('l.price'),
  postedAmount: column<number | null>('l.posted_amount'),
  perSqm: column<boolean>('l.per_sqm'),
  listingType: column<string>('l.listing_type'),
  /** Epoch milliseconds, if the service set it; null if the source stated it. */
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

/** Only the run that holds the ingest lock assigns ids. */
export interface IdCounter {
  next: number;
}

/** Stores normalized ads in Postgres, and withdraws ads that the source no longer lists. */
export async function fetchSource(context: RunContext, source: Source, ids: IdCounter): Promise<void> {
  const { run, writer, pool } = context;
  const stage = await beginStage(writer, run, 'fetch', source.name);
  if (stage.finished) return;
  const counts = new FetchCounts();
  const state = await sql.queryRow(
    pool,
    { total: sql.integer, released: sql.boolean, line_break: sql.nullable(sql.boolean) },
    'select live_count as total, released, line_break from source_states where source = $1',
    [source.name],
  );
  await readAge(context, source, counts);
  if (counts.failed === null && !counts.expired) {
    await endingAtFault(context, counts, async () => {
      for await (const rows of feedBatches(context, source, counts)) {
        await readBatch({ context, source, ids, counts }, rows, state?.released === true);
        if (counts.held !== null) break;
        context.onProgress({ stage: 'fetch', source: source.name, done: counts.rows, total: state?.total || null });
      }
    });
    // The last field may be truncated if the file previously ended with a line break and now does not.
    if (counts.lineBreak === false && state?.line_break === true)
      counts.failed ??= 'the feed ends without the line break that it used to end with';
  }
  await finalizeSource(context, source.name, counts);
}

/** Reads the age before the feed is read. A missing feed counts as failed. */
async function readAge({ run, signal }: RunContext, source: Source, counts: FetchCounts): Promise<void> {
  try {
    const snapshot = await source.snapshot?.({ at: run.at, signal });
    if (!snapshot) return;
    counts.asOf = snapshot.at;
    const { maxAgeDays } = snapshot;
    const days = Math.floor((run.at.getTime() - snapshot.at.getTime()) / DAY_MS);
    if (maxAgeDays === null || days <= maxAgeDays) return;
    counts.expired = days > Math.max(maxAgeDays, EXPIRED_DAYS);
    counts.stale = `its newest feed is of ${snapshot.at.toISOString().slice(0, 10)}, ${days} days before the run`;
  } catch (error) {
    signal.throwIfAborted();
    counts.failed = messageOf(error);
  }
}

/** After any failure but that of a datastore, the run continues with the other sources. */
export async function endingAtFault(
  { signal }: RunContext,
  counts: FetchCounts,
  read: () => Promise<void>,
): Promise<void> {
  try {
    await read();
  } catch (error) {
    signal.throwIfAborted();
    if (outageOf(error) !== null) throw error;
    counts.failed = messageOf(error);
  }
}

export async function* feedBatches<Row>(
  context: RunContext,
  source: { rows(context: FetchContext): AsyncIterable<Row> },
  counts: FetchCounts,
): AsyncGenerator<Row[]> {
  const { run, signal } = context;
  const read = async function* () {
    const end = yield* source.rows({ at: run.at, signal });
    if (!end) return;
    counts.failed = end.cut;
    counts.lineBreak = end.lineBreak;
  };
  let batch: Row[] = [];
  try {
    for await (const row of read()) {
      batch.push(row);
      if (batch.length < BATCH) continue;
      signal.throwIfAborted();
      yield batch;
      batch = [];
    }
  } catch (error) {
    signal.throwIfAborted();
    counts.failed = messageOf(error);
  }
  signal.throwIfAborted();
  if (batch.length > 0) yield batch;
}

interface Feed {
  context: RunContext;
  source: Source;
  ids: IdCounter;
  counts: FetchCounts;
}

interface Batch {
  /** Ids of its ads that are not stored yet. */
  fresh: Set<string>;
  changes: AdChange[];
  check: ContentCheck;
}

/** @param released whether the feed is not held, regardless of its content */
async function readBatch(feed: Feed, rows: readonly FeedRow[], released: boolean): Promise<void> {
  const { context, source, ids, counts } = feed;
  const { run, writer, photos } = context;
  const isFirst = counts.rows === 0;
  const ads = adsOf(feed, rows);
  const known = await lookUp(feed, ads);
  const batch: Batch = { fresh: new Set(), changes: [], check: new ContentCheck() };
  const nextId = ids.next;
  const { added, changed, relisted } = counts;
  for (const ad of ads) classify(feed, ad, known.get(ad.id), batch);
  counts.rows += rows.length;
  if (!released) counts.held = batch.check.verdict(isFirst);
  if (counts.held !== null) {
    ids.next = nextId;
    Object.assign(counts, { added, changed, relisted });
    return;
  }
  if (batch.changes.length === 0) return;
  const settings = {
    run,
    source: source.name,
    assumePhotos: photos.mode === 'assume',
    refuse: (change: AdChange, reason: string) => refuse(feed, change, reason),
  };
  await writer.transaction((client) => saveChanges(client, settings, batch.changes));
}

function adsOf({ context, source, counts }: Feed, rows: readonly FeedRow[]): FeedAd[] {
  return rows.flatMap((row) => {
    if (!row.ok) {
      counts.reject(row.reason, row.detail, row.row);
      return [];
    }
    const { raw } = row;
    try {
      const hash = contentHash('ads', raw, context.boundaries, source.timeZone);
      return [{ raw, row: row.row, id: feedId(raw.source_listing_id), hash }];
    } catch (error) {
      counts.reject('malformed_row', messageOf(error), row.row);
      return [];
    }
  });
}

async function lookUp({ context, source }: Feed, ads: readonly FeedAd[]): Promise<Map<string, Known>> {
  const rows = await queryRows(context.pool, KNOWN_COLUMNS, {
    name: 'ingest-look-up',
    from: 'from listings l where l.source = $1 and l.source_listing_id = any ($2)',
    values: [source.name, ads.map((ad) => ad.id)],
  });
  return new Map(rows.map((known) => [known.key, known]));
}

function classify(
  { context: { run, boundaries }, source, ids, counts }: Feed,
  ad: FeedAd,
  known: Known | undefined,
  { fresh, changes, check }: Batch,
): void {
  const skipped = fresh.has(ad.id) ? 'repeated' : counts.skip(ad.hash, known);
  if (skipped === 'repeated') {
    counts.reject('duplicate_id', repeats(ad.id), ad.row);
    return;
  }
  if (skipped !== null && known !== undefined) {
    const { id, touchedAt } = known;
    if (skipped === 'relisted') changes.push({ kind: 'relisted', id });
    else {
      check.add(known, 'unchanged');
      if (touchedAt !== null && run.at.getTime() - touchedAt >= TOUCH_AFTER) changes.push({ kind: 'touched', id });
    }
    return;
  }
  const result = readAd(source, ad.raw, run.at, boundaries);
  const reread = known !== undefined && isSameRow(known.hash, ad.raw);
  // A stored ad whose row cannot be parsed still counts as listed. An ad that has become a wanted ad does not.
  if (known && (result.ok || result.reason !== 'wanted')) {
    counts.seen.add(known.id);
    if (!known.withdrawn) check.add(known, reread ? 'unchanged' : result.ok ? result.listing : null);
  }
  if (!result.ok) {
    counts.reject(result.reason, result.detail, ad.row);
    return;
  }
  if (result.doubt !== null) counts.note(`unpriced_${result.doubt}`);
  for (const value of result.unread) counts.addUnread(value);
  const { implausible } = result;
  if (implausible !== null) counts.note(`implausible_${implausible}`);
  const id = known?.id ?? ids.next++;
  if (known === undefined) fresh.add(ad.id);
  const counted = counts.take(id, known);
  const { listing, areas } = result;
  const content = {
    id,
    sourceListingId: ad.id,
    contentHash: ad.hash,
    listing,
    areas,
    textImplausible: implausible !== null,
  };
  if (counted === 'added') changes.push({ kind: 'added', id, ad: content, row: ad.row });
  else changes.push({ kind: 'changed', id, ad: { ...content, reread }, row: ad.row, counted });
}

function refuse({ source, counts }: Feed, change: AdChange, reason: string): void {
  const { kind, id } = change;
  if (kind === 'added') counts.refuse(id, kind, reason, change.row);
  else if (kind === 'changed') counts.refuse(id, change.counted, reason, change.row);
  else throw new Error(`ad ${id} of ${source.name} was not written: ${reason}`);
}
