import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '#embedded/ports.ts';
import { testConfig, testEnv } from './env.ts';

const MAIN = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src', 'main.ts');
/** Timeout for a start in milliseconds. */
const START_LIMIT = 110_000;

/** An API process, started as in production. */
export interface ApiProcess {
  url: string;
  pid: number;
  /** Lines of its output: the log. */
  lines: readonly string[];
  /** Resolves when the process has printed a matching line. @throws if the process ends before, or on timeout */
  prints(line: RegExp): Promise<void>;
  /** Sends a signal and waits until the process ends. @returns the exit code; null after SIGKILL */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

/**
 * @param descriptors limit on open files and connections
 * @param main `main.ts` of another release
 * @returns the command of a role
 */
export function roleCommand(role: string, descriptors?: number, main = MAIN): [command: string, args: string[]] {
  const args = [main, role];
  if (descriptors === undefined) return [process.execPath, args];
  // Node raises the soft limit to the hard limit, so both are lowered.
  return ['sh', ['-c', `ulimit -n ${descriptors}; exec "$0" "$@"`, process.execPath, ...args]];
}

/**
 * Starts `main.ts` with the engines of this test run and waits until it is ready. `env` overrides environment
 * variables.
 */
export async function startApiProcess(
  env: Readonly<Record<string, string>> & { DATABASE_URL: string },
  { descriptors, role = 'api' }: { descriptors?: number; role?: 'api' | 'all' } = {},
): Promise<ApiProcess> {
  const port = await freePort();
  const child = spawn(...roleCommand(role, descriptors), {
    env: {
      ...process.env,
      ...testEnv(),
      // Separate indexes are used, because production processes have other places than the tests.
      INDEX_PREFIX: `${testConfig().opensearch.indexPrefix}process_`,
      HOST: '127.0.0.1',
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const printed = new EventEmitter();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    printed.emit('line');
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const end: ApiProcess['end'] = async (signal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await exited;
    return code;
  };
  const prints = async (wanted: RegExp): Promise<void> => {
    const ended = new AbortController();
    void exited.then(() => ended.abort());
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(START_LIMIT)]);
    try {
      while (!lines.some((line) => wanted.test(line))) await once(printed, 'line', { signal });
    } catch {
      await end('SIGKILL');
      throw new Error(`the process did not print ${wanted}:\n${lines.join('\n')}`);
    }
  };
  // `npm start` prints the address of the API with its summary, unless it serves during an upgrade.
  await prints(/^(?:Serving |API +http)/);
  return { url: `http://127.0.0.1:${port}`, pid: child.pid as number, lines, prints, end };
}
