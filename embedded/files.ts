import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner may read, in one step: a reader sees the old text or the new. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(3).toString('hex')}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}

/** Number of older logs, as `.1` (the newest) and so on. */
const OLD_LOGS = 3;

/** Renames a log, and those before it, so that a new one can begin. The oldest is replaced. */
export async function rotateLog(file: string): Promise<void> {
  for (let age = OLD_LOGS; age > 0; age--) {
    const younger = age === 1 ? file : `${file}.${age - 1}`;
    await rename(younger, `${file}.${age}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}
