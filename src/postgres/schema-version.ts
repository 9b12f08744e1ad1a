import type pg from 'pg';
import * as sql from './rows.ts';

export const versionOf = (migration: string): number => Number.parseInt(migration, 10);

/** The migration that creates the schema. Databases of earlier ones cannot be upgraded. */
const BASELINE = 100;

export interface SchemaState {
  /** An applied migration that precedes the baseline. */
  superseded: string | null;
  /** Version of the newest applied migration; 0 for an empty database. */
  version: number;
  /** Schema version of the oldest release that can use the database; 0 without a contract step. */
  oldestRelease: number;
}

/** This release cannot use or upgrade the database. */
export class SchemaVersionError extends Error {
  override name = 'SchemaVersionError';
}

export async function readSchema(db: pg.ClientBase): Promise<SchemaState> {
  const table = await sql.queryOne(
    db,
    { migrations: sql.boolean, contracts: sql.boolean },
    `select to_regclass('knex_migrations') is not null as migrations,
            to_regclass('schema_contracts') is not null as contracts`,
  );
  // `max(name)` is not used, because it depends on the collation of the database.
  const names = table.migrations ? await sql.queryRows(db, { name: sql.text }, 'select name from knex_migrations') : [];
  const contracts = table.contracts
    ? await sql.queryRows(db, { version: sql.integer }, 'select version from schema_contracts')
    : [];
  return {
    superseded: names.find(({ name }) => versionOf(name) < BASELINE)?.name ?? null,
    version: Math.max(0, ...names.map(({ name }) => versionOf(name))),
    oldestRelease: Math.max(0, ...contracts.map(({ version }) => version)),
  };
}

/** @throws SchemaVersionError */
export function checkRelease({ superseded, version, oldestRelease }: SchemaState, release: number): void {
  if (superseded !== null)
    throw new SchemaVersionError(
      `The database has the migration ${superseded} of a release that this one cannot upgrade: use an empty database and other indexes (DATABASE_URL, INDEX_PREFIX), or, for \`npm start\`, an empty DATA_DIR.`,
    );
  if (release >= oldestRelease) return;
  throw new SchemaVersionError(
    `The database has schema version ${version} and requires a release with schema version ${oldestRelease} or newer, but this release has ${release}: start the newer release.`,
  );
}
