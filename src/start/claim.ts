import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { processBegun } from '#embedded/process.ts';
import type { Claim } from '#search/reindex/lease.ts';

/** Creates the claim with which this process takes the reindex lease. */
export function claimAs(now: Date, takeOver = false): Claim {
  const machine = machineName();
  return {
    holder: {
      machine,
      host: hostname(),
      pid: process.pid,
      begun: processBegun(process.pid) ?? '',
      since: now.toISOString(),
    },
    hasEnded: (holder) => holder.machine === machine && processBegun(holder.pid) !== holder.begun,
    takeOver,
  };
}

/** Returns a name within which process ids are unique: boot id and pid namespace, or else the host name. */
function machineName(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
