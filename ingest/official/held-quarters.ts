import type pg from 'pg';
import { quarterLabel } from '#domain/official/quarters.ts';
import { integer, nullable, number, queryOne, queryRow, queryRows, type RowOf, text } from '#stores/postgres/rows.ts';
import { LOAD, mediansSql, promote, RELEASING, recover } from './loads.ts';
import { type OfficialContext, withOfficialLock } from './official-context.ts';
import { isSideOfCity } from './places.ts';
import { RELEASE_FORMATS } from './read.ts';
import { settleTransactions } from './transactions-index.ts';

const HELD_LOAD = { ...LOAD, rows: integer, file: text, detail: text };

/** Returns held quarters, including those whose release is in progress. */
export async function heldLoads(pool: pg.Pool) {
  const rows = await queryRows(
    pool,
    HELD_LOAD,
    `select l.id, l.kind, l.scope, l.quarter, l.rows, f.name as file, l.detail
       from official_loads l join official_files f on f.id = l.file_id where l.state = 'held' or l.id in (select id from official_loads where ${RELEASING}) order by l.id`,
  );
  return rows.map((row) => ({ ...row, quarter: quarterLabel(row.quarter) }));
}

const TOTALS = { rows: integer, deeds: nullable(number) };

/** Compares a held quarter with the served one. @throws Error if there is none with this id */
export async function heldDifference(pool: pg.Pool, id: number) {
  const load = await queryRow(pool, LOAD, `select * from official_loads where id = $1 and state = 'held'`, [id]);
  if (load === null) throw new Error(`No held quarter has the number ${id}.`);
  const { kind: table, deeds, price } = RELEASE_FORMATS[load.kind];
  const current = `load_id in (select id from official_loads
    where kind = $2 and quarter = $3 and state = 'current' and ($4 = '' or scope in ('', $4)))`;
  const values = [id, load.kind, load.quarter, load.scope];
  const totals = (where: string): string =>
    `select count(*)::integer as rows, ${deeds === undefined ? 'null::float' : `sum(${deeds})::float`} as deeds from ${table} where ${where}`;
  const [held, served] = await queryRows(
    pool,
    TOTALS,
    `${totals('load_id = $1')} union all ${totals(current)} and $1::bigint is not null`,
    values,
  );
  const medians = (where: string): string => mediansSql(price, `${table} where ${where}`);
  const strata = await queryRows(
    pool,
    { stratum: text, held: nullable(number), served: nullable(number) },
    `with these as (${medians('load_id = $1')}), those as (${medians(current)})
     select stratum, these.price as held, those.price as served from these full join those using (stratum)`,
    values,
  );
  const moves = strata.flatMap(({ stratum, held, served }) =>
    held === null || served === null ? [] : [{ stratum, served, held, factor: held / served }],
  );
  return {
    held: held as RowOf<typeof TOTALS>,
    /** `rows` is 0 if the quarter is not served yet. */
    served: served as RowOf<typeof TOTALS>,
    /** Number of strata with a price in both quarters, only in the held one, or only in the served one. */
    strata: {
      both: moves.length,
      added: strata.filter(({ served }) => served === null).length,
      gone: strata.filter(({ held }) => held === null).length,
    },
    /** The largest changes of a median price. */
    moves: moves.sort((a, b) => Math.abs(Math.log(b.factor)) - Math.abs(Math.log(a.factor))).slice(0, 10),
  };
}

/** Replaces the served quarter by a held one. @throws Error if there is none with this id */
export function releaseLoad(context: OfficialContext, id: number): Promise<void> {
  return withOfficialLock(context.pool, async (db) => {
    await recover(context, db);
    const release = `update official_loads set state = 'staged' where id = $1 and state = 'held' returning *`;
    const rows = await queryRows(db, LOAD, release, [id]);
    if (rows.length === 0) throw new Error(`No held quarter has the number ${id}.`);
    await promote(context, db, rows);
    await settleTransactions(context, db);
  });
}

const UNMATCHED_NAME = { city: text, name: text, deals: integer };
/** In the cities of the service; of these with a district name, and with a neighborhood. */
const UNMATCHED = { deals: integer, named: integer, matched: integer };

/** Returns district names without a matching neighborhood, most transactions first. */
export async function unmatchedDistricts(pool: pg.Pool, options: { city?: string; limit: number }) {
  const values = [options.city ?? null];
  const current = `transactions t join official_loads l on l.id = t.load_id and l.state = 'current'
    where t.city is not null and ($1::text is null or t.city = $1)`;
  const counts = await queryOne(
    pool,
    UNMATCHED,
    `select count(*) as deals, count(ministry_district_ar) as named, count(neighborhood_id) as matched from ${current}`,
    values,
  );
  const names = await queryRows(
    pool,
    UNMATCHED_NAME,
    `select t.city, ministry_district_ar as name, count(*) as deals from ${current}
        and neighborhood_id is null and ministry_district_ar is not null
      group by 1, 2 order by 3 desc, 1, 2`,
    values,
  );
  /** Number of unmatched transactions that name only a direction within a city. */
  const sides = names.filter(({ name }) => isSideOfCity(name)).reduce((sum, { deals }) => sum + deals, 0);
  return { ...counts, sides, names: names.slice(0, options.limit) };
}
