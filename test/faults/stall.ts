import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName, Stage } from './fault.ts';

/**
 * Duration of a stall in milliseconds. It is longer than the timeout of any call, so that engines complete timed-out
 * work when they resume.
 */
const STALL = 4_000;
const TIMES = 3;

/** Suspends and resumes engines several times. */
export async function stall({ signal }: Stage, engines: readonly EngineName[]): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    await Promise.all(engines.map((engine) => signal(engine, 'SIGSTOP')));
    await sleep(STALL);
    await Promise.all(engines.map((engine) => signal(engine, 'SIGCONT')));
    await sleep(1_000);
  }
}
