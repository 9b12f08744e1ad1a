import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { CITIES } from '#domain/geography/gazetteer.ts';
import { VERSIONS } from '../versions.ts';
import { fileFault } from './table.ts';

interface NamedFile {
  path: string;
  name: string;
}

/**
 * Returns a file, or the CSV and XLSX files in a folder, oldest first.
 * @param settleMs minimum age in milliseconds of files in a folder; more recent ones may be incomplete. 0: any age, because
 *   the clock of a file system may be ahead of the clock of this process.
 */
export async function filesOf(path: string, settleMs: number): Promise<NamedFile[]> {
  const found = await stat(path);
  if (!found.isDirectory()) return [{ path, name: basename(path) }];
  const paths = await pathsUnder(path);
  // A file that is removed meanwhile is reported when it is read.
  const files = await Promise.all(
    paths.map(async (file) => ({ file, at: (await stat(file).catch(ifFileFault({ mtimeMs: 0 }))).mtimeMs })),
  );
  return files
    .filter(({ at }) => settleMs === 0 || Date.now() - at >= settleMs)
    .sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1))
    .map(({ file }) => ({ path: file, name: relative(path, file) }));
}

/** A folder that cannot be opened is returned as a file, so that it is reported. */
async function pathsUnder(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) paths.push(...(await pathsUnder(path).catch(ifFileFault([path]))));
    else if (entry.isFile() && /^[^.~].*\.(csv|xlsx)$/i.test(entry.name)) paths.push(path);
  }
  return paths;
}

const ifFileFault =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (fileFault(error) === null) throw error;
    return instead;
  };

/** Returns a hash of the file's bytes, its city, and the version of the code that reads it. */
export async function digestOf(path: string, city: string | null, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256').update(`${city} ${VERSIONS.official}`);
  for await (const chunk of createReadStream(path, { signal })) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Returns the city in a file name such as `deals_riyadh.csv`; null if there is none. */
export function cityInName(name: string): string | null {
  const words = basename(name)
    .toLowerCase()
    .replace(/[^a-z]+/g, '_');
  return CITIES.find(({ slug }) => `_${words}_`.includes(`_${slug}_`))?.slug ?? null;
}
