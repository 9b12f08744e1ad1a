import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import { touchVersion } from '../postgres/touch-version.ts';

/** Tables whose rows have photos. */
export const OWNER_TABLES = ['listings', 'off_plan_records'] as const;
export type OwnerTable = (typeof OWNER_TABLES)[number];

interface OwnerSql {
  /** The table, as `l`, joined with its records. */
  rows: string;
  /** The normalized ad or project as JSON, whose `photos` are the URLs. */
  record: string;
  /** Assignments for a row whose photos change; `$1` is the run. */
  touch: string;
}

export const OWNER_SQL: Readonly<Record<OwnerTable, OwnerSql>> = {
  listings: {
    rows: 'listings l join listing_records r on r.id = l.id',
    record: 'r.record',
    touch: `${touchVersion('$1')}, content_run = $1`,
  },
  off_plan_records: { rows: 'off_plan_records l', record: 'l.record', touch: 'changed_run = $1' },
};

export interface PhotoOwner {
  id: number;
  urls: string[];
}

const RECORD = { id: sql.integer, record: sql.text };

/** Reads rows with their photo URLs. @param end SQL that follows `from` and the rows of the table */
export async function readOwners(
  pool: pg.Pool,
  table: OwnerTable,
  end: string,
  values: unknown[],
): Promise<PhotoOwner[]> {
  const { rows, record } = OWNER_SQL[table];
  const found = await sql.queryRows(pool, RECORD, `select l.id, ${record} as record from ${rows} ${end}`, values);
  return found.map(({ id, record }) => ({ id, urls: (JSON.parse(record) as { photos: string[] }).photos }));
}
