import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { rotateLog } from './files.ts';
import type { Guard } from './guard.ts';
import type { Identity } from './identity.ts';
import type { Lock } from './lock.ts';
import { Problem } from './problem.ts';
import { endProcess, type ProcessId, processBegun } from './process.ts';
import type { Secrets } from './secrets.ts';

/** The shared context of all engines of a start. */
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
  /** Whether a crashed engine is restarted. */
  startAgain: boolean;
  say(line: string): void;
  /** Called when an engine ended that was not stopped, and is not started again. */
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
  /** Another one when it was started again. */
  readonly pid: number;
  stop(): Promise<void>;
  /** Waits until `check` returns true; it may throw while the engine is starting. @throws Problem also when it is stopped */
  ready(check: () => Promise<boolean>, limitMs: number): Promise<void>;
}

/** Milliseconds until an engine that does not stop is killed. */
const STOP_LIMIT = 20_000;
/** Maximum number of restarts within a period of milliseconds. */
const STARTS_AGAIN = 3;
const WITHIN = 300_000;
/** Milliseconds before it is, doubling: a Postgres that was killed has processes that need a moment to end. */
const FIRST_PAUSE = 500;

/** Starts an engine. Once ready, it is restarted when it crashes. */
export async function launch(context: LaunchContext, what: Command): Promise<Engine> {
  const { name, signal, logFile } = what;
  // Makes room for the log of this start.
  await rotateLog(logFile);
  let running = await run(context, what);
  /** Set while it is started again. */
  let restarting: Promise<void> | undefined;
  let ended: string | undefined;
  let isReady = false;
  const stopping = new AbortController();
  let deaths: number[] = [];

  const onEnd = (how: string): void => {
    if (stopping.signal.aborted) return;
    ended = how;
    const now = Date.now();
    deaths = [...deaths.filter((at) => at > now - WITHIN), now];
    if (!context.startAgain || !isReady) context.onDeath(`${name} ended (${how}). Its log: ${logFile}`);
    else if (deaths.length > STARTS_AGAIN)
      context.onDeath(
        `${name} ended (${how}), ${deaths.length} times within ${WITHIN / 60_000} minutes, and is not started again. Its log: ${logFile}`,
      );
    else {
      context.say(`${name} ended (${how}) and is started again. Its log: ${logFile}`);
      restarting = restart().catch((error: unknown) => context.onDeath(String(error)));
    }
  };
  const restart = async (): Promise<void> => {
    const pause = FIRST_PAUSE * 2 ** (deaths.length - 1);
    await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) return;
    running = await run(context, what);
    running.ended.then(onEnd);
  };
  running.ended.then(onEnd);

  const engine: Engine = {
    name,
    get pid() {
      return running.id.pid;
    },
    async stop() {
      stopping.abort();
      await restarting;
      await endProcess(running.id, signal, STOP_LIMIT);
    },
    async ready(check, limitMs) {
      const deadline = Date.now() + limitMs;
      for (;;) {
        if (await check().catch(() => false)) {
          isReady = true;
          return;
        }
        if (stopping.signal.aborted) throw new Problem(`${name} was stopped before it was ready.`);
        const failed = ended ?? (Date.now() > deadline ? `not ready after ${limitMs / 1000} s` : undefined);
        if (failed !== undefined)
          throw new Problem(`${name} did not start (${failed}). The end of ${logFile}:`, await lastLines(logFile));
        await sleep(100);
      }
    },
  };
  context.onStarted(engine);
  return engine;
}

/** One process of an engine. */
interface Run {
  id: ProcessId;
  /** How it ended. */
  ended: Promise<string>;
}

/**
 * Starts a process in its own process group: Ctrl-C goes to a terminal's whole group, and the engines must outlive running
 * requests.
 */
async function run({ identity, guard, lock }: LaunchContext, what: Command): Promise<Run> {
  const { name, signal } = what;
  const { uid, gid, wrap } = identity;
  const [command, args] = wrap(what.command, what.args);
  const log = openSync(what.logFile, 'a');
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
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, by) => {
      if (child.pid !== undefined) guard.forget(child.pid);
      resolve(by ? `signal ${by}` : `exit code ${code}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Problem(`${name} could not be started: ${error.message}`)));
  });
  const pid = child.pid as number;
  const id = { pid, begun: processBegun(pid) ?? '' };
  guard.watch(pid, signal);
  await lock.add({ name, signal, ...id });
  return { id, ended };
}

async function lastLines(file: string, lines = 15): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines);
}
