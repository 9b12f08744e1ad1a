import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { holdRemovals } from '#accounts/held-removals.ts';
import { formatRemovals, parseRemovals, REMOVALS_FILE, type Removal } from '#accounts/removals.ts';
import { lockDataFolder, startEngines } from '#embedded/engines.ts';
import { writePrivately } from '#embedded/files.ts';
import { Problem } from '#embedded/problem.ts';
import { withWriter } from '#ingest/postgres/writer.ts';
import { type Restore, stateRestore } from '#ingest/run/restore.ts';
import { withPool } from '#postgres/pool.ts';
import { inTransaction } from '#postgres/transaction.ts';
import type { Environment } from '#src/variables.ts';
import { copyPart, filesOf } from './copy-part.ts';
import { syncName } from './files.ts';
import { type Manifest, readManifest, STORES, type Store, totalSize } from './manifest.ts';
import { putObjects } from './objects.ts';
import { type BackupSecrets, differingSecrets, openSecretsFile, readSecrets } from './secrets.ts';
import {
  counter,
  hasPostgres,
  journalFolder,
  MEGABYTE,
  NOT_STARTED,
  type OnProgress,
  postgresData,
  withObjects,
} from './stores.ts';

export interface RestoreOptions {
  dir: string;
  dataDir: string;
  env: Environment;
  /** The store to restore; null for both. */
  only: Store | null;
  /** Whether to move existing data to a subfolder of the data folder. */
  replace: boolean;
  secretsFile: string | null;
  onProgress: OnProgress;
  say(line: string): void;
}

export interface Restored {
  manifest: Manifest;
  /** Folder of the earlier data; null if there was none. */
  replaced: string | null;
  /** Number of objects that were uploaded to S3. */
  objects: number;
  /** The recorded restore; null if Postgres was not restored. */
  restore: Restore | null;
  /** Number of restored keys, members and webhook endpoints that are off, because they were removed after the backup. */
  held: number;
  /** Variables with secrets that the service needs in its environment, as the secrets file has them. */
  variables: string[];
  seconds: number;
}

/** A restore in progress, with absolute paths. */
interface Task extends RestoreOptions {
  stores: readonly Store[];
  manifest: Manifest;
  /** Folder in which the data is prepared. */
  staging: string;
  /** Folder of the journal of removals. */
  journal: string;
}

/**
 * Restores a backup into a data folder whose engines are not running. The data is prepared in a subfolder, so that a
 * failure before the move leaves the data folder unchanged. OpenSearch is not restored: workers rebuild its indexes.
 * @throws Problem if engines are running, data exists, the backup is damaged, or the secrets are missing or differ
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const begun = Date.now();
  const dataDir = resolve(options.dataDir);
  const dir = resolve(options.dir);
  const manifest = await readManifest(dir);
  const stores = options.only === null ? STORES : [options.only];
  const staging = join(dataDir, 'restoring');
  const journal = journalFolder(dataDir, options.env);
  const task: Task = { ...options, dir, dataDir, manifest, stores, staging, journal };
  await mkdir(dataDir, { recursive: true });
  const lock = await lockDataFolder(dataDir, options.say);
  try {
    checkTargets(task);
    const secrets = await chooseSecrets(task);
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging);
    if (secrets) await writePrivately(join(staging, 'secrets.json'), `${JSON.stringify(secrets.embedded)}\n`);
    const journals = [join(dir, 'journal'), journal].map((folder) => join(folder, REMOVALS_FILE)).filter(existsSync);
    const texts = await Promise.all(journals.map((file) => readFile(file, 'utf8')));
    const removals = parseRemovals(texts.join('\n'));
    const { objects, restore, held } = await prepare(task, removals);
    const replaced = await replaceData(task);
    if (stores.includes('postgres') && removals.length > 0)
      await writePrivately(join(journal, REMOVALS_FILE), formatRemovals(removals));
    const variables = Object.keys(secrets?.variables ?? {});
    return { manifest, replaced, objects, restore, held, variables, seconds: (Date.now() - begun) / 1_000 };
  } finally {
    await rm(staging, { recursive: true, force: true });
    await lock.release();
  }
}

/** @throws Problem if a store would overwrite data, or Postgres is not embedded */
function checkTargets({ stores, dataDir, env, replace }: Task): void {
  if (stores.includes('postgres') && env.DATABASE_URL)
    throw new Problem('DATABASE_URL is set, but only the embedded Postgres can be restored.', [
      'Unset it, or restore your own server as docs/backup.md describes.',
    ]);
  const existing = [
    ...(stores.includes('postgres') && hasPostgres(dataDir) ? ['Postgres'] : []),
    ...(stores.includes('s3') && !env.S3_ENDPOINT && existsSync(join(dataDir, 's3', 'data')) ? ['S3'] : []),
  ];
  if (existing.length > 0 && !replace)
    throw new Problem(`${dataDir} has data of ${existing.join(' and ')}.`, [
      'Move it to a subfolder: add --replace. To restore one store: --only postgres or --only s3.',
    ]);
}

/**
 * Returns the secrets of the secrets file, or else of the data folder and the environment.
 * @throws Problem if Postgres is restored and the secrets are missing, or differ from those of the backup
 */
async function chooseSecrets({ stores, dataDir, manifest, env, secretsFile }: Task): Promise<BackupSecrets | null> {
  const own = join(dataDir, 'secrets.json');
  const secrets =
    secretsFile !== null ? await openSecretsFile(secretsFile) : existsSync(own) ? await readSecrets(own, env) : null;
  if (!stores.includes('postgres')) return secrets;
  if (secrets === null)
    throw new Problem(`${own} does not exist, and without the secrets of the backup no key works.`, [
      'Name the file that `backup create --secrets FILE` wrote: --secrets FILE',
    ]);
  const differing = differingSecrets(secrets, manifest.secrets);
  if (differing.length > 0)
    throw new Problem(
      `The secrets ${secretsFile ?? own} are not those of the backup: ${differing.join(', ')} differs.`,
      ['Name the file that `backup create --secrets FILE` wrote at that time: --secrets FILE'],
    );
  return secrets;
}

/** Copies the backup to the staging folder, starts the engines on it, records the restore, and stops the engines. */
async function prepare(
  { stores, dir, staging, manifest, env, onProgress, say }: Task,
  removals: readonly Removal[],
): Promise<Pick<Restored, 'objects' | 'restore' | 'held'>> {
  const files = stores.includes('s3') ? filesOf(manifest, 's3') : [];
  if (stores.includes('postgres')) {
    const copied = counter(onProgress, 'postgres (MB)', totalSize(filesOf(manifest, 'postgres')), MEGABYTE);
    await copyPart(dir, manifest, 'postgres', postgresData(staging), copied);
  }
  const engines = await startEngines({
    dataDir: staging,
    env: {
      ...env,
      OPENSEARCH_URL: NOT_STARTED,
      DATABASE_URL: stores.includes('postgres') ? undefined : NOT_STARTED,
      S3_ENDPOINT: stores.includes('s3') ? env.S3_ENDPOINT : NOT_STARTED,
    },
    buckets: [env.CDN_BUCKET || 'cdn', env.EXPORTS_BUCKET || 'exports'],
    say,
  });
  try {
    const stored = counter(onProgress, 's3 (objects)', files.length);
    const objects = stores.includes('s3')
      ? await withObjects({ ...env, ...engines.env }, (store) => putObjects(store, files, dir, stored))
      : 0;
    if (!stores.includes('postgres')) return { objects, restore: null, held: 0 };
    const options = { max: 2, name: 'listings-restore' };
    return await withPool(engines.env.DATABASE_URL as string, options, async (pool) => {
      // The indexes are not available now. If they contain a later state, the worker detects it when it starts.
      const { restore } = await withWriter(pool, (writer) => stateRestore(writer, []));
      return { objects, restore, held: await inTransaction(pool, (db) => holdRemovals(db, removals)) };
    });
  } finally {
    await engines.stop();
  }
}

/** Moves existing data to a subfolder, and restored data to the data folder. @returns the subfolder, if created */
async function replaceData({ stores, staging, dataDir, env, secretsFile }: Task): Promise<string | null> {
  const suffix = `replaced-${new Date().toISOString().replace(/[:.]/g, '')}`;
  const replaced = join(dataDir, suffix);
  const swap = async (name: string): Promise<void> => {
    const target = join(dataDir, name);
    if (existsSync(target)) {
      await mkdir(replaced, { recursive: true, mode: 0o700 });
      await rename(target, join(replaced, name));
    }
    await rename(join(staging, name), target);
  };
  if (secretsFile !== null || !existsSync(join(dataDir, 'secrets.json'))) await swap('secrets.json');
  if (stores.includes('s3') && !env.S3_ENDPOINT) await swap('s3');
  if (stores.includes('postgres')) await swap('postgres');
  syncName(replaced);
  return existsSync(replaced) ? replaced : null;
}
