import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineName, Stage } from './fault.ts';

/** Milliseconds. Longer than the timeout of any call, so that the engine completes timed-out work when it resumes. */
const STALL = 4_000;
const TIMES = 3;

/** Suspends engines, and resumes them. */
export async function stall({ signal }: Stage, engines: readonly EngineName[]): Promise<void> {
  for (let time = 0; time < TIMES; time++) {
    await Promise.all(engines.map((engine) => signal(engine, 'SIGSTOP')));
    await sleep(STALL);
    await Promise.all(engines.map((engine) => signal(engine, 'SIGCONT')));
    await sleep(1_000);
  }
}
