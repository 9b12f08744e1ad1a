import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
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

/** Creates a folder that is deleted after all tests of the file. Called while the file is loaded. */
export function folderOfFile(): string {
  const path = mkdtempSync(join(tmpdir(), 'test-'));
  test.after(() => remove(path));
  return path;
}
