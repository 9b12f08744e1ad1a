import type pg from 'pg';
import { LISTING_TYPES } from '#domain/listings/vocabulary.ts';
import * as sql from '#postgres/rows.ts';
import { copyIn, copyToTemporary } from '../postgres/copy-in.ts';
import { column, queryRows, type RowOf } from '../postgres/rows.ts';
import { FENCE, type Fence, fenceKey, type Judged, judge, type Range } from '../quality/fences.ts';
import { movedBounds, movedFences } from '../quality/moved-bounds.ts';
import type { RunContext } from '../run/context.ts';
import { VERSIONS } from '../versions.ts';

const CHUNK = 20_000;

/** Version of the rules other than fences. If it changes, the next run judges all listings again. */
const RULES = `version ${VERSIONS.plausibility}`;

/**
 * Judges only prices of listings that the run changed, and prices between the previous and the current value of a moved
 * bound; all others keep their verdict, so that the cost depends on the changes and not on the length of the history.
 * If a listing is live at the price in its row, the verdict of the quality stage is copied. The transaction that
 * completes the work must also call `saveJudgedFences`; until it commits, this can safely be rerun.
 * @returns number of rows judged here, and of changed rows
 */
export async function judgeHistory(context: RunContext): Promise<{ judged: number; changed: number }> {
  const { run, writer, pool } = context;
  const [before, now] = [await readJudgedFences(pool), await readFences(pool)];
  const everything = before.size === 0;
  const counts = { judged: 0, changed: 0 };
  counts.changed += await writer.transaction((client) => copyVerdicts(client, run.id, everything));
  const bounds = everything ? [] : await boundLines(pool, before, now);
  await writer.transaction((client) => chooseRows(client, run.id, everything, bounds));
  let after: readonly [listing: number, month: number] = [0, 0];
  for (;;) {
    const rows = await writer.transaction((client) => readChosen(client, after));
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [last.listing, last.firstMonth];
    const lines: string[] = [];
    for (const row of rows) {
      const plausible = flagsOf(row, row.price, now) | (flagsOf(row, row.newPrice, now) << 2);
      if (plausible !== row.plausible) lines.push(`${row.listing}\t${row.firstMonth}\t${plausible}`);
    }
    counts.judged += rows.length;
    counts.changed += lines.length;
    if (lines.length > 0) await writer.transaction((client) => saveVerdicts(client, run.id, lines));
  }
  return counts;
}

const JUDGED_ALREADY = `coalesce(l.served and h.price = l.price and h.listing_type = l.listing_type
  and (h.new_month is null or h.new_price = h.price), false)`;
const IN_HISTORY = 'listing_months h join listings l on l.id = h.listing_id';

/** @returns number of changed rows */
async function copyVerdicts(client: pg.ClientBase, run: number, everything: boolean): Promise<number> {
  const own = '(l.plausible_typed::int + l.plausible_pooled::int * 2)';
  const flags = `${own} * case when h.new_month is null then 1 else 5 end`;
  const { rowCount } = await client.query(
    `update listing_months h set plausible = ${flags}, changed_run = $1
       from listings l where l.id = h.listing_id and ${JUDGED_ALREADY} and h.plausible <> ${flags}
        and ($2 or l.changed_run = $1)`,
    [run, everything],
  );
  return rowCount ?? 0;
}

/** Facts that determine which bounds apply. */
const PROFILE = {
  city: column<string>('city'),
  propertyType: column<string>('property_type'),
  category: column<string>('listing_category'),
  neighborhood: column<number | null>('neighborhood_id'),
  bedrooms: column<number | null>('bedrooms'),
};

/** A COPY line for each moved bound and each profile that it applies to. */
async function boundLines(
  pool: pg.Pool,
  before: ReadonlyMap<string, Range>,
  now: ReadonlyMap<string, Range>,
): Promise<string[]> {
  const moved = movedFences(before, now);
  if (moved.size === 0) return [];
  const kinds = await queryRows(pool, PROFILE, { from: 'from listings group by 1, 2, 3, 4, 5', values: [] });
  const lines: string[] = [];
  for (const { city, propertyType, category, neighborhood, bedrooms } of kinds) {
    // A listing may be for sale now but have been for rent in the months of a row.
    for (const listingType of LISTING_TYPES) {
      const ad: Judged = {
        city,
        listing_type: listingType,
        property_type: propertyType,
        listing_category: category,
        neighborhood_id: neighborhood,
        bedrooms,
        area_sqm: null,
        price: null,
      };
      const profile = `${city}\t${listingType}\t${propertyType}\t${category}\t${neighborhood ?? 0}\t${bedrooms ?? -1}`;
      for (const { perSqm, low, high } of movedBounds(ad, before, now, moved))
        lines.push(`${profile}\t${perSqm ? 't' : 'f'}\t${low}\t${high}`);
    }
  }
  return lines;
}

const CHOSEN = `
  create temp table if not exists moved_bounds (city text, listing_type text, property_type text, listing_category text,
    neighborhood_id integer, bedrooms double precision, per_sqm boolean, low double precision, high double precision);
  create temp table if not exists chosen_intervals (listing_id bigint, first_month smallint,
    primary key (listing_id, first_month));
  truncate moved_bounds, chosen_intervals`;

/** Copies rows into a temporary table on the writer's connection. */
async function chooseRows(client: pg.ClientBase, run: number, everything: boolean, bounds: readonly string[]) {
  await client.query(CHOSEN);
  await client.query(
    `insert into chosen_intervals select h.listing_id, h.first_month from ${IN_HISTORY}
      where ($2 or l.changed_run = $1) and not ${JUDGED_ALREADY}`,
    [run, everything],
  );
  if (bounds.length === 0) return;
  await copyIn(client, 'moved_bounds', bounds);
  await client.query('analyze moved_bounds');
  const isBetween = (price: string): string =>
    `case when m.per_sqm then ${price} / nullif(l.area_sqm, 0) else ${price} end between m.low and m.high`;
  await client.query(
    `insert into chosen_intervals
     select h.listing_id, h.first_month from ${IN_HISTORY}
       join moved_bounds m on m.city = l.city and m.listing_type = h.listing_type and m.property_type = l.property_type
        and m.listing_category = l.listing_category and m.neighborhood_id = coalesce(l.neighborhood_id, 0)
        and m.bedrooms = coalesce(l.bedrooms, -1)
      where l.changed_run <> $1 and not ${JUDGED_ALREADY} and (${isBetween('h.price')} or ${isBetween('h.new_price')})
     on conflict do nothing`,
    [run],
  );
  await client.query('truncate moved_bounds');
}

const COLUMNS = {
  listing: column<number>('h.listing_id'),
  firstMonth: column<number>('h.first_month'),
  plausible: column<number>('h.plausible'),
  price: column<number | null>('h.price'),
  newPrice: column<number | null>('h.new_price'),
  city: column<string>('l.city'),
  listingType: column<string>('h.listing_type'),
  propertyType: column<string>('l.property_type'),
  category: column<string>('l.listing_category'),
  neighborhood: column<number | null>('l.neighborhood_id'),
  bedrooms: column<number | null>('l.bedrooms'),
  area: column<number | null>('l.area_sqm'),
};
type HistoryRow = RowOf<typeof COLUMNS>;

function readChosen(client: pg.ClientBase, after: readonly [listing: number, month: number]): Promise<HistoryRow[]> {
  return queryRows(client, COLUMNS, {
    from: `from (select * from chosen_intervals where (listing_id, first_month) > ($1, $2)
                  order by listing_id, first_month limit ${CHUNK}) c
           join listing_months h using (listing_id, first_month) join listings l on l.id = h.listing_id
           order by h.listing_id, h.first_month`,
    values: [...after],
  });
}

async function saveVerdicts(client: pg.ClientBase, run: number, lines: readonly string[]): Promise<void> {
  const table = 'judged_intervals (listing_id bigint, first_month smallint, plausible smallint)';
  await copyToTemporary(client, table, lines);
  await client.query(
    `update listing_months h set plausible = j.plausible, changed_run = $1 from judged_intervals j
      where h.listing_id = j.listing_id and h.first_month = j.first_month`,
    [run],
  );
}

/** Bit 1 if plausible for its type, bit 2 for all types; 0 without a price. */
function flagsOf(row: HistoryRow, price: number | null, fences: ReadonlyMap<string, Fence>): number {
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
  const rows = await sql.queryRows(
    pool,
    FENCE,
    `select kind, tier, fence, sample_size as sample, median_price as median, mad_log_price as mad, low, high
       from quality_fences`,
  );
  return byKey(rows);
}

const { kind, tier, fence, low, high } = FENCE;
const JUDGED_FENCE = { kind, tier, fence, low, high };

/** Returns the fences; empty if other rules were in use. */
async function readJudgedFences(pool: pg.Pool): Promise<Map<string, Range>> {
  const rows = await sql.queryRows(
    pool,
    JUDGED_FENCE,
    'select kind, tier, fence, low, high from history_fences where rules = $1',
    [RULES],
  );
  return byKey(rows);
}

function byKey<F extends Pick<Fence, 'kind' | 'tier' | 'fence'>>(fences: readonly F[]): Map<string, F> {
  return new Map(fences.map((fence) => [fenceKey(fence.kind, fence.tier, fence.fence), fence]));
}

export async function saveJudgedFences(client: pg.ClientBase): Promise<void> {
  await client.query(
    `delete from history_fences h where rules <> $1 or not exists (select from quality_fences q
      where (q.kind, q.tier, q.fence) = (h.kind, h.tier, h.fence) and q.low = h.low and q.high is not distinct from h.high)`,
    [RULES],
  );
  await client.query(
    `insert into history_fences (kind, tier, fence, low, high, rules)
     select kind, tier, fence, low, high, $1 from quality_fences on conflict do nothing`,
    [RULES],
  );
}
