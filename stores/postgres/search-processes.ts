import * as sql from './rows.ts';
import type { Queryable } from './transaction.ts';

/** Seconds between records. A process that missed three has ended. */
export const RECORD_SECONDS = 30;

export interface SearchProcess {
  /** Host name and process id. */
  process: string;
  /** Version of the synonyms in use. */
  synonyms: string;
  /** Why the process does not use the newest file, or null. */
  problem: string | null;
}

export async function recordSearchProcess(db: Queryable, { process, synonyms, problem }: SearchProcess): Promise<void> {
  await db.query(
    `with ended as (delete from search_processes where seen_at < now() - make_interval(days => 1))
     insert into search_processes as s (process, synonyms, problem) values ($1, $2, $3)
     on conflict (process) do update set synonyms = $2, problem = $3, seen_at = now()`,
    [process, synonyms, problem],
  );
}

export async function removeSearchProcess(db: Queryable, process: string): Promise<void> {
  await db.query('delete from search_processes where process = $1', [process]);
}

/** Empty on a database that no release with this table has migrated. */
export const readSearchProcesses = (db: Queryable): Promise<SearchProcess[]> =>
  sql
    .queryRows(
      db,
      { process: sql.text, synonyms: sql.text, problem: sql.nullable(sql.text) },
      `select process, synonyms, problem from search_processes where seen_at > now() - make_interval(secs => $1) order by process`,
      [3 * RECORD_SECONDS],
    )
    .catch((error: unknown) => {
      if ((error as { code?: string }).code === UNDEFINED_TABLE) return [];
      throw error;
    });

const UNDEFINED_TABLE = '42P01';
