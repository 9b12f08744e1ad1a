import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Store } from '#backup/manifest.ts';
import type { OnProgress } from '#backup/stores.ts';
import { dataFolder } from '#start/tool-environment.ts';
import { commandsWith } from '../command.ts';
import { accountCommands, type Connection } from '../connect.ts';
import { type OutputOptions, printOne, printRows } from '../output.ts';
import { withProgress } from '../progress.ts';

interface Flags extends OutputOptions {
  to?: string;
  secrets?: string;
  only?: string;
  replace?: boolean;
  journal?: string[];
  confirm?: string[];
  reinstate?: string[];
}

const MEGABYTE = 1_000_000;
/** Maximum number of files of each kind that the output names. */
const NAMED = 10;

export const HELP = `Examples:
  npm run cli -- backup create --to /mnt/backups --secrets /mnt/safe/listings.json    while the service runs, or not
  npm run cli -- backup verify /mnt/backups/2026-11-25T023000Z                         files, and that Postgres starts from it
  npm run cli -- backup restore /mnt/backups/2026-11-25T023000Z --secrets /mnt/safe/listings.json
  npm run cli -- backup restore /mnt/backups/2026-11-25T023000Z --replace --only postgres
  npm run cli -- backup review                                     keys, members and webhooks that were removed after the backup
  npm run cli -- backup review --confirm key_0f3a... --reinstate mem_5b1c...

A backup has no secrets: without the file of --secrets, no key of a restored database works. Stop \`npm start\` before a
restore. OpenSearch is not backed up: it is rebuilt from Postgres. Own servers: docs/backup.md.`;

/** Adds the `backup` commands, which back up and restore the embedded Postgres and S3. */
export function addCommands(group: Command): void {
  const addWithProgress = commandsWith<OnProgress, object>(group, async (work, flags) =>
    printOne(await withProgress(flags, work), flags),
  );

  addWithProgress(
    'create',
    'Back up the embedded Postgres and S3 while they serve.',
    async (onProgress, flags: Flags) => {
      const { createBackup } = await import('#backup/create.ts');
      const dataDir = dataFolder(process.env);
      const to = flags.to ?? join(dataDir, 'backups');
      const secretsFile = flags.secrets ?? null;
      const { dir, manifest, bytes, seconds } = await createBackup({
        dataDir,
        env: process.env,
        to,
        secretsFile,
        release: await readRelease(),
        onProgress,
      });
      const warnings = [
        ...(flags.to === undefined ? ['The backup is in the data folder. Copy it to another disk, or use --to.'] : []),
        ...(secretsFile === null
          ? ['The secrets were not saved. Without them, no key works after a restore: use --secrets FILE once.']
          : []),
      ];
      return {
        backup: dir,
        restores_to: manifest.consistent_at,
        megabytes: Math.round(bytes / MEGABYTE),
        files: manifest.files.length,
        s3_objects: manifest.files.filter(({ object }) => object !== undefined).length,
        seconds: round(seconds),
        secrets: secretsFile === null ? null : resolve(secretsFile),
        warnings,
      };
    },
  )
    .option('--to <folder>', 'folder of backups; default: backups in the data folder')
    .option('--secrets <file>', 'file for the secrets, on another disk than the backup');

  addWithProgress(
    'verify <dir>',
    'Check the files of a backup, and that Postgres starts from a copy of it.',
    async (onProgress, _flags, dir) => {
      const { verifyBackup } = await import('#backup/verify.ts');
      const { manifest, differences, database } = await verifyBackup(dir, onProgress);
      if (database === null) process.exitCode = 1;
      const named = (paths: readonly string[]) =>
        paths.length > NAMED ? [...paths.slice(0, NAMED), `and ${paths.length - NAMED} more`] : paths;
      return {
        backup: resolve(dir),
        valid: database !== null,
        restores_to: manifest.consistent_at,
        files: manifest.files.length,
        missing: named(differences.missing),
        damaged: named(differences.damaged),
        extra: named(differences.extra),
        schema_version: database?.schemaVersion ?? null,
        tables: database?.tables ?? null,
        rows: database?.rows ?? null,
        ...database?.shown,
      };
    },
  );

  addWithProgress(
    'restore <dir>',
    'Restore a backup into the data folder, while `npm start` does not run.',
    async (onProgress, flags: Flags, dir) => {
      const { restoreBackup } = await import('#backup/restore.ts');
      const restored = await restoreBackup({
        dir,
        dataDir: dataFolder(process.env),
        env: process.env,
        only: parseStore(flags.only),
        replace: flags.replace === true,
        secretsFile: flags.secrets ?? null,
        onProgress,
        say: console.error,
      });
      const { manifest, restore, held, variables } = restored;
      return {
        restored_to: manifest.consistent_at,
        s3_objects: restored.objects,
        event_epoch: restore?.epoch ?? null,
        held_removals: held,
        earlier_data: restored.replaced,
        seconds: round(restored.seconds),
        next: [
          ...(held > 0 ? ['Decide on removals after the backup: npm run cli -- backup review'] : []),
          ...(variables.length > 0 ? [`Set ${variables.join(', ')} as in the secrets file.`] : []),
          'npm start serves. A worker rebuilds the indexes from Postgres; reads return 503 until then if they are lost.',
        ],
      };
    },
  )
    .option('--replace', 'move existing data to a subfolder of the data folder')
    .option('--only <store>', 'postgres or s3')
    .option('--secrets <file>', 'file of `backup create --secrets`; default: the secrets of the data folder');

  const add = accountCommands(group);

  add(
    'record',
    'Record that a backup of own servers was completed now, for the metric of its age.',
    async ({ pool }, flags) => {
      const { recordBackup } = await import('#backup/create.ts');
      const at = new Date();
      await recordBackup(pool, at);
      printOne({ recorded: at }, flags);
    },
  );

  add(
    'review',
    'List keys, members and webhooks that were removed after the restored backup. They stay off until you decide.',
    review,
  )
    .option(
      '--journal <files...>',
      'first turn off what these journals of removals contain, after a restore of own servers',
    )
    .option('--confirm <ids...>', 'remove for good')
    .option('--reinstate <ids...>', 'turn on again; a webhook endpoint stays disabled until `webhook enable`');
}

/** Applies the decisions in `flags` to held removals, then lists the removals without a decision. */
async function review({ pool, change }: Connection, flags: Flags): Promise<void> {
  const { decideRemoval, holdRemovals, listHeldRemovals } = await import('#accounts/held-removals.ts');
  const { parseRemovals } = await import('#accounts/removals.ts');
  const texts = await Promise.all((flags.journal ?? []).map((file) => readFile(file, 'utf8')));
  await change(({ db }) => holdRemovals(db, parseRemovals(texts.join('\n'))));
  const decisions = { removed: flags.confirm ?? [], reinstated: flags.reinstate ?? [] };
  for (const decision of ['removed', 'reinstated'] as const)
    for (const id of decisions[decision]) await change((audited) => decideRemoval(audited, id, decision));
  printRows(await listHeldRemovals(pool), flags);
}

function parseStore(text: string | undefined): Store | null {
  if (text === undefined || text === 'postgres' || text === 's3') return text ?? null;
  throw new Error(`"${text}" is not a store that can be restored. Stores: postgres, s3.`);
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10;

async function readRelease(): Promise<string> {
  const file = join(import.meta.dirname, '..', '..', '..', 'package.json');
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version;
}
