import type pg from 'pg';
import { copyToTemporary } from '../postgres/copy-in.ts';
import { copyOut } from '../postgres/copy-out.ts';
import type { RowOf } from '../postgres/rows.ts';
import { type Bounds, boundsOf, flagsOf, type Judged, type Kind } from '../quality/fences.ts';
import { readFences } from '../quality/read-fences.ts';
import type { RunContext } from '../run/context.ts';
import { HISTORY_COLUMNS } from './documents.ts';

const { listing, firstMonth, listingType, price, newPrice, plausible } = HISTORY_COLUMNS;
const { city, propertyType, category, neighborhood, bedrooms, area } = HISTORY_COLUMNS;
const COLUMNS = {
  ...{ listing, firstMonth, listingType, price, newPrice, plausible },
  ...{ city, propertyType, category, neighborhood, bedrooms, area },
};
type Row = RowOf<typeof COLUMNS>;

/**
 * By the fences of the run. Until the stage is complete, this can safely be repeated.
 * @returns number of rows, and of changed rows
 */
export async function judgeHistory(context: RunContext): Promise<{ judged: number; changed: number }> {
  const { run, writer, pool } = context;
  const fences = await readFences(pool);
  /** Most rows share the facts that determine bounds. */
  const known = new Map<string, Record<Kind, Bounds>>();
  const boundsFor = (row: Row, judged: Judged): Record<Kind, Bounds> => {
    const key = `${row.city} ${row.listingType} ${row.propertyType} ${row.category} ${row.neighborhood} ${row.bedrooms}`;
    let bounds = known.get(key);
    if (bounds === undefined) {
      bounds = { typed: boundsOf('typed', judged, fences), pooled: boundsOf('pooled', judged, fences) };
      known.set(key, bounds);
    }
    return bounds;
  };
  let judgedRows = 0;
  const lines: string[] = [];
  for await (const rows of copyOut(context, COLUMNS, 'from listing_months h join listings l on l.id = h.listing_id')) {
    for (const row of rows) {
      const judged = judgedOf(row);
      const bounds = boundsFor(row, judged);
      const [flags, newFlags] = [row.price, row.newPrice].map((price) =>
        price === null ? 0 : flagsOf({ ...judged, price }, bounds),
      ) as [number, number];
      const now = flags | (newFlags << 2);
      if (now !== row.plausible) lines.push(`${row.listing}\t${row.firstMonth}\t${now}`);
    }
    judgedRows += rows.length;
  }
  // Flushed to disk before the index: the table must not lose a row that the index contains.
  await writer.transaction((client) => saveVerdicts(client, run.id, lines), { durable: true });
  return { judged: judgedRows, changed: lines.length };
}

const judgedOf = (row: Row): Judged => ({
  price: null,
  city: row.city,
  listing_type: row.listingType,
  property_type: row.propertyType,
  listing_category: row.category,
  neighborhood_id: row.neighborhood,
  bedrooms: row.bedrooms,
  area_sqm: row.area,
});

async function saveVerdicts(client: pg.ClientBase, run: number, lines: readonly string[]): Promise<void> {
  const table = 'judged_intervals (listing_id bigint, first_month smallint, plausible smallint)';
  await copyToTemporary(client, table, lines);
  await client.query(
    `update listing_months h set plausible = j.plausible, changed_run = $1 from judged_intervals j
      where h.listing_id = j.listing_id and h.first_month = j.first_month`,
    [run],
  );
}
