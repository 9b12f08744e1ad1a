import { readdir } from 'node:fs/promises';
import knex, { type Knex } from 'knex';

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

/** Brings the database to the newest schema; a lock in the database makes it safe from several processes at once. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 2 } });
  try {
    const [, names] = (await db.migrate.latest({ migrationSource: source })) as [number, string[]];
    return names;
  } finally {
    await db.destroy();
  }
}
