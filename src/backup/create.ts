import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { REMOVALS_FILE } from '#accounts/removals.ts';
import { Problem } from '#embedded/problem.ts';
import { withPool } from '#postgres/pool.ts';
import type { Queryable } from '#postgres/transaction.ts';
import type { Environment } from '#src/variables.ts';
import { copyPostgres } from './base-backup.ts';
import { copyFile, syncAll, syncName, writeNew } from './files.ts';
import { type BackupFile, MANIFEST, newManifest, totalSize } from './manifest.ts';
import { copyObjects, listObjects } from './objects.ts';
import { fingerprints, readSecrets, writeSecrets } from './secrets.ts';
import {
  counter,
  hasPostgres,
  journalFolder,
  MEGABYTE,
  type OnProgress,
  postgresData,
  withEngines,
  withObjects,
} from './stores.ts';

export interface CreateOptions {
  dataDir: string;
  env: Environment;
  /** Folder of backups. Each backup is a subfolder with the time as its name. */
  to: string;
  /** File of the secrets, outside of `to`; null to leave them out. */
  secretsFile: string | null;
  release: string;
  onProgress: OnProgress;
}

/**
 * Backs up the embedded Postgres, the objects of S3 and the journal of removals while the service runs. Postgres is copied
 * first: objects are stored before rows refer to them, so a later copy of the objects has every object of these rows.
 * @throws Problem if Postgres is not embedded, or the secrets would be in the folder of backups
 */
export async function createBackup(options: CreateOptions) {
  const dataDir = resolve(options.dataDir);
  const to = resolve(options.to);
  const { onProgress, secretsFile } = options;
  if (!hasPostgres(dataDir))
    throw new Problem(`${dataDir} has no embedded Postgres.`, [
      'Back up your own servers as docs/backup.md describes.',
    ]);
  if (secretsFile !== null && !relative(to, resolve(secretsFile)).startsWith('..'))
    throw new Problem('--secrets must name a file outside of the folder of backups.', [
      'A backup with its secrets lets its reader use the keys of customers.',
    ]);
  const started = new Date();
  const dir = join(
    to,
    started
      .toISOString()
      .replace(/[:.]/g, '')
      .replace(/\d{3}Z$/, 'Z'),
  );
  const unfinished = `${dir}.unfinished`;
  await mkdir(to, { recursive: true });
  await mkdir(unfinished, { mode: 0o700 });
  try {
    const manifest = await withEngines(dataDir, options.env, async (env) => {
      const secrets = await readSecrets(join(dataDir, 'secrets.json'), env);
      const databaseUrl = env.DATABASE_URL as string;
      const { size, schemaVersion } = await readDatabase(databaseUrl);
      const files: BackupFile[] = [];
      const copied = await copyPostgres({
        databaseUrl,
        data: postgresData(dataDir),
        to: join(unfinished, 'postgres'),
        beforeEnd: async () => {
          files.push(...copyJournal(journalFolder(dataDir, env), unfinished));
        },
        onBytes: counter(onProgress, 'postgres (MB)', size, MEGABYTE),
      });
      files.push(...[...copied.files].map(([path, digest]) => ({ path: `postgres/${path}`, ...digest })));
      const objects = await withObjects(env, async (store) => {
        const listed = await listObjects(store);
        return copyObjects(store, listed, unfinished, counter(onProgress, 's3 (objects)', listed.length));
      });
      if (secretsFile !== null) await writeSecrets(resolve(secretsFile), secrets);
      const content = newManifest({
        release: options.release,
        begun_at: copied.begunAt.toISOString(),
        consistent_at: copied.consistentAt.toISOString(),
        postgres: { ...copied.postgres, schema_version: schemaVersion },
        secrets: fingerprints(secrets),
        folders: copied.folders.map((path) => `postgres/${path}`),
        files: [...files, ...objects],
      });
      await writeNew(join(unfinished, MANIFEST), [Buffer.from(JSON.stringify(content))]);
      await syncAll(unfinished);
      await rename(unfinished, dir);
      syncName(dir);
      await withPool(databaseUrl, POOL, (pool) => recordBackup(pool, copied.consistentAt));
      return content;
    });
    return { dir, manifest, bytes: totalSize(manifest.files), seconds: (Date.now() - started.getTime()) / 1_000 };
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw error;
  }
}

const POOL = { max: 1, name: 'listings-backup' };

/** Returns the total size of all databases in bytes, and the schema version of the service's database. */
const readDatabase = (databaseUrl: string): Promise<{ size: number; schemaVersion: number }> =>
  withPool(databaseUrl, POOL, async (pool) => {
    const { rows } = await pool.query<{ size: number; newest: string }>(
      `select (select sum(pg_database_size(oid))::bigint from pg_database) as size,
              (select max(name) from knex_migrations) as newest`,
    );
    return { size: rows[0]?.size ?? 0, schemaVersion: Number.parseInt(rows[0]?.newest ?? '0', 10) };
  });

/** Records a completed backup, for the metric of its age. */
export async function recordBackup(db: Queryable, at: Date): Promise<void> {
  await db.query(
    `insert into job_runs (name, due_at, finished_at) values ('backup', $1, now())
     on conflict (name) do update set due_at = excluded.due_at, finished_at = now()`,
    [at],
  );
}

/** Copies the journal of removals, if there is one. */
function copyJournal(folder: string, dir: string): BackupFile[] {
  const path = `journal/${REMOVALS_FILE}`;
  const digest = copyFile(join(folder, REMOVALS_FILE), join(dir, path));
  return digest ? [{ path, ...digest }] : [];
}
