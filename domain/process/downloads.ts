import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', 'site', 'downloads');
/** One line for each file, as `sha256sum` prints and checks it. */
export const CHECKSUMS = 'SHA256SUMS';

export interface Download {
  file: string;
  sha256: string;
}
export type Downloads = ReturnType<typeof readDownloads>;

/** Returns the clients that the installation or the build of the image has made (`clients/build/downloads.ts`). */
export function readDownloads(folder = FOLDER) {
  const files = readSums(folder);
  const find = (end: string): Download | null => files.find(({ file }) => file.endsWith(end)) ?? null;
  const found = { typescript: find('.tgz'), python: find('.whl'), postman: find('.json') };
  const served = new Set(files.length > 0 ? [CHECKSUMS, ...files.map(({ file }) => file)] : []);
  return {
    ...found,
    clients: (['typescript', 'python'] as const).filter((language) => found[language] !== null),
    read: async (file: string): Promise<Buffer | null> => (served.has(file) ? readFile(join(folder, file)) : null),
  };
}

function readSums(folder: string): Download[] {
  try {
    const lines = readFileSync(join(folder, CHECKSUMS), 'utf8').trim().split('\n');
    return lines.map((line) => ({ sha256: line.slice(0, 64), file: line.slice(66) }));
  } catch {
    // Nothing was built.
    return [];
  }
}
