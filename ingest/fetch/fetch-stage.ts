import { messageOf } from '#domain/message-of.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { RawListing, RejectReason } from '../normalize/listing.ts';
import { feedId } from '../normalize/plain-values.ts';
import { column, queryRows, type RowOf } from '../postgres/column-rows.ts';
import { outageOf } from '../run/outage.ts';
import type { RunContext } from '../run/run-context.ts';
import { beginStage } from '../run/run-state.ts';
import type { FeedRow } from '../sources/kinds/feed-row.ts';
import type { FeedRows, FetchContext, Source } from '../sources/source.ts';
import { FetchCounts, repeats } from './ad-counts.ts';
import type { MappedOffer } from './ad-mapper.ts';
import type { AdResult } from './ad-reader.ts';
import { batchesOf } from './batches.ts';
import { ContentCheck, FILLED_SQL } from './content-check.ts';
import { contentHash, isSameRow } from './content-hash.ts';
import { finalizeSource } from './finalize-source.ts';
import { oneAhead } from './one-ahead.ts';
import { mapRows, readAds } from './read-ads.ts';
import { type AdChange, saveChanges } from './save-batch.ts';

/** Days after which a feed expires, if it is also older than its source allows: its ads are withdrawn. */
const EXPIRED_DAYS = 14;
const DAY_MS = 86_400_000;

/** Milliseconds from which a run renews it, if the source states none: less than a day. */
const TOUCH_AFTER = 20 * 3600 * 1000;

const KNOWN_COLUMNS = {
  key: column<string>('l.source_listing_id'),
  id: column<number>('l.id'),
  hash: column<string>('l.content_hash'),
  withdrawn: column<boolean>('l.withdrawn_at is not null'),
  takenDown: column<boolean>("l.withdrawn_reason is not distinct from 'takedown'"),
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
type StoredAd = RowOf<typeof KNOWN_COLUMNS>;

/** Reasons for which an ad is no longer listed. */
const ENDS: ReadonlySet<RejectReason> = new Set(['wanted', 'not_offered']);

interface FeedAd {
  raw: RawListing | MappedOffer;
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
      const stop = new AbortController();
      const feed = { context, source, ids, counts, signal: AbortSignal.any([context.signal, stop.signal]) };
      try {
        for await (const batch of oneAhead(readBatches(feed))) {
          await saveBatch(feed, batch, state?.released === true);
          if (counts.held !== null) break;
          context.onProgress({ stage: 'fetch', source: source.name, done: counts.rows, total: state?.total || null });
        }
      } finally {
        stop.abort();
      }
      // Rows after those for which a feed is held do not count.
      if (counts.held !== null) counts.failed = null;
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
  source: { rows(context: FetchContext): FeedRows<Row>; module?: string | undefined },
  counts: FetchCounts,
): AsyncGenerator<Row[]> {
  const { run, signal } = context;
  try {
    const end = yield* batchesOf(source.rows({ at: run.at, signal, isUnmapped: source.module !== undefined }));
    if (!end) return;
    counts.failed = end.cut ?? counts.failed;
    counts.lineBreak = end.lineBreak;
  } catch (error) {
    signal.throwIfAborted();
    counts.failed = messageOf(error);
  }
  signal.throwIfAborted();
}

interface Feed {
  context: RunContext;
  source: Source;
  ids: IdCounter;
  counts: FetchCounts;
  /** Aborted with the run, and when the feed needs no further rows. */
  signal: AbortSignal;
}

interface FeedBatch {
  rows: number;
  rejected: Extract<FeedRow, { ok: false }>[];
  ads: FeedAd[];
  /** As of the lookup, which precedes the write of the batch before. */
  known: Map<string, StoredAd>;
  /** By id of the batch before. */
  earlier: ReadonlySet<string>;
  /** Results of the ads that are not stored with the same hash. */
  results: Promise<ReadonlyMap<FeedAd, AdResult>>;
}

/** Yields each batch as soon as another thread can read it. */
async function* readBatches(feed: Feed): AsyncGenerator<FeedBatch> {
  const { context, source, counts, signal } = feed;
  const { run, photos, boundaries } = context;
  let earlier: ReadonlySet<string> = new Set();
  for await (const rows of feedBatches(context, source, counts)) {
    signal.throwIfAborted();
    const { rejected, ads } = await adsOf(feed, rows);
    const known = await lookUp(feed, ads);
    const results = readAds(
      ads.filter(({ id, hash }) => known.get(id)?.hash !== hash),
      { source, at: run.at, assumePhotos: photos.mode === 'assume', module: source.module, boundaries, signal },
    );
    // Handled where it is awaited.
    results.catch(() => {});
    yield { rows: rows.length, rejected, ads, known, earlier, results };
    earlier = new Set(ads.map(({ id }) => id));
  }
}

/** @param released whether the feed is not held, regardless of its content */
async function saveBatch(feed: Feed, batch: FeedBatch, released: boolean): Promise<void> {
  const { context, source, ids, counts } = feed;
  const { run, writer } = context;
  const isFirst = counts.rows === 0;
  for (const { reason, detail, row } of batch.rejected) counts.reject(reason, detail, row);
  const results = await batch.results;
  await refresh(feed, batch);
  const changed: Changes = { fresh: new Set(), changes: [], check: new ContentCheck() };
  const nextId = ids.next;
  const { added, changed: changedBefore, relisted } = counts;
  for (const ad of batch.ads) classify(feed, ad, results.get(ad), batch.known.get(ad.id), changed);
  counts.rows += batch.rows;
  if (!released) counts.held = changed.check.verdict(isFirst);
  if (counts.held !== null) {
    ids.next = nextId;
    Object.assign(counts, { added, changed: changedBefore, relisted });
    return;
  }
  if (changed.changes.length === 0) return;
  const settings = {
    run,
    source: source.name,
    refuse: (change: AdChange, reason: string) => refuse(feed, change, reason),
  };
  await writer.transaction((client) => saveChanges(client, settings, changed.changes));
}

/** Looks up the ads again that the batch before contains too. */
async function refresh(feed: Feed, { ads, known, earlier }: FeedBatch): Promise<void> {
  const repeated = ads.filter(({ id }) => earlier.has(id));
  if (repeated.length === 0) return;
  for (const [id, stored] of await lookUp(feed, repeated)) known.set(id, stored);
}

async function adsOf(feed: Feed, rows: readonly FeedRow[]): Promise<Pick<FeedBatch, 'rejected' | 'ads'>> {
  const { context, source, counts, signal } = feed;
  const { boundaries } = context;
  const rejected = rows.filter((row) => !row.ok);
  const ads: FeedAd[] = [];
  const parsed = rows.filter((row) => row.ok);
  if (source.module === undefined) {
    for (const { raw, row } of parsed) {
      try {
        ads.push({ raw, row, id: feedId(raw.source_listing_id), hash: contentHash('ads', raw, boundaries, source) });
      } catch (error) {
        rejected.push({ ok: false, reason: 'malformed_row', detail: messageOf(error), row });
      }
    }
    return { rejected, ads };
  }
  const mapped = await mapRows(
    parsed.map(({ row }) => row),
    { module: source.module, source, boundaries, signal },
  );
  for (const [at, found] of mapped.entries()) {
    const row = parsed[at]?.row;
    // The ad of the row may be a stored one.
    if ('ok' in found) counts.failed ??= found.detail;
    for (const [offer, each] of ('ok' in found ? [found] : found).entries())
      if (each.ok) ads.push({ raw: { row, offer }, row, id: each.id, hash: each.hash });
      else rejected.push({ ...each, row });
  }
  return { rejected, ads };
}

async function lookUp({ context, source }: Feed, ads: readonly FeedAd[]): Promise<Map<string, StoredAd>> {
  const rows = await queryRows(context.pool, KNOWN_COLUMNS, {
    name: 'ingest-look-up',
    from: 'from listings l where l.source = $1 and l.source_listing_id = any ($2)',
    values: [source.name, ads.map((ad) => ad.id)],
  });
  return new Map(rows.map((known) => [known.key, known]));
}

interface Changes {
  /** Ids of the batch's ads that are not stored yet. */
  fresh: Set<string>;
  changes: AdChange[];
  check: ContentCheck;
}

function classify(
  { context: { run }, ids, counts }: Feed,
  ad: FeedAd,
  read: AdResult | undefined,
  known: StoredAd | undefined,
  { fresh, changes, check }: Changes,
): void {
  const skipped = fresh.has(ad.id) ? 'repeated' : counts.skip(ad.hash, known);
  if (skipped === 'repeated') {
    counts.reject('duplicate_id', repeats(ad.id), ad.row);
    return;
  }
  if (skipped !== null && known !== undefined) {
    const { id, touchedAt, takenDown } = known;
    if (takenDown) return;
    if (skipped === 'relisted') changes.push({ kind: 'relisted', id });
    else {
      check.add(known, known);
      if (touchedAt !== null && run.at.getTime() - touchedAt >= TOUCH_AFTER) changes.push({ kind: 'touched', id });
    }
    return;
  }
  // All other ads were read.
  const result = read as AdResult;
  const reread = known !== undefined && isSameRow(known.hash, ad.hash);
  // A stored ad whose row cannot be parsed still counts as listed. An ad that is sold or has become a wanted ad does not.
  if (known && (result.ok || !ENDS.has(result.reason))) {
    counts.seen.add(known.id);
    if (!known.withdrawn) check.add(known, reread ? known : result.ok ? result.row.content : null);
  }
  if (!result.ok) {
    if (known && ENDS.has(result.reason)) counts.ended.set(known.id, result.ended ?? 'withdrawn');
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
  const content = { ...result.row, id, sourceListingId: ad.id, contentHash: ad.hash };
  if (counted === 'added') changes.push({ kind: 'added', id, ad: content, row: ad.row });
  else changes.push({ kind: 'changed', id, ad: { ...content, reread }, row: ad.row, counted });
}

function refuse({ source, counts }: Feed, change: AdChange, reason: string): void {
  const { kind, id } = change;
  if (kind === 'added') counts.refuse(id, kind, reason, change.row);
  else if (kind === 'changed') counts.refuse(id, change.counted, reason, change.row);
  else throw new Error(`ad ${id} of ${source.name} was not written: ${reason}`);
}
