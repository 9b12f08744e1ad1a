import type { Comparison } from '#domain/listings/comparison.ts';
import { toDocument } from '#domain/listings/document.ts';
import type { StoredListing } from '#domain/listings/listing.ts';
import { writeDeal } from '#domain/listings/stored-form.ts';
import { type DerivedOp, syncDerivedIndex } from '#stores/opensearch/derived-index/derived-index.ts';
import { readFilled } from '#stores/postgres/index-registry.ts';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import { LISTING_COLUMNS } from '../indexing/listing-rows.ts';
import { storedListing } from '../indexing/render-listing.ts';
import { column, queryRows, type RowOf } from '../postgres/column-rows.ts';
import { copyText, copyToTemporary } from '../postgres/copy-in.ts';
import { asOf, recordsAsOf } from '../postgres/earlier-rows.ts';
import { pagesById, type SentCounts, sendPages } from '../postgres/pages.ts';
import { registration, saveSynced } from '../postgres/registration.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import type { FillContext, RunContext } from '../run/run-context.ts';
import { marketChanged, runStage } from '../run/run-state.ts';
import { judgeHomes } from './compare.ts';
import { readMarkets } from './deal-markets.ts';

const BATCH = 500;

/**
 * Stores deals, and sets `far_below`, which listing documents show. If the run changed nothing in the market, earlier
 * comparisons are kept. If another run follows immediately, that run makes them.
 */
export async function comparisonStage(context: RunContext): Promise<void> {
  if (context.followed) return;
  await runStage(context, 'comparison', async () => {
    const stale = (await readFilled(context.pool, 'deals')) === null || (await marketChanged(context));
    const found = stale ? await compareAll(context) : null;
    return async (db) => {
      if (found !== null) await mergeFound(db, context.run.id, found.lines);
      const farBelow = await sql.countRows(db, 'from listings where served and far_below');
      const compared = found?.compared ?? 0;
      return { kept: compared, details: { compared, far_below: farBelow } };
    };
  });
}

/** In an unchanged market, writes only changed timestamps. */
export async function dealsStage(context: RunContext): Promise<void> {
  const { run, writer, pool, listingIndex, followed } = context;
  if (followed) {
    await writer.transaction((db) => saveSynced(db, 'deals', null, run.id), { durable: true });
    return;
  }
  await runStage(context, 'deals', async () => {
    const registered = await registration(pool, 'deals');
    await writer.transaction((db) => updateVersions(db, run.id), { durable: true });
    let counts: SentCounts | undefined;
    const synced = await syncDerivedIndex(listingIndex.client, 'deals', registered, async (alias, which) => {
      counts = await send(context, alias, which === 'all' ? ALL : 'd.changed_run = $1');
      return counts.written;
    });
    return async (db) => {
      const kept = await sql.countRows(db, 'from listing_deals where not gone');
      await db.query('delete from listing_deals where gone');
      await saveSynced(db, 'deals', synced, run.id);
      return { kept, details: { ...counts } };
    };
  });
}

/** `lines` are the found prices for COPY. */
async function compareAll(context: RunContext): Promise<{ compared: number; lines: string[] }> {
  let compared = 0;
  const lines: string[] = [];
  for await (const { market, homes } of readMarkets(context)) {
    for (const { id, verdict } of judgeHomes(market, homes, context.signal))
      lines.push(`${id}\t${copyText(verdict.kind === 'deal' ? JSON.stringify(verdict.comparison) : null)}`);
    compared += homes.length;
    context.onProgress({ stage: 'comparison', source: null, done: compared, total: null });
  }
  return { compared, lines };
}

/**
 * Deals that no longer exist are marked as removed.
 * @param lines homes with their comparison; without one, the price is far below comparable homes
 */
async function mergeFound(db: Transaction, run: number, lines: readonly string[]): Promise<void> {
  await copyToTemporary(db, 'found_prices (id bigint primary key, comparison text)', lines);
  await db.query('analyze found_prices');
  await db.query(
    `update listings l set far_below = not l.far_below, ${touchVersion('$1')}
       from (select id from listings where far_below union select id from found_prices where comparison is null) c
      where c.id = l.id
        and l.far_below = not exists (select from found_prices f where f.id = l.id and f.comparison is null)`,
    [run],
  );
  await db.query(
    `insert into listing_deals as d (listing_id, version, comparison, changed_run)
     select f.id, l.version, f.comparison, $1 from found_prices f join listings l on l.id = f.id
      where f.comparison is not null
     on conflict (listing_id) do update
       set version = excluded.version, comparison = excluded.comparison, gone = false, changed_run = $1
     where d.gone or d.comparison <> excluded.comparison`,
    [run],
  );
  await db.query(
    `update listing_deals d set gone = true, changed_run = $1
      where not d.gone
        and not exists (select from found_prices f where f.id = d.listing_id and f.comparison is not null)`,
    [run],
  );
}

async function updateVersions(db: Transaction, run: number): Promise<void> {
  await db.query(
    `update listing_deals d set version = l.version, changed_run = $1, gone = not l.served
       from listings l where l.id = d.listing_id and not d.gone and (d.version <> l.version or not l.served)`,
    [run],
  );
}

const ALL = 'not d.gone and $1::integer is not null';

/** @returns number of documents */
export const fillDeals = async (context: FillContext, alias: string): Promise<number> =>
  (await send(context, alias, ALL)).written;

function send(context: FillContext, alias: string, condition: string): Promise<SentCounts> {
  const { run, listingIndex, signal } = context;
  const deals = pagesById(signal, (after) => readDeals(context, condition, after));
  return sendPages(listingIndex.client, alias, deals, (row) => dealOperation(row, run));
}

const DEAL_COLUMNS = {
  ...LISTING_COLUMNS,
  gone: column<boolean>('d.gone'),
  comparison: column<string>('d.comparison'),
};
type DealRow = RowOf<typeof DEAL_COLUMNS>;

function dealOperation(row: DealRow, run: FillContext['run']): DerivedOp {
  const key = { id: String(row.id), listing: row.id, version: run.id };
  if (row.gone || !row.served) return { op: 'delete', ...key };
  const stored = storedListing(row, run.at.getTime() / 1000);
  return { op: 'index', ...key, json: dealDocument(stored, JSON.parse(row.comparison) as Comparison) };
}

function readDeals({ run, pool, published }: FillContext, condition: string, after: number): Promise<DealRow[]> {
  return queryRows(pool, DEAL_COLUMNS, {
    from: `from ${asOf(published, 'listing_deals', '$2')} d join ${asOf(published, 'listings', '$2')} l on l.id = d.listing_id
           left join ${recordsAsOf(published)} r on r.id = l.id
           left join listing_publications p on p.listing_id = l.id
           where ${condition} and d.listing_id > $2 order by d.listing_id limit ${BATCH}`,
    values: [run.id, after],
  });
}

const FILTERS = [
  ...(['id', 'city', 'listing_type', 'listing_category', 'property_type', 'neighborhood_id', 'location'] as const),
  ...(['lat', 'lng', 'compound', 'price', 'area', 'beds', 'bathrooms', 'livings', 'age', 'updated_at'] as const),
];

/** The stored listing, its comparison, and the fields for filters and sorts. */
function dealDocument(stored: StoredListing, comparison: Comparison): string {
  const { filter, stats } = toDocument(stored);
  const { plausible_typed, plausible_pooled } = stats;
  return writeDeal(stored, comparison, {
    filter: Object.fromEntries(FILTERS.map((name) => [name, filter[name]])),
    stats: { plausible_typed, plausible_pooled, deal_gap_pct: comparison.gap_pct },
  });
}
