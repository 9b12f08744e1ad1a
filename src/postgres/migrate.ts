import { hash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { CHARGE_FUNCTIONS } from './charge-function.ts';
import { LOCKS, takeLock } from './locks.ts';
import { checkRelease, readSchema, versionOf } from './schema-version.ts';

export interface Migration {
  up(db: Knex): Promise<void>;
  /**
   * Earlier releases cannot use the database after this migration, for example because it drops a column that they
   * read. All other migrations only add what earlier releases can ignore.
   */
  contract?: boolean;
}

const FOLDER = new URL('./migrations/', import.meta.url);

const fileNames = async (): Promise<string[]> => (await readdir(FOLDER)).filter((name) => name.endsWith('.ts')).sort();

/** Migrations are the files of `migrations/`, by name; each exports `up`. There is no way back but a backup. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: fileNames,
  getMigrationName: (name) => name,
  getMigration: async (name) => recordContract(name, (await import(new URL(name, FOLDER).href)) as Migration),
};

/** The migration for Knex, which records in its own transaction that it is a contract step if it is one. */
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

/** Returns the schema version of this release: that of its newest migration. */
export async function releaseVersion(): Promise<number> {
  return Math.max(...(await fileNames()).map(versionOf));
}

/** @throws SchemaVersionError when the database is of a newer release, and this one cannot use it any more */
export async function checkDatabase(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => checkRelease(await readSchema(client), await releaseVersion()));
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Milliseconds to wait for another process that migrates. */
const LOCK_LIMIT = 60_000;

/**
 * Migrates the database to the schema of this release, or leaves a newer one that this release can use. Processes that start
 * together migrate one after the other; later ones find nothing to do.
 * @returns the applied migrations
 * @throws SchemaVersionError if the database belongs to a newer release that this one cannot use
 */
export function migrate(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    if (!(await takeLock(client, LOCKS.migrations, LOCK_LIMIT)))
      throw new Error(`Another process has been migrating the database for ${LOCK_LIMIT / 1_000} seconds.`);
    checkRelease(await readSchema(client), await releaseVersion());
    const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 } });
    try {
      // Knex's own lock is a row that a killed process leaves behind. This process holds ours, so no other process migrates.
      await db.migrate.forceFreeMigrationsLock({ migrationSource });
      // Without the validation, which refuses a database that has migrations of a newer release.
      const config = { migrationSource, disableMigrationsListValidation: true };
      const [, names] = (await db.migrate.latest(config)) as [number, string[]];
      await replaceFunctions(client, await releaseVersion());
      return names;
    } finally {
      await db.destroy();
    }
  });
}

/**
 * Creates the functions of this release if their text differs from the last one created. Functions of a newer release remain.
 * They are not part of a migration, as a migration must not change with their text.
 */
async function replaceFunctions(client: pg.Client, release: number): Promise<void> {
  const checksum = hash('sha256', CHARGE_FUNCTIONS);
  await client.query(`create table if not exists schema_functions (
    only_row boolean primary key default true check (only_row), release integer not null, checksum text not null)`);
  const { rows } = await client.query<{ release: number; checksum: string }>('select * from schema_functions');
  if (rows[0] && (rows[0].release > release || rows[0].checksum === checksum)) return;
  await client.query('begin');
  await client.query(CHARGE_FUNCTIONS);
  await client.query(
    `insert into schema_functions (release, checksum) values ($1, $2)
       on conflict (only_row) do update set release = excluded.release, checksum = excluded.checksum`,
    [release, checksum],
  );
  await client.query('commit');
}
