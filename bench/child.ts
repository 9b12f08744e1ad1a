import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface Progress {
  stage: string;
  done: number;
}

/** @param report sends progress to the parent process */
type Measure<Input, Result> = (input: Input, report: (progress: Progress) => void) => Promise<Result>;

interface MeasureOptions {
  /** Extra environment variables. */
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/**
 * Runs a module that calls `serveMeasurement` in a separate process, for its peak memory.
 * @throws Error if the process fails
 */
export function measureInChild<Input extends object, Result>(
  module: URL,
  input: Input,
  { env, signal, onProgress = () => {} }: MeasureOptions,
): Promise<Result> {
  const child = fork(fileURLToPath(module), { env: { ...process.env, ...env }, signal });
  return new Promise((resolve, reject) => {
    child.on('message', (message: { progress: Progress } | { result: Result }) => {
      if ('progress' in message) onProgress(message.progress);
      else resolve(message.result);
    });
    child.once('error', reject);
    child.once('exit', (code, by) => reject(new Error(`${module.pathname} exited (${by ?? code})`)));
    child.send(input);
  });
}

/** Runs a measurement with the input of `measureInChild`. Errors end the process with their stack on stderr. */
export function serveMeasurement<Input, Result>(measure: Measure<Input, Result>): void {
  process.once('message', async (input: Input) => {
    process.send?.({ result: await measure(input, (progress) => process.send?.({ progress })) });
    process.disconnect();
  });
  // Also exits when the parent process is killed.
  process.on('disconnect', () => process.exit());
}

/** A process that serves until it is killed. */
export interface Child<First> {
  /** The first message of the process. */
  first: First;
  /** Sends a message, and returns the next message of the process. @throws Error if the process exits */
  call<Reply>(message: object): Promise<Reply>;
  kill(): void;
}

/** Starts a process and waits for its first message. */
export async function startChild<First>(
  module: URL,
  env: Readonly<Record<string, string>> = {},
  options: ForkOptions = {},
): Promise<Child<First>> {
  const child = fork(fileURLToPath(module), { ...options, env: { ...process.env, ...env } });
  const exited = once(child, 'exit').then(([code, by]) => {
    throw new Error(`${module.pathname} exited (${by ?? code})`);
  });
  exited.catch(() => {});
  const next = async <Message>(): Promise<Message> => {
    const [message] = await Promise.race([once(child, 'message'), exited]);
    return message as Message;
  };
  return {
    first: await next<First>(),
    call: (message) => {
      const reply = next<never>();
      child.send(message);
      return reply;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** Returns this process's peak resident memory in MB, including the Node runtime. */
export const peakRssMb = (): number => process.resourceUsage().maxRSS / 1024;
