import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process, distinguished from a later one with the same number by its start time. */
export interface ProcessId {
  pid: number;
  /** Its start time, in the system's notation; only compared. */
  begun: string;
}

/**
 * The start time in a line of /proc/PID/stat, or undefined of a zombie. A process whose first thread has ended is shown as a zombie
 * while others still run and hold its ports.
 */
export function begunOf(stat: string): string | undefined {
  // The name in parentheses may contain spaces and parentheses; the fields after it do not.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, threads, begun] = [fields[0], Number(fields[17]), fields[19]];
  return state === 'X' || (state === 'Z' && threads <= 1) ? undefined : begun;
}

/** The start time of a running process, or undefined when none (or only a zombie) has this number. */
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

/**
 * Ends a process by its number: with the gentle signal, and with SIGKILL when it still runs after `limitMs`.
 * Resolves when it is gone.
 */
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
