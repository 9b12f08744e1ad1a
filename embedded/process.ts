import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process, distinguished by start time from a later one with the same id. */
export interface ProcessId {
  pid: number;
  /** Start time in the system's format; only compared. */
  begun: string;
}

/**
 * Start time in /proc/PID/stat; undefined for a zombie, unless threads besides its main thread still hold its ports.
 */
export function begunOf(stat: string): string | undefined {
  // The name in parentheses may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, begun] = [fields[0], Number(fields[17]), fields[19]];
  return state === 'X' || (state === 'Z' && threads <= 1) ? undefined : begun;
}

/** Returns undefined if no process, or only a zombie, has this id. */
export function processBegun(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      return begunOf(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return undefined;
    }
  }
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' });
    return text.trim() || undefined;
  } catch {
    return undefined;
  }
}

export function isRunning({ pid, begun }: ProcessId): boolean {
  return processBegun(pid) === begun;
}

/** Sends `gentle`, then SIGKILL after `limitMs`. Resolves at the end, or 10 seconds after SIGKILL. */
export async function endProcess(id: ProcessId, gentle: NodeJS.Signals, limitMs: number): Promise<void> {
  send(id, gentle);
  const deadline = Date.now() + limitMs;
  while (isRunning(id) && Date.now() < deadline) await sleep(50);
  send(id, 'SIGKILL');
  const lastDeadline = Date.now() + 10_000;
  while (isRunning(id) && Date.now() < lastDeadline) await sleep(50);
}

function send(id: ProcessId, signal: NodeJS.Signals): void {
  if (!isRunning(id)) return;
  try {
    process.kill(id.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
