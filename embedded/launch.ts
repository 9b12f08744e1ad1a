import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
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
/** Milliseconds before a restart, doubled for each one. The processes of a killed Postgres need time to end. */
const FIRST_PAUSE = 500;
const MAX_PAUSE = 15_000;
/** Milliseconds that an engine must run until the next pause is the first one again. */
const STEADY = 300_000;

/** With `restartOnCrash`, an engine that was ready is restarted until `stop`. */
export async function launch(context: LaunchContext, what: Command): Promise<Engine> {
  const { name, signal, logFile } = what;
  await rotateLog(logFile);
  let running = await run(context, what);
  let restarting: Promise<void> | undefined;
  let ended: string | undefined;
  let isReady = false;
  const stopping = new AbortController();

  const supervise = async (): Promise<void> => {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
      const begun = Date.now();
      ended = await running.ended;
      if (stopping.signal.aborted) return;
      const cause = causeOf(ended, await readFrom(logFile, running.logStart), await freeBytes(context.folder));
      const report = `${name} ended (${ended})${cause}`;
      if (!context.restartOnCrash || !isReady) return context.onCrash(`${report}. Its log: ${logFile}`);
      if (Date.now() - begun > STEADY) pause = FIRST_PAUSE;
      context.say(`${report}. It is started again in ${pause / 1000} s. Its log: ${logFile}`);
      restarting = restart(pause);
      await restarting;
      if (stopping.signal.aborted) return;
    }
  };
  const restart = async (pause: number): Promise<void> => {
    await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    if (stopping.signal.aborted) return;
    running = await run(context, what).catch((error: Error) => ({
      ...running,
      ended: Promise.resolve(`not started: ${error.message}`),
    }));
  };
  void supervise();

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
  const logStart = fstatSync(log).size;
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
  try {
    await lock.add({ name, signal, ...id });
  } catch (error) {
    // Nothing would end the process if this one was killed. The disk may be full.
    await endProcess(id, signal, STOP_LIMIT);
    throw error;
  }
  return { id, ended, logStart };
}

const MIN_FREE_BYTES = 2 ** 20;
const CAUSES: readonly (readonly [cause: string, pattern: RegExp])[] = [
  ['its port is in use by another process', /address already in use|BindException/i],
  ['memory is exhausted', /OutOfMemoryError|out of memory|cannot allocate memory/i],
  ['an earlier process of it still ends', /pre-existing shared memory|lock file .* already exists|node locks/i],
];

/**
 * The cause of an end as the rest of a sentence, empty if unknown. Pure.
 * @param log what the process wrote
 * @param free bytes on the disk of the data. An engine whose disk is full cannot log that
 */
export function causeOf(how: string, log: string, free: number): string {
  const isFull = free < MIN_FREE_BYTES || /no space left on device|ENOSPC/i.test(`${how} ${log}`);
  const [logged] = CAUSES.find(([, pattern]) => pattern.test(log)) ?? [];
  const cause = isFull ? 'the disk is full' : logged;
  if (cause !== undefined) return `: ${cause}`;
  return how === 'signal SIGKILL' ? ': it was killed, by a user or because memory was exhausted' : '';
}

const freeBytes = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  );

/** Characters of a log that are searched for a cause. */
const MAX_LOG = 65_536;

async function readFrom(file: string, start: number): Promise<string> {
  const log = await readFile(file).catch(() => Buffer.alloc(0));
  return log.subarray(start).toString('utf8').slice(-MAX_LOG);
}

async function lastLines(file: string, lines = 15): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-lines);
}
