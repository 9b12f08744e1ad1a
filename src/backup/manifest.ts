import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '#domain/parse-json.ts';
import { Problem } from '#embedded/problem.ts';
import { type Digest, digestOf, listFolder } from './files.ts';

export const MANIFEST = 'manifest.json';
const FORMAT = 1;

export const STORES = ['postgres', 's3'] as const;
export type Store = (typeof STORES)[number];
/** The folders of a backup. */
export type Part = Store | 'journal';

/** A file of a backup. */
export interface BackupFile extends Digest {
  /** Relative to the backup, with slashes. */
  path: string;
  /** The S3 object that was copied to the file. */
  object?: StoredObject;
}

export interface StoredObject {
  bucket: 'cdn' | 'exports';
  key: string;
  contentType?: string | undefined;
  cacheControl?: string | undefined;
}

export interface Manifest {
  format: number;
  /** Release of the service. */
  release: string;
  /** Times at which the copy of Postgres began and ended. A restore returns to the state at its end. */
  begun_at: string;
  consistent_at: string;
  postgres: {
    version: number;
    system_identifier: string;
    schema_version: number;
    /** Start and end of the write-ahead log that the copy needs. */
    start_lsn: string;
    stop_lsn: string;
  };
  /** Hashes of the secrets that this backup needs, by name, to recognize the right secrets file. */
  secrets: Readonly<Record<string, string>>;
  /** Folders that may be empty. */
  folders: readonly string[];
  files: readonly BackupFile[];
}

export const newManifest = (content: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...content });

/** @throws Problem if the folder is not a complete backup, or the manifest is damaged or has another format */
export async function readManifest(dir: string): Promise<Manifest> {
  const text = await readFile(join(dir, MANIFEST), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    throw new Problem(`${dir} is not a complete backup: it has no ${MANIFEST}.`, [
      'Name the folder that `backup create` printed, such as .data/backups/2026-11-25T023000Z.',
    ]);
  });
  const manifest = parseJson(text) as Manifest | null | undefined;
  if (!Array.isArray(manifest?.files) || !Array.isArray(manifest.folders))
    throw new Problem(`${join(dir, MANIFEST)} is damaged. Use another backup.`);
  if (manifest.format !== FORMAT)
    throw new Problem(`The backup has format ${manifest.format}, but this release reads format ${FORMAT}.`, [
      `Use release ${manifest.release}.`,
    ]);
  return manifest;
}

/** Files of a backup that differ from its manifest. */
export interface Differences {
  missing: string[];
  damaged: string[];
  extra: string[];
}

/** Compares all files of a backup with its manifest. @param onBytes receives the size of each file that was read */
export async function compareFiles(
  dir: string,
  manifest: Manifest,
  onBytes: (bytes: number) => void,
): Promise<Differences> {
  const expected = new Map(manifest.files.map((file) => [file.path, file]));
  const found = new Set<string>();
  const differences: Differences = { missing: [], damaged: [], extra: [] };
  for await (const { path, kind } of listFolder(dir)) {
    if (path === MANIFEST || kind === 'folder') continue;
    const file = expected.get(path);
    if (kind !== 'file' || !file) {
      differences.extra.push(path);
      continue;
    }
    found.add(path);
    const { size, sha256 } = digestOf(join(dir, path));
    if (size !== file.size || sha256 !== file.sha256) differences.damaged.push(path);
    onBytes(size);
  }
  differences.missing = [...expected.keys()].filter((path) => !found.has(path));
  return differences;
}

export const totalSize = (files: readonly BackupFile[]): number => files.reduce((sum, { size }) => sum + size, 0);
