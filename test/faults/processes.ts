import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LockedProcess } from '#embedded/lock.ts';
import { freePort } from '#embedded/ports.ts';
import { roleCommand } from '#test/api-process.ts';
import type { EngineName } from './fault.ts';

/** Maximum startup time in milliseconds. The first start creates the database and the indexes. */
const START_LIMIT = 400_000;

export interface Service {
  url: string;
  process: ChildProcess;
  /** Restarts the process if it has ended. */
  ensure(): Promise<void>;
}

/**
 * Starts a process with a role of the service, as in production.
 * @param serving output that indicates readiness
 * @param given port; a free port is used if omitted
 * @param cwd working directory, this project's if omitted
 */
export async function startService(
  role: string,
  env: NodeJS.ProcessEnv,
  serving: string,
  { port: given, main, cwd }: { port?: number | undefined; main?: string; cwd?: string } = {},
): Promise<Service> {
  const port = given ?? (await freePort());
  const run = async (): Promise<ChildProcess> => {
    const child = spawn(...roleCommand(role, undefined, main), {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...env, PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines: string[] = [];
    const started = new Promise<boolean>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(line);
        if (line.includes(serving)) resolve(true);
      });
      child.once('exit', () => resolve(false));
      setTimeout(resolve, START_LIMIT, false).unref();
    });
    if (await started) return child;
    await endProcess(child, 'SIGKILL');
    throw new Error(`${role} did not start:\n${lines.join('\n')}`);
  };
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    process: await run(),
    async ensure() {
      if (service.process.exitCode !== null || service.process.signalCode !== null) service.process = await run();
    },
  };
  return service;
}

export async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

/** Runs `npm start` with dedicated engines in a data folder, and with feeds from its subfolder `feeds`. */
export async function startMain(dataDir: string): Promise<Service> {
  const { PATH, HOME, JAVA_HOME, OPENSEARCH_JAVA_HOME } = process.env;
  const env = { PATH, HOME, JAVA_HOME, OPENSEARCH_JAVA_HOME, DATA_DIR: dataDir, FEEDS_DIR: join(dataDir, 'feeds') };
  return startService('all', env, 'Ctrl-C stops everything');
}

/** Sends a signal to the named engine of a data folder, and to its child processes. */
export async function signalEngine(dataDir: string, name: EngineName, signal: NodeJS.Signals): Promise<void> {
  const { engines } = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')) as { engines: LockedProcess[] };
  const engine = engines.find((one) => one.name === name);
  if (!engine) throw new Error(`${name} does not run`);
  process.kill(engine.pid, signal);
  if (signal === 'SIGKILL') return;
  // Children are signalled after their parent, because a stopped parent starts no new children.
  for (const pid of childrenOf(engine.pid)) sendTo(pid, signal);
}

/** Sends a signal to a process. Ignores the error if the process has ended. */
function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  return rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .filter(([, ppid]) => ppid === parent)
    .map(([pid]) => pid as number);
}
