import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ChildMessage, Progress } from './child-process.ts';

interface MeasureOptions {
  /** Extra environment variables. */
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Runs a module's `measure` in a separate process, for its peak memory. @throws Error if the process fails */
export async function measureInChild<Input, Result>(
  module: URL,
  input: Input,
  { env, signal, onProgress = () => {} }: MeasureOptions,
): Promise<Result> {
  const child = fork(fileURLToPath(new URL('./child-process.ts', import.meta.url)), {
    env: { ...process.env, ...env },
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const result = Promise.withResolvers<Result>();
  child.on('message', (message: ChildMessage) => {
    if ('progress' in message) onProgress(message.progress);
    else if ('result' in message) result.resolve(message.result as Result);
    else result.reject(new Error(message.failure));
  });
  child.once('exit', (code, by) => result.reject(new Error(`${module.pathname} exited (${by ?? code})`)));
  child.send({ module: module.href, input });
  return result.promise.finally(() => signal.removeEventListener('abort', stop));
}

/** Starts a process that serves until it is killed. Returns the process and its first message. */
export async function startChild<First>(
  module: URL,
  env: Readonly<Record<string, string>>,
  options: ForkOptions = {},
): Promise<{ child: ChildProcess; first: First }> {
  const child = fork(fileURLToPath(module), { ...options, env: { ...process.env, ...env } });
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${module.pathname} exited (${code})`);
  });
  exited.catch(() => {});
  const [first] = (await Promise.race([once(child, 'message'), exited])) as [First];
  return { child, first };
}

/** Sends a message to a process and returns the next message from it. */
export async function callChild<Reply>(child: ChildProcess, message: object): Promise<Reply> {
  const replied = once(child, 'message') as Promise<[Reply]>;
  child.send(message);
  return (await replied)[0];
}

/** Returns this process's peak resident memory in MB, including the Node runtime. */
export const peakRssMb = (): number => process.resourceUsage().maxRSS / 1024;
