import type pg from 'pg';

/** Returns the schema version of a migration: the number at the start of its file name. */
export const versionOf = (migration: string): number => Number.parseInt(migration, 10);

/** The schema version of a database and the releases that may use it. */
export interface SchemaState {
  /** Version of the newest migration. 0 for an empty database. */
  version: number;
  /** Minimum schema version of a release that may use the database. 0 if there was no contract step. */
  oldestRelease: number;
}

/** Thrown if this release is older than the last contract step of the database. */
export class SchemaVersionError extends Error {
  override name = 'SchemaVersionError';
}

export async function readSchema(db: pg.ClientBase): Promise<SchemaState> {
  const { rows: tables } = await db.query<{ migrations: boolean; contracts: boolean }>(
    `select to_regclass('knex_migrations') is not null as migrations,
            to_regclass('schema_contracts') is not null as contracts`,
  );
  const [table] = tables;
  // `max(name)` is not used because it compares by the collation of the database.
  const version = table?.migrations ? await highest(db, `select name as value from knex_migrations`) : 0;
  const oldestRelease = table?.contracts ? await highest(db, `select version as value from schema_contracts`) : 0;
  return { version, oldestRelease };
}

async function highest(db: pg.ClientBase, query: string): Promise<number> {
  const { rows } = await db.query<{ value: string | number }>(query);
  return Math.max(0, ...rows.map(({ value }) => versionOf(String(value))));
}

/** @throws SchemaVersionError if a release with this schema version can no longer use the database */
export function checkRelease({ version, oldestRelease }: SchemaState, release: number): void {
  if (release >= oldestRelease) return;
  throw new SchemaVersionError(
    `The database has schema version ${version} and requires a release with schema version ${oldestRelease} or newer, but this release has ${release}: start the newer release.`,
  );
}
