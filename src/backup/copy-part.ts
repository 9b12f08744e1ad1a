import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Problem } from '#embedded/problem.ts';
import { copyFile } from './files.ts';
import type { Manifest, Part } from './manifest.ts';

/**
 * Copies the files of a part of a backup, and its folders, to `to`.
 * @throws Problem if a file is missing or damaged
 */
export async function copyPart(
  dir: string,
  manifest: Manifest,
  part: Part,
  to: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const within = (path: string) => path.slice(part.length + 1);
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const path of manifest.folders)
    if (path.startsWith(`${part}/`)) await mkdir(join(to, within(path)), { recursive: true, mode: 0o700 });
  for (const { path, size, sha256 } of filesOf(manifest, part)) {
    const copied = copyFile(join(dir, path), join(to, within(path)));
    if (copied?.size !== size || copied.sha256 !== sha256)
      throw new Problem(`${join(dir, path)} is ${copied === null ? 'missing' : 'damaged'}. Use another backup.`, [
        `All damaged files: npm run cli -- backup verify ${dir}`,
      ]);
    onBytes(size);
  }
}

export const filesOf = ({ files }: Manifest, part: Part): Manifest['files'] =>
  files.filter(({ path }) => path.startsWith(`${part}/`));
