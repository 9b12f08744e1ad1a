import type pg from 'pg';
import * as sql from '#stores/postgres/rows.ts';
import { projectFeed } from '../off-plan/sources/index.ts';
import { touchVersion } from '../postgres/touch-version.ts';

/** Tables whose rows have photos. */
export const OWNER_TABLES = ['listings', 'off_plan_records'] as const;
export type OwnerTable = (typeof OWNER_TABLES)[number];

/** Returns the sources of a table's rows whose feeds a run reads. */
export function sourcesIn(feeds: readonly string[], table: OwnerTable): string[] {
  if (table === 'listings') return [...feeds];
  const suffix = projectFeed('');
  return feeds.filter((feed) => feed.endsWith(suffix)).map((feed) => feed.slice(0, -suffix.length));
}

interface OwnerSql {
  /** The table, as `l`, joined with its records. */
  rows: string;
  /** The normalized ad or project as JSON, whose `photos` are the URLs. */
  record: string;
  /** Returns assignments for a row whose photos change. @param run the SQL parameter with the run's id */
  touch: (run: string) => string;
}

export const OWNER_SQL: Readonly<Record<OwnerTable, OwnerSql>> = {
  listings: {
    rows: 'listings l join listing_records r on r.id = l.id',
    record: 'r.record',
    touch: (run) => `${touchVersion(run)}, content_run = ${run}`,
  },
  off_plan_records: { rows: 'off_plan_records l', record: 'l.record', touch: (run) => `changed_run = ${run}` },
};

export interface PhotoOwner {
  id: number;
  source: string;
  urls: string[];
}

const RECORD = { id: sql.integer, source: sql.text, record: sql.text };

/** Reads rows with their photo URLs. @param end SQL that follows `from` and the rows of the table */
export async function readOwners(
  pool: pg.Pool,
  table: OwnerTable,
  end: string,
  values: unknown[],
): Promise<PhotoOwner[]> {
  const { rows, record } = OWNER_SQL[table];
  const found = await sql.queryRows(
    pool,
    RECORD,
    `select l.id, l.source, ${record} as record from ${rows} ${end}`,
    values,
  );
  return found.map(({ record, ...row }) => ({ ...row, urls: (JSON.parse(record) as { photos: string[] }).photos }));
}
