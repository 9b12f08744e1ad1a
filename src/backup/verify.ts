import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { withScratchPostgres } from '#embedded/scratch-postgres.ts';
import { withClient } from '#postgres/pool.ts';
import { copyPart, filesOf } from './copy-part.ts';
import { compareFiles, type Manifest, readManifest, totalSize } from './manifest.ts';
import { counter, MEGABYTE, type OnProgress } from './stores.ts';

const DATABASE = 'listings';
/** Tables whose row counts are reported, so that an operator can compare them with the expected counts. */
const SHOWN = ['organizations', 'api_keys', 'listings', 'ingest_runs', 'webhook_endpoints'];

/**
 * Verifies a backup: its files, and that Postgres starts on a copy, reaches a consistent state and counts all rows.
 * @returns also the database that started from the backup; null if files differ
 * @throws Problem if Postgres does not start; Error if it differs from the manifest
 */
export async function verifyBackup(path: string, onProgress: OnProgress) {
  const dir = resolve(path);
  const manifest = await readManifest(dir);
  const read = counter(onProgress, 'files (MB)', totalSize(manifest.files), MEGABYTE);
  const differences = await compareFiles(dir, manifest, read);
  if (Object.values(differences).some((paths) => paths.length > 0)) return { manifest, differences, database: null };
  const scratch = await mkdtemp(join(tmpdir(), 'backup-'));
  try {
    // The user of the engines must be able to enter the scratch folder. The data folder in it is private.
    await chmod(scratch, 0o755);
    const copied = counter(onProgress, 'postgres (MB)', totalSize(filesOf(manifest, 'postgres')), MEGABYTE);
    await copyPart(dir, manifest, 'postgres', join(scratch, 'data'), copied);
    const database = await withScratchPostgres(scratch, (server) => readDatabase(server, manifest, onProgress));
    return { manifest, differences, database };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function readDatabase(server: pg.ClientConfig, { postgres }: Manifest, onProgress: OnProgress) {
  return withClient({ ...server, database: DATABASE }, async (client) => {
    const { rows } = await client.query<{ system: string; newest: string }>(
      `select (select system_identifier::text from pg_control_system()) as system,
              (select max(name) from knex_migrations) as newest`,
    );
    const schemaVersion = Number.parseInt(rows[0]?.newest ?? '', 10);
    if (rows[0]?.system !== postgres.system_identifier || schemaVersion !== postgres.schema_version)
      throw new Error(
        `The database has schema version ${schemaVersion} of the server ${rows[0]?.system}, but the manifest states ${postgres.schema_version} of ${postgres.system_identifier}.`,
      );
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relkind = 'r' order by 1`,
    );
    const counted = counter(onProgress, 'tables', tables.length);
    const shown: Record<string, number> = {};
    let total = 0;
    for (const { name } of tables) {
      // The text of a row requires all its values, from the table and from its TOAST table. Postgres verifies the
      // checksum of each page that it reads.
      const counts = await client.query<{ count: string }>(
        `select count(whole_row::text) from ${pg.escapeIdentifier(name)} as whole_row`,
      );
      const count = Number(counts.rows[0]?.count);
      if (SHOWN.includes(name)) shown[name] = count;
      total += count;
      counted();
    }
    return { schemaVersion, tables: tables.length, rows: total, shown };
  });
}
