import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { Problem } from '#embedded/problem.ts';
import { withClient } from '#postgres/pool.ts';
import { copyFile, type Digest, listFolder, writeNew } from './files.ts';

/** Folders whose content Postgres creates at a start. The folders themselves must exist. */
const EMPTIED = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\//;
/** Files of the running server, and files that Postgres creates again. */
const SKIPPED =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|backup_manifest)$|(^|\/)(pgsql_tmp|pg_internal\.init|t\d+_)|\.conf\.tmp$/;
/** Copied last, so that it is not older than the files that it describes. */
const CONTROL_FILE = 'global/pg_control';
const WAL_FOLDERS = ['pg_wal/archive_status', 'pg_wal/summaries'];

interface Options {
  databaseUrl: string;
  /** Data folder of the server, which runs on this machine. */
  data: string;
  /** Folder of the copy; created. */
  to: string;
  /** Runs immediately before the backup ends, that is, at the time to which a restore returns. */
  beforeEnd(): Promise<void>;
  onBytes(bytes: number): void;
}

/**
 * Copies the data folder of a running Postgres, and the write-ahead log that is written meanwhile. The copy is
 * inconsistent until Postgres replays this log at its first start on the copy, as `backup_label` instructs.
 * @throws Problem if the server uses another folder, or has additional tablespaces
 */
export function copyPostgres({ databaseUrl, data, to, beforeEnd, onBytes }: Options) {
  return withClient({ connectionString: databaseUrl, connectionTimeoutMillis: 15_000 }, async (client) => {
    const one = async <T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T> =>
      (await client.query<T>(sql, values)).rows[0] as T;
    const { folder, version, tablespaces, system } = await one<{
      folder: string;
      version: number;
      tablespaces: number;
      system: string;
    }>(
      `select current_setting('data_directory') as folder, current_setting('server_version_num')::int as version,
              (select count(*)::int from pg_tablespace) as tablespaces,
              (select system_identifier::text from pg_control_system()) as system`,
    );
    if ((await realpath(folder).catch(() => folder)) !== (await realpath(data)))
      throw new Problem(`DATABASE_URL is the Postgres of ${folder}, not the embedded one of ${data}.`, [
        'Back up your own servers as docs/backup.md describes.',
      ]);
    if (tablespaces > 2) throw new Problem('A Postgres with additional tablespaces cannot be copied.');

    // The slot keeps the log until this session ends. Otherwise checkpoints during the copy could recycle it.
    const slot = `backup_${process.pid}_${Date.now()}`;
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const begunAt = new Date();
    const { lsn: startLsn } = await one<{ lsn: string }>('select pg_backup_start($1, true)::text as lsn', [slot]);
    const copied = await copyFolder(data, to, onBytes);
    await beforeEnd();
    const consistentAt = new Date();
    const stop = await one<{ lsn: string; label: string; last: string }>(
      `select lsn::text, labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)`,
    );
    const first = /^START WAL LOCATION: .* \(file ([0-9A-F]{24})\)$/m.exec(stop.label)?.[1];
    if (first === undefined) throw new Error(`backup_label has no start:\n${stop.label}`);
    copied.files.set('backup_label', await writeNew(join(to, 'backup_label'), [Buffer.from(stop.label)]));
    for (const [path, digest] of await copyLog(data, to, first, stop.last, onBytes)) copied.files.set(path, digest);
    const postgres = { version, system_identifier: system, start_lsn: startLsn, stop_lsn: stop.lsn };
    return { postgres, begunAt, consistentAt, ...copied };
  });
}

async function copyFolder(data: string, to: string, onBytes: (bytes: number) => void) {
  const files = new Map<string, Digest>();
  const folders: string[] = [...WAL_FOLDERS];
  const copy = (path: string): void => {
    const digest = copyFile(join(data, path), join(to, path));
    // Postgres deleted the file meanwhile. The write-ahead log contains the deletion.
    if (digest === null) return;
    files.set(path, digest);
    onBytes(digest.size);
  };
  await mkdir(to, { recursive: true, mode: 0o700 });
  const isSkipped = (path: string) => EMPTIED.test(path) || SKIPPED.test(path) || path === CONTROL_FILE;
  for await (const { path, kind } of listFolder(data, isSkipped)) {
    if (kind === 'file') copy(path);
    else {
      folders.push(path);
      await mkdir(join(to, path), { recursive: true, mode: 0o700 });
    }
  }
  for (const folder of WAL_FOLDERS) await mkdir(join(to, folder), { recursive: true, mode: 0o700 });
  copy(CONTROL_FILE);
  return { files, folders };
}

/** Copies log segments from `first` to `last`, and timeline files. @throws Error if `first` or `last` is missing */
async function copyLog(
  data: string,
  to: string,
  first: string,
  last: string,
  onBytes: (bytes: number) => void,
): Promise<Map<string, Digest>> {
  const files = new Map<string, Digest>();
  for await (const { path } of listFolder(join(data, 'pg_wal'))) {
    const isSegment = /^[0-9A-F]{24}$/.test(path) && path >= first && path <= last;
    if (!isSegment && !/^[0-9A-F]{8}\.history$/.test(path)) continue;
    const digest = copyFile(join(data, 'pg_wal', path), join(to, 'pg_wal', path));
    if (digest === null) continue;
    files.set(`pg_wal/${path}`, digest);
    onBytes(digest.size);
  }
  for (const segment of [first, last])
    if (!files.has(`pg_wal/${segment}`)) throw new Error(`the segment ${segment} of the write-ahead log is missing`);
  return files;
}
