import type pg from 'pg';
import { type Fence, fenceKey, type Judged, judge } from '../quality/fences.ts';
import type { RunContext } from '../run/context.ts';
import { copyIn, copyOut, numberOrNull } from '../run/copy.ts';

/** Flags in one update. */
const CHUNK = 20_000;

/**
 * Judges every price of the history by the fences of today. A listing that is live at the price of its row has been
 * judged already; the rest, those that went or have changed their price since, are gone through one by one.
 */
export async function judgeHistory({ run, writer, pool, signal }: RunContext): Promise<number> {
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
        'create temp table if not exists judged_months (listing_id bigint, first_month smallint, plausible smallint) on commit delete rows',
      );
      await copyIn(client, 'judged_months (listing_id, first_month, plausible)', lines);
      await client.query(
        `update listing_months h set plausible = j.plausible, changed_run = $1 from judged_months j
          where h.listing_id = j.listing_id and h.first_month = j.first_month`,
        [run.id],
      );
    });
  };
  let lines: string[] = [];
  const client = await pool.connect();
  let done = false;
  try {
    const query = `
      select h.listing_id, h.first_month, h.plausible, h.price, h.new_price, l.city, h.listing_type, l.property_type,
             l.listing_category, l.neighborhood_id, l.bedrooms, l.area_sqm
        from listing_months h join listings l on l.id = h.listing_id where not (${JUDGED_ALREADY})`;
    for await (const rows of copyOut(client, query)) {
      signal.throwIfAborted();
      for (const row of rows) {
        const judged: Judged = {
          price: numberOrNull(row[3]),
          city: row[5] as string,
          listing_type: row[6] as string,
          property_type: row[7] as string,
          listing_category: row[8] as string,
          neighborhood_id: numberOrNull(row[9]),
          bedrooms: numberOrNull(row[10]),
          area_sqm: numberOrNull(row[11]),
        };
        const plausible = bits(judged, fences) | (bits({ ...judged, price: numberOrNull(row[4]) }, fences) << 2);
        if (plausible !== Number(row[2])) lines.push(`${row[0]}\t${row[1]}\t${plausible}`);
      }
      if (lines.length >= CHUNK) {
        await save(lines);
        lines = [];
      }
    }
    done = true;
  } finally {
    client.release(!done);
  }
  if (lines.length > 0) await save(lines);
  return changed;
}

/** Rows whose prices are the ones that the listing has been judged by. */
const JUDGED_ALREADY = `coalesce(l.served and h.price = l.price and h.listing_type = l.listing_type
  and (h.new_month is null or h.new_price = h.price), false)`;

/** Without a price there is nothing to be plausible. */
function bits(judged: Judged, fences: ReadonlyMap<string, Fence>): number {
  if (judged.price === null) return 0;
  return (judge('typed', judged, fences) === null ? 1 : 0) | (judge('pooled', judged, fences) === null ? 2 : 0);
}

async function readFences(pool: pg.Pool): Promise<Map<string, Fence>> {
  const { rows } = await pool.query<Fence>(
    `select kind, tier, fence, sample_size as sample, median_price as median, mad_log_price as mad, low, high
       from quality_fences`,
  );
  return new Map(rows.map((fence) => [fenceKey(fence.kind, fence.tier, fence.fence), fence]));
}
