import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LockedProcess } from '#embedded/lock.ts';
import { type ApiProcess, startProcess } from '#test/api-process.ts';
import type { EngineName, Node } from './fault.ts';

/** Starts a node with a role of the service. */
export async function startNode(role: string, env: NodeJS.ProcessEnv, serving: RegExp): Promise<Node> {
  const start = (port?: number) => startProcess(role, { ...env, LOG_LEVEL: 'error' }, serving, port ? { port } : {});
  let current: ApiProcess = await start();
  const { url } = current;
  return {
    url,
    end: (signal) => current.end(signal),
    async ensure() {
      const { exitCode, signalCode } = current.process;
      if (exitCode !== null || signalCode !== null) current = await start(Number(new URL(url).port));
    },
  };
}

/** Runs `npm start` with dedicated engines in a data folder, and with feeds from its subfolder `feeds`. */
export function startMain(dataDir: string): Promise<Node> {
  const { PATH, HOME, JAVA_HOME, OPENSEARCH_JAVA_HOME } = process.env;
  const env = { PATH, HOME, JAVA_HOME, OPENSEARCH_JAVA_HOME, DATA_DIR: dataDir, FEEDS_DIR: join(dataDir, 'feeds') };
  return startNode('all', env, /Ctrl-C stops everything/);
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
