import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '#domain/process/ports.ts';
import { testConfig, testEnv } from './env.ts';

const MAIN = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src', 'main.ts');
/** Timeout for a start in milliseconds. The first start creates the database and the indexes. */
const START_LIMIT = 600_000;

/** A process of the service, started as in production. */
export type ApiProcess = Awaited<ReturnType<typeof startProcess>>;

interface ProcessOptions {
  /** A free port if omitted. */
  port?: number;
  /** `main.ts` of another release, and its working directory. */
  main?: string;
  cwd?: string;
}

/** Starts `main.ts` with a role and waits until it prints a line. */
export async function startProcess(
  role: string,
  env: NodeJS.ProcessEnv,
  serving: RegExp,
  { port: given, main = MAIN, cwd }: ProcessOptions = {},
) {
  const port = given ?? (await freePort());
  const child = spawn(process.execPath, [main, role], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...env, HOST: '127.0.0.1', PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  /** Lines of its output: the log. */
  const lines: string[] = [];
  const printed = new EventEmitter();
  createInterface({ input: child.stdout as NonNullable<typeof child.stdout> }).on('line', (line) => {
    lines.push(line);
    printed.emit('line');
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  /** Sends a signal unless the process has ended, and waits for its end. @returns the exit code; null after SIGKILL */
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await exited;
    return code;
  };
  /** Resolves when the process has printed a matching line. @throws if the process ends before, or on timeout */
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
  await prints(serving);
  return { url: `http://127.0.0.1:${port}`, process: child, lines, prints, end };
}

/** Starts an API process with the engines of this test run. `env` overrides environment variables. */
export const startApiProcess = (
  env: Readonly<Record<string, string>> & { DATABASE_URL: string },
  { role = 'api' }: { role?: 'api' | 'all' } = {},
): Promise<ApiProcess> =>
  startProcess(
    role,
    {
      ...process.env,
      ...testEnv(),
      // Separate indexes are used, because production processes have other places than the tests.
      INDEX_PREFIX: `${testConfig().opensearch.indexPrefix}process_`,
      ...env,
    },
    // `npm start` prints the address of the API with its summary, unless it serves during an upgrade.
    /^(?:Serving |API +http)/,
  );
