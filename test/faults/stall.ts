import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName, Stage } from './fault.ts';

/** Longer than any call waits for one answer, so that calls give up on what is done when the engine goes on. */
const STALL = 4_000;
const TIMES = 3;

/** Stops engines where they are, and lets them go on. */
export async function stall({ signal }: Stage, engines: readonly EngineName[]): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    await Promise.all(engines.map((engine) => signal(engine, 'SIGSTOP')));
    await sleep(STALL);
    await Promise.all(engines.map((engine) => signal(engine, 'SIGCONT')));
    await sleep(1_000);
  }
}
