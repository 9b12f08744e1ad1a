import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Percentage of processor time used by other processes while this process is idle. */
export async function busyPercent(milliseconds = 2_000): Promise<number> {
  const before = times();
  await sleep(milliseconds);
  const after = times();
  return Math.round((1 - (after.idle - before.idle) / (after.all - before.all)) * 100);
}

/** Resident memory of a process in MB. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Processor time of a process in milliseconds, in steps of 10. Linux only. */
export async function processorMs(pid: number): Promise<number> {
  const [, fields = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ');
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

function times(): { idle: number; all: number } {
  let idle = 0;
  let all = 0;
  for (const { times: spent } of cpus()) {
    idle += spent.idle;
    all += spent.user + spent.nice + spent.sys + spent.idle + spent.irq;
  }
  return { idle, all };
}

/** Returns a function that computes the percentage of all processors that others used since, given one's own time. */
export function othersMeter(): (ownMs: number) => number {
  const before = times();
  return (ownMs) => {
    const after = times();
    const all = after.all - before.all;
    return Math.max(0, Math.round((100 * (all - (after.idle - before.idle) - ownMs)) / all));
  };
}
