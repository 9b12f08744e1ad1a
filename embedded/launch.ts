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

/** What all engines of a start share. */
export interface LaunchContext {
  /** The data folder, absolute. Each engine has a folder in it. */
  folder: string;
  project: string;
  identity: Identity;
  secrets: Secrets;
  lock: Lock;
  guard: Guard;
  /** Called for every engine as soon as its process runs. */
  onStarted(engine: Engine): void;
  /** Called when an engine ends that was not stopped. */
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
  /** Shuts it down cleanly. */
  signal: NodeJS.Signals;
}

export interface Engine {
  name: string;
  pid: number;
  stop(): Promise<void>;
  /** Waits until `check` returns true; it may throw while the engine is starting. */
  ready(check: () => Promise<boolean>, limitMs: number): Promise<void>;
}

/** Milliseconds until an engine that does not stop is killed. */
const STOP_LIMIT = 20_000;

/**
 * Starts an engine in a process group of its own: Ctrl-C goes to a terminal's whole group, and the engines must
 * outlive the requests that are being finished.
 */
export async function launch(context: LaunchContext, what: Command): Promise<Engine> {
  const { name, signal, logFile } = what;
  const { uid, gid, wrap } = context.identity;
  const [command, args] = wrap(what.command, what.args);
  const log = openSync(logFile, 'w');
  // A wrapped command changes the user by itself, and must start as this one to do so.
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
    if (!stopping) context.onDeath(`${name} ended (${how}). Its log: ${logFile}`);
  };
  child.once('exit', (code, by) => end(by ? `signal ${by}` : `exit code ${code}`));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Problem(`${name} could not be started: ${error.message}`)));
  });
  const pid = child.pid as number;
  const id = { pid, begun: processBegun(pid) ?? '' };
  context.guard.watch(pid, signal);
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
          throw new Problem(`${name} did not start (${failed}). The end of ${logFile}:`, await lastLines(logFile));
        await sleep(100);
      }
    },
  };
  context.onStarted(engine);
  await context.lock.add({ name, signal, ...id });
  return engine;
}

async function lastLines(file: string, lines = 15): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines);
}
