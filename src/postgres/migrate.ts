import { readdir } from 'node:fs/promises';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import { LOCKS, takeLock } from './locks.ts';

interface Migration {
  up(db: Knex): Promise<void>;
  down(db: Knex): Promise<void>;
}

const FOLDER = new URL('./migrations/', import.meta.url);

/** Migrations are the files of `migrations/`, by name; each exports `up` and `down`. */
const source: Knex.MigrationSource<string> = {
  getMigrations: async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.ts')).sort(),
  getMigrationName: (name) => name,
  getMigration: async (name) => (await import(new URL(name, FOLDER).href)) as Migration,
};

/** Milliseconds to wait for another process that migrates. */
const LOCK_LIMIT = 60_000;

/** Brings the database to the newest schema. Processes that start together take turns; the later find nothing to do. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const lock = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  lock.on('error', () => {});
  await lock.connect();
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 } });
  try {
    if (!(await takeLock(lock, LOCKS.migrations, LOCK_LIMIT)))
      throw new Error(`Another process has been migrating the database for ${LOCK_LIMIT / 1_000} seconds.`);
    // Knex's own lock is a row that a killed process leaves behind. This process holds ours, so nobody else migrates.
    await db.migrate.forceFreeMigrationsLock({ migrationSource: source });
    const [, names] = (await db.migrate.latest({ migrationSource: source })) as [number, string[]];
    return names;
  } finally {
    await Promise.all([db.destroy(), lock.end()]);
  }
}
