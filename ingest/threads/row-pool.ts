import { setInterval } from 'node:timers/promises';
import { Piscina } from 'piscina';
import type { Boundaries } from '#domain/geography/boundaries.ts';
import { messageOf } from '#domain/message-of.ts';
import type { RejectReason } from '../normalize/listing.ts';
import { NOT_STARTED, PROGRESS, type Task } from './task.ts';

/** Processor time of a row in milliseconds, after which its thread is replaced. A normal ad takes less than one. */
const ROW_LIMIT_MS = 250;
/** Interval of the checks of a running task, in milliseconds. */
const CHECK_EVERY_MS = 50;
/** Rows per task. Those before a slow row are read again. */
const TASK_ROWS = 200;
/** Threads without work end, which frees their memory. In milliseconds. */
const IDLE_MS = 30_000;
const MAX_HEAP_MB = 512;
/** The second thread speeds up a run by a quarter. */
const MAX_THREADS = 2;

export interface RowFault {
  ok: false;
  reason: RejectReason;
  detail: string;
}

export interface ReaderSetup {
  /** URL of a module whose default export is an `OpenReader`. */
  module: URL;
  /** Argument of the reader. */
  context: unknown;
  boundaries: Boundaries;
  signal: AbortSignal;
}

/** One pool per set of boundaries, which all runs of the process share. */
const pools = new Map<string, Piscina<Task, unknown[]>>();

function poolOf(boundaries: Boundaries): Piscina<Task, unknown[]> {
  const known = pools.get(boundaries.digest);
  if (known !== undefined) return known;
  const pool = new Piscina<Task, unknown[]>({
    filename: new URL('./row-thread.ts', import.meta.url).href,
    workerData: boundaries.toParts(),
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  pools.set(boundaries.digest, pool);
  return pool;
}

/**
 * Reads rows in another thread, in order. A row that takes too long, or ends the thread, becomes a fault; its thread is
 * replaced and the other rows are read.
 * @throws if the module cannot be loaded, or the abort reason
 */
export async function readRows<Result>(rows: readonly unknown[], reading: ReaderSetup): Promise<(Result | RowFault)[]> {
  const tasks: Promise<(Result | RowFault)[]>[] = [];
  for (let at = 0; at < rows.length; at += TASK_ROWS) tasks.push(readPart(rows.slice(at, at + TASK_ROWS), reading));
  return (await Promise.all(tasks)).flat();
}

async function readPart<Result>(rows: readonly unknown[], reading: ReaderSetup): Promise<(Result | RowFault)[]> {
  const found = new Map<number, Result | RowFault>();
  for (;;) {
    const left = [...rows.keys()].filter((at) => !found.has(at));
    if (left.length === 0) return rows.map((_, at) => found.get(at) as Result | RowFault);
    const outcome = await runTask<Result>(
      left.map((at) => rows[at]),
      reading,
    );
    if ('results' in outcome)
      for (const [at, result] of outcome.results.entries()) found.set(left[at] as number, result);
    else found.set(left[outcome.row] as number, outcome.fault);
  }
}

type Outcome<Result> = { results: readonly Result[] } | { row: number; fault: RowFault };

async function runTask<Result>(rows: readonly unknown[], reading: ReaderSetup): Promise<Outcome<Result>> {
  const { module, context, boundaries, signal } = reading;
  signal.throwIfAborted();
  const pool = poolOf(boundaries);
  const progress = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
  progress[PROGRESS.row] = NOT_STARTED;
  const done = new AbortController();
  const slow = new AbortController();
  void watch(pool, progress, done.signal, () => slow.abort());
  try {
    const task = { module: module.href, context, rows, progress };
    return { results: (await pool.run(task, { signal: AbortSignal.any([signal, slow.signal]) })) as Result[] };
  } catch (error) {
    signal.throwIfAborted();
    const cloneFault = rows.findIndex((row) => !isCloneable(row));
    if (cloneFault !== -1) return { row: cloneFault, fault: faultOf('malformed_row', messageOf(error)) };
    const row = progress[PROGRESS.row] as number;
    if (row === NOT_STARTED) throw error;
    return {
      row,
      fault: slow.signal.aborted
        ? faultOf('too_slow', `reading the row takes more than ${ROW_LIMIT_MS} ms of processor time`)
        : faultOf('malformed_row', `the row cannot be read: ${messageOf(error)}`),
    };
  } finally {
    done.abort();
  }
}

const faultOf = (reason: RejectReason, detail: string): RowFault => ({ ok: false, reason, detail });

/** Calls `onSlow` if a row exceeds its processor time, which other processes do not affect. */
async function watch(pool: Piscina, progress: Float64Array, signal: AbortSignal, onSlow: () => void): Promise<void> {
  let last = NOT_STARTED;
  /** Processor time of the thread when the row was first seen. */
  let seenAt = 0;
  try {
    for await (const _ of setInterval(CHECK_EVERY_MS, undefined, { signal, ref: false })) {
      const row = progress[PROGRESS.row] as number;
      const thread = pool.threads.find(({ threadId }) => threadId === progress[PROGRESS.thread]);
      if (row === NOT_STARTED || thread === undefined) continue;
      const { user, system } = await thread.cpuUsage();
      const used = user + system;
      if (row !== last) seenAt = used;
      last = row;
      if (row === progress[PROGRESS.row] && used - seenAt > ROW_LIMIT_MS * 1_000) return onSlow();
    }
  } catch {
    // The task has ended, or its thread.
  }
}

function isCloneable(row: unknown): boolean {
  try {
    structuredClone(row);
    return true;
  } catch {
    return false;
  }
}
