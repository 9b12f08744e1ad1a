import type pg from 'pg';
import { quarterLabel } from '#domain/official/quarters.ts';
import { type OfficialContext, withOfficialLock } from './context.ts';
import { type Load, promote, RELEASING, recover } from './loads.ts';
import { isSideOfCity } from './places.ts';

export interface HeldLoad {
  id: number;
  kind: Load['kind'];
  scope: string;
  quarter: string;
  rows: number;
  file: string;
  detail: string;
}

/** Quarters that were not believed. */
export async function heldLoads(pool: pg.Pool): Promise<HeldLoad[]> {
  const { rows } = await pool.query<Omit<HeldLoad, 'quarter'> & { quarter: number }>(
    `select l.id, l.kind, l.scope, l.quarter, l.rows, f.name as file, l.detail
       from official_loads l join official_files f on f.id = l.file_id where l.state = 'held' or l.id in (select id from official_loads where ${RELEASING}) order by l.id`,
  );
  return rows.map((row) => ({ ...row, quarter: quarterLabel(row.quarter) }));
}

/** Believes a held quarter: it takes the place of the one that is served. @throws Error when none has the number */
export function releaseLoad(context: OfficialContext, id: number): Promise<void> {
  return withOfficialLock(context.pool, async (db) => {
    await recover(context, db);
    const { rows } = await db.query<Load>(
      `update official_loads set state = 'staged' where id = $1 and state = 'held' returning id, kind, scope, quarter`,
      [id],
    );
    if (rows.length === 0) throw new Error(`No held quarter has the number ${id}.`);
    await promote(context, db, rows);
  });
}

export interface UnmatchedName {
  city: string;
  name: string;
  deals: number;
}

export interface Unmatched {
  /** Deals in cities of the service, those that name a district, and those whose district is matched. */
  deals: number;
  named: number;
  matched: number;
  /** Those that name a side of a city, which is no district. */
  sides: number;
  names: UnmatchedName[];
}

/** The districts that no neighborhood was found for, by the number of their deals. */
export async function unmatchedDistricts(pool: pg.Pool, options: { city?: string; limit: number }): Promise<Unmatched> {
  const values = [options.city ?? null];
  const current = `transactions t join official_loads l on l.id = t.load_id and l.state = 'current'
    where t.city is not null and ($1::text is null or t.city = $1)`;
  const { rows: counts } = await pool.query<Omit<Unmatched, 'names' | 'sides'>>(
    `select count(*) as deals, count(ministry_district_ar) as named, count(neighborhood_id) as matched from ${current}`,
    values,
  );
  const { rows: names } = await pool.query<UnmatchedName>(
    `select t.city, ministry_district_ar as name, count(*) as deals from ${current}
        and neighborhood_id is null and ministry_district_ar is not null
      group by 1, 2 order by 3 desc, 1, 2`,
    values,
  );
  const sides = names.filter(({ name }) => isSideOfCity(name)).reduce((sum, { deals }) => sum + deals, 0);
  return { ...(counts[0] as Omit<Unmatched, 'names' | 'sides'>), sides, names: names.slice(0, options.limit) };
}
