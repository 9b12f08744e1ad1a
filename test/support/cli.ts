import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { testEnv } from './env.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

export interface Command {
  args: readonly string[];
  env: NodeJS.ProcessEnv;
}

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

/** No `npm start` runs in this data directory, so the environment variables apply. */
const environment = (changes: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  ...testEnv(),
  DATA_DIR: join(PROJECT, '.data', 'nothing-here'),
  ...changes,
});

let thread: Worker | undefined;
/** Resolves when the previous command has ended, because all commands share the thread's environment. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * Runs a command like `npm run cli --` does, but in a thread that has already imported the service, because the imports
 * take longer than a command.
 */
export function cli(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const ran = turn.then(async () => {
    thread ??= new Worker(new URL('cli-thread.ts', import.meta.url));
    thread.ref();
    thread.postMessage({ args, env: environment(env) } satisfies Command);
    const [answer] = (await once(thread, 'message')) as [Ran];
    thread.unref();
    return answer;
  });
  turn = ran.catch(() => {});
  return ran;
}
