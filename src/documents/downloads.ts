import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { Context } from 'koa';
import { send } from './send-document.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'site', 'downloads');
/** One line for each file, as `sha256sum` prints and checks it. */
export const CHECKSUMS = 'SHA256SUMS';

const TYPES: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.whl': 'application/zip',
  '.json': 'application/json',
};

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
  return {
    ...found,
    clients: (['typescript', 'python'] as const).filter((language) => found[language] !== null),

    /** @returns whether there is such a file */
    async serve(context: Context, file: string): Promise<boolean> {
      const isSums = file === CHECKSUMS && files.length > 0;
      if (!isSums && !files.some((each) => each.file === file)) return false;
      send(context, TYPES[extname(file)] ?? 'text/plain', await readFile(join(folder, file)));
      if (!isSums) context.attachment(file);
      return true;
    },
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
