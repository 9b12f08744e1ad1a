import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { rotateLog } from '#domain/process/files.ts';
import { Problem } from '#domain/process/problem.ts';
import type { Guard } from './guard.ts';
import type { Identity } from './identity.ts';
import type { Lock } from './lock.ts';
import { endProcess, processBegun } from './process.ts';
import type { Secrets } from './secrets.ts';

export interface LaunchContext {
  /** Absolute path, with a subfolder per engine. */
  folder: string;
  project: string;
  secrets: Secrets;
  identity: Identity;
  lock: Lock;
  guard: Guard;
  onStarted(engine: Engine): void;
  restartOnCrash: boolean;
  say(line: string): void;
  /** Called when an engine has ended and is not restarted. */
  onCrash(message: string): void;
}

/** Variables by which the configuration finds an engine. */
export type Variables = Record<string, string>;

interface Command {
  name: string;
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  logFile: string;
  /** Clean shutdown. */
  signal: NodeJS.Signals;
}

export interface Engine {
  name: string;
  /** Changes with a restart. */
  readonly pid: number;
  stop(): Promise<void>;
  /**
   * Waits until `check` returns true; it may throw while the engine starts.
   * @throws Problem if the engine ends, is stopped, or is not ready after `limitMs`
   */
  ready(check: () => Promise<boolean>, limitMs: number): Promise<void>;
}

/** Milliseconds until it is killed. */
const STOP_LIMIT = 20_000;
/** Maximum number of restarts within `WITHIN` milliseconds. */
const MAX_RESTARTS = 3;
const WITHIN = 300_000;
/** Milliseconds, doubled for each restart. The processes of a killed Postgres need time to end. */
const FIRST_PAUSE = 500;

/** With `restartOnCrash`, restarts an engine that crashes after it was ready. */
export async function launch(context: LaunchContext, what: Command): Promise<Engine> {
  const { name, signal, logFile } = what;
  await rotateLog(logFile);
  let running = await run(context, what);
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
    if (!context.restartOnCrash || !isReady) context.onCrash(`${name} ended (${how}). Its log: ${logFile}`);
    else if (deaths.length > MAX_RESTARTS)
      context.onCrash(
        `${name} ended (${how}), ${deaths.length} times within ${WITHIN / 60_000} minutes, and is not started again. Its log: ${logFile}`,
      );
    else {
      context.say(`${name} ended (${how}) and is started again. Its log: ${logFile}`);
      restarting = restart().catch((error: unknown) => context.onCrash(String(error)));
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

/** In a separate process group: engines must outlive running requests after Ctrl-C. */
async function run({ identity, guard, lock }: LaunchContext, what: Command) {
  const { name, signal } = what;
  const { command, args, ...ids } = identity.wrap(what.command, what.args);
  const log = openSync(what.logFile, 'a');
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
