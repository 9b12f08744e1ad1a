import type pg from 'pg';
import { copyIn } from '../postgres/copy-in.ts';
import { copyOut, number, numberOrNull, text } from '../postgres/copy-out.ts';
import type { RowOf } from '../postgres/rows.ts';
import { type Fence, fenceKey, type Judged, judge } from '../quality/fences.ts';
import type { RunContext } from '../run/context.ts';

/** Rows in one update. */
const CHUNK = 20_000;

const COLUMNS = {
  listing: number('h.listing_id'),
  firstMonth: number('h.first_month'),
  plausible: number('h.plausible'),
  price: numberOrNull('h.price'),
  newPrice: numberOrNull('h.new_price'),
  city: text('l.city'),
  listingType: text('h.listing_type'),
  propertyType: text('l.property_type'),
  category: text('l.listing_category'),
  neighborhood: numberOrNull('l.neighborhood_id'),
  bedrooms: numberOrNull('l.bedrooms'),
  area: numberOrNull('l.area_sqm'),
};

/**
 * Judges every price of the history by the fences of today. A listing that is live at the price of its row has been
 * judged by the quality stage; the rest, withdrawn or at other prices, are judged here.
 * @returns how many rows changed
 */
export async function judgeHistory(context: RunContext): Promise<number> {
  const { run, writer, pool } = context;
  let changed = await writer.transaction(async (client) => {
    const own = '(l.plausible_typed::int + l.plausible_pooled::int * 2)';
    const flags = `${own} * case when h.new_month is null then 1 else 5 end`;
    const { rowCount } = await client.query(
      `update listing_months h set plausible = ${flags}, changed_run = $1
         from listings l where l.id = h.listing_id and ${JUDGED_ALREADY} and h.plausible <> ${flags}`,
      [run.id],
    );
    return rowCount ?? 0;
  });
  const fences = await readFences(pool);
  const save = async (lines: string[]): Promise<void> => {
    changed += lines.length;
    await writer.transaction(async (client) => {
      await client.query(
        `create temp table if not exists judged_stretches (listing_id bigint, first_month smallint, plausible smallint)
           on commit delete rows`,
      );
      await copyIn(client, 'judged_stretches (listing_id, first_month, plausible)', lines);
      await client.query(
        `update listing_months h set plausible = j.plausible, changed_run = $1 from judged_stretches j
          where h.listing_id = j.listing_id and h.first_month = j.first_month`,
        [run.id],
      );
    });
  };
  let lines: string[] = [];
  const query = `from listing_months h join listings l on l.id = h.listing_id where not (${JUDGED_ALREADY})`;
  for await (const rows of copyOut(context, COLUMNS, query)) {
    for (const row of rows) {
      const plausible = flagsOf(row, row.price, fences) | (flagsOf(row, row.newPrice, fences) << 2);
      if (plausible !== row.plausible) lines.push(`${row.listing}\t${row.firstMonth}\t${plausible}`);
    }
    if (lines.length >= CHUNK) {
      await save(lines);
      lines = [];
    }
  }
  if (lines.length > 0) await save(lines);
  return changed;
}

/** Rows whose prices are the ones that the listing has been judged by. */
const JUDGED_ALREADY = `coalesce(l.served and h.price = l.price and h.listing_type = l.listing_type
  and (h.new_month is null or h.new_price = h.price), false)`;

/** Bits 1 and 2: whether a price of the row is plausible for its type, and pooled. Without a price there is nothing to judge. */
function flagsOf(row: RowOf<typeof COLUMNS>, price: number | null, fences: ReadonlyMap<string, Fence>): number {
  if (price === null) return 0;
  const judged: Judged = {
    price,
    city: row.city,
    listing_type: row.listingType,
    property_type: row.propertyType,
    listing_category: row.category,
    neighborhood_id: row.neighborhood,
    bedrooms: row.bedrooms,
    area_sqm: row.area,
  };
  return (judge('typed', judged, fences) === null ? 1 : 0) | (judge('pooled', judged, fences) === null ? 2 : 0);
}

async function readFences(pool: pg.Pool): Promise<Map<string, Fence>> {
  const { rows } = await pool.query<Fence>(
    `select kind, tier, fence, sample_size as sample, median_price as median, mad_log_price as mad, low, high
       from quality_fences`,
  );
  return new Map(rows.map((fence) => [fenceKey(fence.kind, fence.tier, fence.fence), fence]));
}
