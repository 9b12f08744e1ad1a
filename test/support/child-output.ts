import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Waits until a process ends. @returns its output and its exit code, which is null if a signal ended the process */
export async function childOutput(
  child: ChildProcessByStdio<null, Readable, Readable>,
): Promise<{ code: number | null; out: string; errors: string }> {
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  return { code, out, errors };
}
