import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { test } from './test.ts';

const remove = (path: string) => rm(path, { recursive: true, force: true });

/** Creates a folder that is deleted at the end of the test. */
export async function temporaryFolder(t: ExecutionContext, parent = tmpdir()): Promise<string> {
  const path = await mkdtemp(join(parent, 'test-'));
  t.teardown(() => remove(path));
  return path;
}

/**
 * Returns the path of a folder that exists from the first test of the file that is run to the last. Called while the file
 * is loaded, before other steps that use the folder.
 */
export function folderOfFile(): string {
  const path = join(tmpdir(), `test-${randomUUID()}`);
  test.before(() => mkdir(path));
  test.after(() => remove(path));
  return path;
}
