import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guard } from './guard.ts';
import type { Identity } from './identity.ts';
import type { Lock } from './lock.ts';
import { Problem } from './problem.ts';
import { endProcess, processBegun } from './process.ts';
import type { Secrets } from './secrets.ts';

/** What every engine is started on. */
export interface Ground {
  /** The data folder, absolute. Each engine has a folder in it. */
  folder: string;
  project: string;
  identity: Identity;
  secrets: Secrets;
  lock: Lock;
  guard: Guard;
  /** Told of every engine as soon as its process runs. */
  admit(engine: Engine): void;
  /** Told when an engine ends that nobody asked to. */
  onDeath(message: string): void;
}

/** The variables by which the configuration finds an engine. */
export type Variables = Record<string, string>;

export interface Command {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  logFile: string;
  /** Ends it in order. */
  signal: NodeJS.Signals;
  /** Whether it runs under the ground's identity or as we do. */
  as: 'identity' | 'us';
}

export interface Engine {
  name: string;
  pid: number;
  stop(): Promise<void>;
  /** Waits until `check` says yes; a check may throw while the engine is not there yet. */
  ready(check: () => Promise<boolean>, limitMs: number): Promise<void>;
}

/** Milliseconds until an engine that was asked to end is ended. */
const STOP_LIMIT = 20_000;

/**
 * Starts an engine in a process group of its own: Ctrl-C goes to a terminal's whole group, and the engines must
 * outlive the requests that are being finished.
 */
export async function launch(ground: Ground, what: Command): Promise<Engine> {
  const { name, signal, logFile } = what;
  const { uid, gid, wrap } = what.as === 'identity' ? ground.identity : { uid: undefined, gid: undefined, wrap: asIs };
  const [command, args] = wrap(what.command, what.args);
  const log = openSync(logFile, 'w');
  // A wrapped command changes the identity itself, and needs ours to do it.
  const ids = command === what.command && uid !== undefined ? { uid, gid } : {};
  const child = spawn(command, args, {
    cwd: what.cwd,
    env: what.env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', log, log],
    ...ids,
  });
  closeSync(log);

  let ended: string | undefined;
  let stopping = false;
  const end = (how: string) => {
    ended = how;
    if (!stopping) ground.onDeath(`${name} ended (${how}). Its log: ${logFile}`);
  };
  child.once('exit', (code, by) => end(by ? `signal ${by}` : `exit code ${code}`));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Problem(`${name} could not be started: ${error.message}`)));
  });
  const pid = child.pid as number;
  const id = { pid, begun: processBegun(pid) ?? '' };
  ground.guard.watch(pid, signal);
  const engine: Engine = {
    name,
    pid,
    async stop() {
      stopping = true;
      await endProcess(id, signal, STOP_LIMIT);
    },
    async ready(check, limitMs) {
      const deadline = Date.now() + limitMs;
      for (;;) {
        if (await check().catch(() => false)) return;
        const failed = ended ?? (Date.now() > deadline ? `not ready after ${limitMs / 1000} s` : undefined);
        if (failed !== undefined)
          throw new Problem(`${name} did not start (${failed}). The end of ${logFile}:`, await endOf(logFile));
        await sleep(100);
      }
    },
  };
  ground.admit(engine);
  await ground.lock.add({ name, signal, ...id });
  return engine;
}

const asIs: Identity['wrap'] = (command, args) => [command, [...args]];

async function endOf(file: string, lines = 15): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines);
}
