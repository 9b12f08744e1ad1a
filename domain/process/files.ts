import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** Writes a file for the owner only. Atomic: readers find the old or the new text. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(3).toString('hex')}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}

/** Number of old logs, as `.1` (the newest) and so on. */
const OLD_LOGS = 3;

/** Renames a log. The oldest one is replaced. */
export async function rotateLog(file: string): Promise<void> {
  for (let age = OLD_LOGS; age > 0; age--) {
    const younger = age === 1 ? file : `${file}.${age - 1}`;
    await rename(younger, `${file}.${age}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
