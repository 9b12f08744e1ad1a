import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import type { Transaction } from '#stores/postgres/transaction.ts';
import type { RowOf } from '../postgres/column-rows.ts';
import { copyToTemporary } from '../postgres/copy-in.ts';
import { copyOut, number, numberOrNull, text } from '../postgres/copy-out.ts';
import { touchVersion } from '../postgres/touch-version.ts';
import { type Bounds, boundsOf, flagsOf, type Kind, type PlausibilityFacts } from '../quality/fences.ts';
import { readFences } from '../quality/read-fences.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Run } from '../run/run-state.ts';
import { HISTORY_COLUMNS } from './history-documents.ts';

const { listing, firstMonth, listingType, price, newPrice, plausible } = HISTORY_COLUMNS;
const { city, propertyType, category, neighborhood, bedrooms, area } = HISTORY_COLUMNS;
const FACTS = { city, listingType, propertyType, category, neighborhood, bedrooms, area };
const COLUMNS = { listing, firstMonth, price, newPrice, plausible, ...FACTS };
type Row = RowOf<typeof FACTS>;

/** Returns flags for prices, as `flagsOf`, by the fences of the run. */
async function judgeByFences(pool: pg.Pool): Promise<(row: Row, price: number | null) => number> {
  const fences = await readFences(pool);
  /** Most rows share the facts that determine bounds. */
  const known = new Map<string, Record<Kind, Bounds>>();
  return (row, price) => {
    if (price === null) return 0;
    const judged = { ...judgedOf(row), price };
    const key = `${row.city} ${row.listingType} ${row.propertyType} ${row.category} ${row.neighborhood} ${row.bedrooms}`;
    let bounds = known.get(key);
    if (bounds === undefined) {
      bounds = { typed: boundsOf('typed', judged, fences), pooled: boundsOf('pooled', judged, fences) };
      known.set(key, bounds);
    }
    return flagsOf(judged, bounds);
  };
}

/**
 * By the fences of the run. Until the stage is complete, this can safely be repeated.
 * @returns number of rows, and of changed rows
 */
export async function judgeHistory(context: RunContext): Promise<{ judged: number; changed: number }> {
  const { run, writer, pool } = context;
  const judge = await judgeByFences(pool);
  let judgedRows = 0;
  const lines: string[] = [];
  for await (const rows of copyOut(context, COLUMNS, 'from listing_months h join listings l on l.id = h.listing_id')) {
    for (const row of rows) {
      const now = judge(row, row.price) | (judge(row, row.newPrice) << 2);
      if (now !== row.plausible) lines.push(`${row.listing}\t${row.firstMonth}\t${now}`);
    }
    judgedRows += rows.length;
  }
  // Flushed to disk before the index: the table must not lose a row that the index contains.
  await writer.transaction((client) => saveVerdicts(client, run.id, lines), { durable: true });
  return { judged: judgedRows, changed: lines.length };
}

const RECORDED = {
  ...FACTS,
  listing: number('h.listing_id'),
  at: text('h.at'),
  price: numberOrNull(
    'case when not (l.text_implausible and h.price_yearly_sar = l.price) then h.price_yearly_sar end',
  ),
  listingType: text('coalesce(h.listing_type, l.listing_type)'),
};

declare const isJudged: unique symbol;
/** A run before which the plausibility of all recorded prices was determined. Only `judgeRecordedPrices` returns one. */
export type JudgedRun = Run & { readonly [isJudged]: true };

/**
 * Determines the plausibility of prices that earlier releases recorded, once: those that search would not return are removed, with the
 * changes that they caused.
 */
export async function judgeRecordedPrices(context: RunContext): Promise<JudgedRun> {
  const { writer, pool } = context;
  const run = context.run as JudgedRun;
  const unjudged = 'from listing_prices h join listings l on l.id = h.listing_id where h.run_id is null';
  if (!(await sql.hasRows(pool, unjudged))) return run;
  const judge = await judgeByFences(pool);
  const lines: string[] = [];
  for await (const rows of copyOut(context, RECORDED, unjudged))
    for (const row of rows) if (judge(row, row.price) === 0) lines.push(`${row.listing}\t${row.at}`);
  await writer.transaction(
    async (client) => {
      await copyToTemporary(client, 'refused_prices (listing_id bigint, at timestamptz)', lines);
      await client.query(
        'delete from listing_prices p using refused_prices r where p.listing_id = r.listing_id and p.at = r.at',
      );
      await client.query(
        `delete from listing_prices p using (
           select listing_id, at, price_yearly_sar = lag(price_yearly_sar) over (partition by listing_id order by at) as same
             from listing_prices where listing_id in (select listing_id from refused_prices)) c
          where c.same and p.listing_id = c.listing_id and p.at = c.at`,
      );
      await client.query('update listing_prices set run_id = $1 where run_id is null', [run.id]);
      await client.query(
        `update listings l set ${touchVersion('$1')}, content_run = $1
          where id in (select listing_id from refused_prices)`,
        [run.id],
      );
    },
    { durable: true },
  );
  return run;
}

const judgedOf = (row: Row): PlausibilityFacts => ({
  price: null,
  city: row.city,
  listing_type: row.listingType,
  property_type: row.propertyType,
  listing_category: row.category,
  neighborhood_id: row.neighborhood,
  bedrooms: row.bedrooms,
  area_sqm: row.area,
});

async function saveVerdicts(client: Transaction, run: number, lines: readonly string[]): Promise<void> {
  const table = 'judged_intervals (listing_id bigint, first_month smallint, plausible smallint)';
  await copyToTemporary(client, table, lines);
  await client.query(
    `update listing_months h set plausible = j.plausible, changed_run = $1 from judged_intervals j
      where h.listing_id = j.listing_id and h.first_month = j.first_month`,
    [run],
  );
}
