import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';

/** Writes a file that only its owner may read, in one step: a reader sees the old text or the new. */
export async function writePrivately(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(3).toString('hex')}`;
  await writeFile(temporary, text, { mode: 0o600 });
  await rename(temporary, file);
}
