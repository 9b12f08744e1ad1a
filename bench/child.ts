import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process of this folder and waits for its first message.
 * @throws Error if the process exits before
 */
export async function startChild<First>(
  file: string,
  env: Readonly<Record<string, string>>,
  options: ForkOptions = {},
): Promise<{ first: First; kill(): void }> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), { ...options, env: { ...process.env, ...env } });
  const exited = once(child, 'exit').then(([code, by]) => {
    throw new Error(`${file} exited (${by ?? code})`);
  });
  exited.catch(() => {});
  const [first] = await Promise.race([once(child, 'message'), exited]);
  return { first: first as First, kill: () => child.kill('SIGKILL') };
}
