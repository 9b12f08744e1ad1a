import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, writeSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Content of the file that is being read. All reads are synchronous, so they can share one buffer. */
const buffer = Buffer.allocUnsafe(2 ** 20);
const AT_ONCE = 8;

export interface Digest {
  size: number;
  /** SHA-256 in hexadecimal. */
  sha256: string;
}

// Most files of a Postgres are small. Synchronous calls copy thousands of them several times faster than asynchronous ones,
// and the commands have no other work meanwhile.

/** Returns the size and the hash of a file. */
export const digestOf = (path: string): Digest => readWhole(path, () => {});

/**
 * Copies a file to a new private file. Other processes may write to the source meanwhile.
 * @returns null if the file does not exist
 */
export function copyFile(from: string, to: string): Digest | null {
  let copy: number | undefined;
  try {
    return readWhole(from, (chunk) => {
      copy ??= createFile(to);
      writeWhole(copy, chunk);
    });
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path === from) return null;
    throw error;
  } finally {
    if (copy !== undefined) closeSync(copy);
  }
}

/** Passes the content of a file to `use` in chunks. For an empty file, passes one empty chunk. */
function readWhole(path: string, use: (chunk: Uint8Array) => void): Digest {
  const file = openSync(path, 'r');
  try {
    const hash = createHash('sha256');
    for (let size = 0; ; ) {
      const chunk = buffer.subarray(0, readSync(file, buffer));
      if (chunk.length > 0 || size === 0) use(chunk);
      if (chunk.length === 0) return { size, sha256: hash.digest('hex') };
      hash.update(chunk);
      size += chunk.length;
    }
  } finally {
    closeSync(file);
  }
}

/** Writes a new private file. */
export async function writeNew(to: string, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<Digest> {
  const hash = createHash('sha256');
  let size = 0;
  const file = createFile(to);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      size += chunk.length;
      writeWhole(file, chunk);
    }
    return { size, sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}

function createFile(path: string): number {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return openSync(path, 'wx', 0o600);
}

function writeWhole(file: number, chunk: Uint8Array): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
}

/** An entry of a folder; its path is relative to the folder, with slashes. */
export interface Found {
  path: string;
  kind: 'file' | 'folder' | 'other';
}

/**
 * Lists the entries of a folder and its subfolders. Other processes may change them meanwhile.
 * @param isSkipped whether to leave out an entry and its content
 */
export async function* listFolder(
  root: string,
  isSkipped: (path: string) => boolean = () => false,
): AsyncGenerator<Found> {
  const pending = [''];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && folder !== '') return [];
      throw error;
    });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isSkipped(path)) continue;
      if (entry.isDirectory()) pending.push(path);
      yield { path, kind: entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other' };
    }
  }
}

/** Runs `work` for every item, up to `AT_ONCE` at a time. After a failure, no further item begins. */
export async function forEachOf<T>(
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const item of items) {
    if (failures.length > 0) break;
    const one = work(item)
      .catch((error: unknown) => {
        failures.push(error);
      })
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}

/** Waits until a folder with its content is on disk. A wait for each file would take most of a backup. */
export async function syncAll(root: string): Promise<void> {
  const sync = async (path: string): Promise<void> => {
    const file = await open(path, 'r');
    await file.sync().finally(() => file.close());
  };
  await forEachOf(listFolder(root), ({ path }) => sync(join(root, path)));
  await sync(root);
}

/** Waits until the name of a file or folder is on disk. */
export function syncName(path: string): void {
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
