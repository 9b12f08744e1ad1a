import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { LOCKS, takeLock } from './locks.ts';
import { withClient } from './pool.ts';
import * as sql from './rows.ts';
import { requireSessions } from './sessions.ts';
import { transact } from './transaction.ts';

export interface Migration {
  up(db: Knex): Promise<void>;
  /** Whether earlier releases cannot use the database afterwards. All other migrations only make additions. */
  contract?: boolean;
}

export const versionOf = (migration: string): number => Number.parseInt(migration, 10);

const FOLDER = new URL('./migrations/', import.meta.url);

const fileNames = async (): Promise<string[]> => (await readdir(FOLDER)).filter((name) => name.endsWith('.ts')).sort();

/** Ordered by name. Only restoring a backup undoes a migration. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: fileNames,
  getMigrationName: (name) => name,
  getMigration: async (name) => recordContract(name, (await import(new URL(name, FOLDER).href)) as Migration),
};

/** Records a contract step in the same transaction. */
export function recordContract(name: string, { up, contract }: Migration): Knex.Migration {
  return {
    async up(db) {
      await up(db);
      if (contract) await db('schema_contracts').insert({ version: versionOf(name), migration: name });
    },
    async down() {
      throw new Error('Migrations are not taken back. Restore a backup.');
    },
  };
}

/** The version of its newest migration. */
export async function releaseVersion(): Promise<number> {
  return Math.max(...(await fileNames()).map(versionOf));
}

/**
 * @throws SchemaVersionError if the database has a newer schema that this release cannot use
 * @throws SharedSessionError behind a pooler in transaction mode
 */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  await requireSessions(databaseUrl);
  await withClient(connectionTo(databaseUrl), async (client) =>
    checkRelease(await readSchema(client), await releaseVersion()),
  );
}

const connectionTo = (connectionString: string) => ({ connectionString, connectionTimeoutMillis: 10_000 });

/** Maximum time in milliseconds to wait for another process that is migrating. */
const LOCK_LIMIT = 60_000;

/**
 * Does not change a newer schema that this release can use. Concurrent processes migrate one after the other.
 * @param functions SQL that creates or replaces the functions of this release
 * @returns names of the applied migrations
 * @throws SchemaVersionError if this release cannot use the schema
 * @throws SharedSessionError behind a pooler in transaction mode
 */
export async function migrate(databaseUrl: string, functions: string): Promise<string[]> {
  await requireSessions(databaseUrl);
  return withClient(connectionTo(databaseUrl), async (client) => {
    if (!(await takeLock(client, LOCKS.migrations, LOCK_LIMIT)))
      throw new Error(`Another process has been migrating the database for ${LOCK_LIMIT / 1_000} seconds.`);
    checkRelease(await readSchema(client), await releaseVersion());
    const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 } });
    try {
      // Knex's own lock remains if the process is killed. The advisory lock shows that no other process is migrating.
      await db.migrate.forceFreeMigrationsLock({ migrationSource });
      // Knex's validation rejects migrations of newer releases.
      const config = { migrationSource, disableMigrationsListValidation: true };
      const [, names] = (await db.migrate.latest(config)) as [number, string[]];
      await replaceFunctions(client, functions, await releaseVersion());
      return names;
    } finally {
      await db.destroy();
    }
  });
}

/**
 * Replaces changed functions, unless a newer release recorded them. They are no migration, because those never change.
 */
async function replaceFunctions(client: pg.Client, functions: string, release: number): Promise<void> {
  const checksum = hash('sha256', functions);
  const last = await sql.queryRow(
    client,
    { release: sql.integer, checksum: sql.text },
    'select * from schema_functions',
  );
  if (last && (last.release > release || last.checksum === checksum)) return;
  await transact(client, async (db) => {
    await db.query(functions);
    await db.query(
      `insert into schema_functions (release, checksum) values ($1, $2)
         on conflict (only_row) do update set release = excluded.release, checksum = excluded.checksum`,
      [release, checksum],
    );
  });
}

/** The migration that creates the schema. Databases of earlier ones cannot be upgraded. */
const BASELINE = 100;

/** This release cannot use or upgrade the database. */
export class SchemaVersionError extends Error {
  override name = 'SchemaVersionError';
}

async function readSchema(db: pg.ClientBase) {
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
    /** An applied migration that precedes the baseline. */
    superseded: names.find(({ name }) => versionOf(name) < BASELINE)?.name ?? null,
    /** 0 for an empty database. */
    version: Math.max(0, ...names.map(({ name }) => versionOf(name))),
    /** Schema version of the oldest release that can use the database; 0 without a contract step. */
    oldestRelease: Math.max(0, ...contracts.map(({ version }) => version)),
  };
}

/** @throws SchemaVersionError */
function checkRelease({ superseded, version, oldestRelease }: Awaited<ReturnType<typeof readSchema>>, release: number) {
  if (superseded !== null)
    throw new SchemaVersionError(
      `The database has the migration ${superseded} of a release that this one cannot upgrade: use an empty database and other indexes (DATABASE_URL, INDEX_PREFIX), or, for \`npm start\`, an empty DATA_DIR.`,
    );
  if (release >= oldestRelease) return;
  throw new SchemaVersionError(
    `The database has schema version ${version} and requires a release with schema version ${oldestRelease} or newer, but this release has ${release}: start the newer release.`,
  );
}
